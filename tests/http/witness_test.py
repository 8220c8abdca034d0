"""What `serve` logs and `put` and `get` report, held against the system calls that were made."""
# labels: strace

import json
import os
import re
import signal
import subprocess
import unittest

import tool
import witness
from serving import Closed, Peer, ServeTest
from tool import HEADRACE, content
from witness import READS, WRITES

LARGE = content(5_000_000)
MEBIBYTE = 1 << 20
MEDIUM = content(200_000, 2)
SMALL = content(1000, 3)


class Traced:
    """A `serve` under strace, whose log is JSON."""

    def __init__(self, test, *options):
        self.test = test
        self.root = test.path("root")
        os.makedirs(self.root, exist_ok=True)
        self.log = test.path("log")
        self.run = witness.Traced([HEADRACE, "serve", self.root, "--listen", "127.0.0.1:0",
                                   "--threads", "1", "--log", self.log, "--log-format", "json",
                                   *options])
        test.addCleanup(self.kill)
        line = self.run.process.stderr.readline().decode()
        self.port = int(re.search(r"listening on http://127\.0\.0\.1:(\d+)/", line)[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def kill(self):
        if self.run.process.poll() is None:
            os.killpg(self.run.process.pid, signal.SIGKILL)
            self.run.process.wait()

    def talk(self):
        return Peer(self.test.connect(self.port))

    def finish(self):
        """The calls, and the lines of the log."""
        # strace waits for the tool, which is its only child.
        with open(f"/proc/{self.run.process.pid}/task/{self.run.process.pid}/children",
                  encoding="ascii") as file:
            tracee = int(file.read().split()[0])
        os.kill(tracee, signal.SIGTERM)
        run = self.run.finish()
        self.test.assertEqual(run.status, 0, run.stderr)
        with open(self.log, encoding="ascii") as file:
            return run, [json.loads(line) for line in file]


def moved(run, names, source=None, destination=None):
    """(bytes, calls that moved some) of these calls between such ends."""
    calls = [call for call in run.calls if call.name in names and call.moved
             and (source is None or call.source in source)
             and (destination is None or call.destination in destination)]
    return sum(call.moved for call in calls), len(calls)


@unittest.skipIf(witness.why_not(), witness.why_not())
class Serving(ServeTest):
    def serve_traced(self, *options):
        return Traced(self, *options)

    def get(self, data, *options, fields=()):
        """One GET by a kept connection, and the log's line of it."""
        server = self.serve_traced(*options)
        file = self.make("root/f", data)
        peer = server.talk()
        answer = peer.get("/f", *fields)
        peer.close()
        run, lines = server.finish()
        self.assertEqual(len(lines), 1)
        self.assertEqual(lines[0]["bytes"], len(answer.body))
        return answer, run, lines[0], witness.path(file)

    def test_a_small_file_is_one_send_with_its_head(self):
        answer, run, line, file = self.get(SMALL)
        self.assertSameBytes(answer.body, SMALL)
        sent, calls = moved(run, WRITES, destination=witness.any_socket)
        self.assertEqual((sent, calls), (line["head_bytes"] + len(SMALL), 1))
        self.assertEqual(moved(run, READS, source=file)[0], len(SMALL))
        self.assertEqual(moved(run, ["sendfile", "splice"]), (0, 0))
        self.assertEqual(line["class"], "user")
        self.assertIn("read_write", line["legs"])

    def by_reference(self, data, answer, run, line, file):
        self.assertSameBytes(answer.body, data)
        self.assertEqual(line["class"], "kernel")
        sent, _ = moved(run, WRITES, destination=witness.any_socket)
        self.assertEqual(sent, line["head_bytes"])
        looks, calls = moved(run, READS, source=file)
        self.assertEqual(looks, calls)  # a byte each, whether the disk would sleep: nothing is copied
        self.assertLess(looks, 64)
        by_sendfile, _ = moved(run, ["sendfile"], file, witness.any_socket)
        by_splice, _ = moved(run, ["splice"], destination=witness.any_socket)
        self.assertEqual(by_sendfile + by_splice, len(data))
        for name, count in (("sendfile", by_sendfile), ("splice_pipe", by_splice)):
            self.assertEqual(f"{name}:{count}" in line["legs"], count > 0, line["legs"])

    def test_a_large_file_is_all_by_reference(self):
        self.by_reference(LARGE, *self.get(LARGE))

    def test_whether_the_disk_would_sleep_is_asked_once_per_turn(self):
        answer, run, _, file = self.get(LARGE)
        self.assertSameBytes(answer.body, LARGE)
        looks = [call for call in run.calls if call.name in READS and call.source in file]
        self.assertLessEqual(len(looks), len(LARGE) // MEBIBYTE + 2)

    def test_one_of_medium_size_too(self):
        self.by_reference(MEDIUM, *self.get(MEDIUM))

    def test_even_a_small_one_where_that_is_required(self):
        self.by_reference(SMALL, *self.get(SMALL, "--require", "kernel"))

    def test_a_range_is_all_by_reference(self):
        answer, run, line, file = self.get(LARGE, fields=["Range: bytes=1000000-3999999"])
        self.by_reference(LARGE[1_000_000:4_000_000], answer, run, line, file)

    def test_of_several_ranges_only_what_stands_between_is_written(self):
        server = self.serve_traced()
        file = witness.path(self.make("root/f", LARGE))
        answer = server.talk().get("/f", "Range: bytes=0-999999,2000000-2999999")
        self.assertIn(LARGE[2_000_000:3_000_000], answer.body)
        run, lines = server.finish()
        sent, _ = moved(run, WRITES, destination=witness.any_socket)
        by_kernel = (moved(run, ["sendfile"], file, witness.any_socket)[0]
                     + moved(run, ["splice"], destination=witness.any_socket)[0])
        self.assertEqual(by_kernel, 2_000_000)
        self.assertEqual(sent, lines[0]["head_bytes"] + lines[0]["bytes"] - by_kernel)
        self.assertEqual(lines[0]["class"], "kernel")

    def test_stable_is_read(self):
        answer, run, line, file = self.get(LARGE, "--stable")
        read = sum(call.moved for call in run.calls
                   if call.name in READS and call.source in file and call.moved > 1)  # no looks
        self.assertEqual(read, len(LARGE))
        self.assertEqual(moved(run, ["sendfile", "splice"]), (0, 0))
        self.assertEqual((line["class"], line["evidence"]), ("user", "read"))

    def test_a_head_has_no_body(self):
        server = self.serve_traced()
        file = witness.path(self.make("root/f", LARGE))
        server.talk().ask("HEAD", "/f")
        run, lines = server.finish()
        self.assertEqual(moved(run, WRITES, destination=witness.any_socket)[0], lines[0]["head_bytes"])
        self.assertEqual(moved(run, ["sendfile", "splice"]), (0, 0))
        self.assertEqual(moved(run, READS, source=file)[0], 0)

    def test_an_upload_is_spliced_but_for_what_came_with_its_head(self):
        server = self.serve_traced("--upload", "--require", "kernel")
        answer = server.talk().put("/new", LARGE)
        self.assertEqual(answer.status, 201)
        self.assertContent(os.path.join(server.root, "new"), LARGE)
        run, lines = server.finish()
        written, _ = moved(run, WRITES, destination=witness.inside(server.root))
        taken, _ = moved(run, ["splice"], source=witness.any_socket)
        given, _ = moved(run, ["splice"], destination=witness.inside(server.root))
        self.assertEqual(taken, given)
        self.assertEqual(written + given, len(LARGE))
        self.assertEqual(lines[0]["received"], len(LARGE))
        self.assertEqual(lines[0]["class"], "kernel")
        self.assertIn(f"splice_pipe:{given}", lines[0]["legs"])

    def test_an_upload_in_chunks_is_read_and_written(self):
        server = self.serve_traced("--upload")
        peer = server.talk()
        peer.send("PUT /new HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for at in range(0, len(LARGE), 1 << 16):
            piece = LARGE[at:at + (1 << 16)]
            peer.send(f"{len(piece):x}\r\n", piece, "\r\n")
        peer.send("0\r\n\r\n")
        self.assertEqual(peer.answer("PUT").status, 201)
        run, lines = server.finish()
        self.assertEqual(moved(run, WRITES, destination=witness.inside(server.root))[0], len(LARGE))
        self.assertEqual(moved(run, ["splice"]), (0, 0))
        self.assertEqual((lines[0]["class"], lines[0]["received"]), ("user", len(LARGE)))


@unittest.skipIf(witness.why_not(), witness.why_not())
class EndToEnd(ServeTest):
    """put, serve and get together, each under `--require kernel`."""

    def ours(self, *arguments):
        report = self.path("report-it.json")
        run = witness.run([HEADRACE, *arguments, "--report", "json", "--report-file", report],
                          report_file=report)
        self.assertEqual(run.status, 0, run.stderr)
        self.assertEqual(run.report["class"], "kernel")
        return run

    def test_no_byte_of_a_body_enters_user_space(self):
        server = self.serve("--upload", "--require", "kernel", "--log", self.path("log"),
                            "--log-format", "json")
        source = self.make("source", LARGE)
        put = self.ours("put", "--require", "kernel", source, f"{server.url}f")
        faults = witness.check_report(put, witness.path(source), witness.any_socket)
        self.assertEqual([fault for fault in faults if not of_heads(fault, put)], [])
        self.assertEqual(moved(put, READS, source=witness.path(source))[0], 0)
        get = self.ours("get", "--require", "kernel", f"{server.url}f", self.path("fetched"))
        self.assertContent(self.path("fetched"), LARGE)
        spliced, _ = moved(get, ["splice"], destination=witness.path(self.path("fetched.part")))
        written, _ = moved(get, WRITES, destination=witness.path(self.path("fetched.part")))
        self.assertEqual(spliced + written, len(LARGE))
        legs = tool.moved_by(get.report)
        self.assertEqual((legs["splice_pipe"], legs.get("memory", 0)), (spliced, written))
        server.signal(signal.SIGTERM)
        self.assertStatus(server.finish(), 0)
        with open(self.path("log"), encoding="ascii") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual([(line["method"], line["class"]) for line in lines],
                         [("PUT", "kernel"), ("GET", "kernel")])


def of_heads(fault, run):
    """The head of a request is sent, and no leg tells of it: it is no part of the body."""
    return fault == f"sendto moved {run.report['head_bytes']} bytes, of which no leg tells"


@unittest.skipIf(witness.why_not(), witness.why_not())
class Lost(ServeTest):
    """The kernel says no to its own ways: everybody hears of it, and who required them is refused."""

    DENIED = ["-f", "-e", "trace=sendfile,splice", "-e", "inject=sendfile,splice:error=ENOSYS"]

    def serve_denied(self, *options):
        self.make_folder("root")
        self.make("root/f", LARGE)
        return self.serve("--log", self.path("log"), "--log-format", "json", *options,
                          wrap=tool.strace(*self.DENIED))

    def line(self, server):
        # strace passes no signal on: the tool is its child.
        subprocess.run(["pkill", "-TERM", "-P", str(server.pid)], check=True)
        self.assertStatus(server.finish(), 0)
        with open(self.path("log"), encoding="ascii") as file:
            return json.loads(file.readline())

    @tool.needs("pkill")
    def test_an_answer_goes_on_by_reading_and_says_so(self):
        server = self.serve_denied()
        self.assertSameBytes(self.talk_to(server).get("/f").body, LARGE)
        line = self.line(server)
        self.assertEqual(line["class"], "user")
        self.assertRegex(line["legs"], rf"\b\w+:0:refused .*read_write:{len(LARGE)}$")
        self.assertIn("Function not implemented", line["trouble"])

    @tool.needs("pkill")
    def test_an_answer_that_must_not_is_none(self):
        server = self.serve_denied("--require", "kernel")
        # The kernel says so when it is asked for the body, so the head is out: there it ends.
        peer = self.talk_to(server)
        with self.assertRaises((ConnectionResetError, Closed)):
            peer.get("/f")
        self.assertNotIn(LARGE[:100], peer.ahead)
        line = self.line(server)
        self.assertEqual(line["bytes"], 0)
        self.assertIn("sendfile: Function not implemented", line["trouble"])
        self.assertIn("refused", line["trouble"])

    def test_an_answer_that_cannot_be_what_is_required_is_500(self):
        server = self.serve("--require", "shared", "--log", self.path("log"),
                            "--log-format", "json")
        self.make("root/f", LARGE)
        self.assertEqual(self.talk_to(server).get("/f").status, 500)
        server.signal(signal.SIGTERM)
        self.assertStatus(server.finish(), 0)
        with open(self.path("log"), encoding="ascii") as file:
            self.assertIn("below-required-class", file.read())

    def clients(self, *options):
        """(put, get) against a server that is well."""
        server = self.serve("--upload")
        self.make("root/f", LARGE)
        wrap = tool.strace(*self.DENIED)
        put = self.run_tool("put", *options, self.make("source", LARGE), f"{server.url}new",
                            json_report=True, wrap=wrap)
        get = self.run_tool("get", *options, f"{server.url}f", self.path("fetched"),
                            json_report=True, wrap=wrap)
        return server, put, get

    def test_clients_go_on_by_reading_and_say_so(self):
        server, put, get = self.clients()
        self.assertContent(server.path("new"), LARGE)
        self.assertContent(self.path("fetched"), LARGE)
        for done in (put, get):
            self.assertStatus(done, 0)
            self.assertEqual(done.report["class"], "user")
            self.assertIn("refused-when-tried", [entry["reason"] for entry in done.report["refused"]])

    def test_clients_that_must_not_are_refused(self):
        server, put, get = self.clients("--require", "kernel")
        self.assertStatus(put, 3)
        self.assertStatus(get, 3)
        self.assertFalse(os.path.exists(server.path("new")))
        self.assertFalse(os.path.exists(self.path("fetched")))


if __name__ == "__main__":
    tool.main()
