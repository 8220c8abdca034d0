"""explain: the plan, every method passed over, the facts, the contract - and nothing is touched."""
# labels: strace

import json
import os
import unittest

import tool
from http_server import Server
from tool import ToolTest, content

DATA = content(100_000)


def first_of(plan):
    first = plan["usable"][0]
    return first if isinstance(first, str) else first["method"]


class Pairs(ToolTest):
    def explain(self, source, destination, *options, status=0, **more):
        done = self.run_tool("explain", *options, source, destination, **more)
        self.assertStatus(done, status)
        return done.out.decode()

    def test_every_method_is_in_the_plan_or_passed_over_with_a_reason(self):
        out = self.explain(self.make("a", DATA), self.path("b"))
        for method in tool.all_methods():
            self.assertIn(method, out)
        self.assertIn("no-end-is-a-pipe", out)
        self.assertIn("contract", out)
        self.assertOnly("a")

    def test_it_is_the_plan_that_copy_carries_out(self):
        source = self.make("a", DATA)
        plan = json.loads(self.explain(source, self.path("b"), "--report", "json"))
        done = self.run_tool("copy", source, self.path("b"), json_report=True)
        names = [entry if isinstance(entry, str) else entry["method"] for entry in plan["usable"]]
        self.assertEqual(done.report["legs"][0]["method"], names[0])

    def test_an_existing_destination_is_left_alone(self):
        there = self.make("b", b"old")
        before = os.stat(there)
        self.explain(self.make("a", DATA), there)
        self.assertEqual(os.stat(there), before)

    def test_addresses(self):
        out = self.explain(self.make("a", DATA), "127.0.0.1:9")
        self.assertIn("sendfile", out)
        self.assertIn(tool.congestion_control() if tool.congestion_control() != "bbr" else "reno", out)
        out = self.explain("127.0.0.1:9", self.path("b"))
        self.assertIn("splice_pipe", out)
        self.explain(self.make("a", DATA), "unix:/nowhere")
        self.explain(self.make("a", DATA), "localhost:9")

    def test_a_url_as_destination_is_what_put_would_do(self):
        large, small = self.make("a", DATA), self.make("small", DATA[:65536])
        out = self.explain(large, "http://127.0.0.1:9/a")
        self.assertIn("plan: sendfile (kernel)", out)
        self.assertIn("contract     guarded", out)
        self.assertIn("http://127.0.0.1:9/a: tcp", out)
        out = self.explain(small, "http://127.0.0.1:9/")  # one send with its head
        self.assertIn("plan: read_write (user)", out)
        self.assertIn("contract     stable", out)
        out = self.explain(small, "http://127.0.0.1:9/", "--require", "kernel")
        self.assertIn("plan: sendfile (kernel)", out)
        self.assertOnly("a", "small")

    def test_it_is_the_plan_that_put_carries_out(self):
        for size in (0, 1, 65536, 65537, 5_000_000):
            with self.subTest(size=size), Server(lambda peer: (peer.request(), peer.answer(201))) as server:
                source = self.make("a", content(size))
                plan = json.loads(self.explain(source, server.url(), "--report", "json"))
                done = self.run_tool("put", source, server.url(), json_report=True)
                self.assertStatus(done, 0)
                self.assertEqual(plan["contract"]["name"], done.report["contract"]["name"])
                if size:  # of nothing, nothing moves
                    self.assertEqual(next(iter(tool.moved_by(done.report))), first_of(plan))
                self.assertEqual({entry["method"] for entry in plan["refused"]},
                                 {entry["method"] for entry in done.report["refused"]})

    def test_a_body_without_a_length_goes_in_chunks(self):
        out = self.explain(self.make_fifo("p"), "http://127.0.0.1:9/a")
        self.assertIn("plan: chunked_send (user)", out)
        for method in tool.all_methods():
            self.assertRegex(out, rf"passed over +{method}: body-in-chunks")
        self.explain(self.path("p"), "http://127.0.0.1:9/a", "--require", "kernel", status=3)

    def test_a_url_as_source_is_what_get_would_do(self):
        out = self.explain("http://127.0.0.1:9/a", self.path("b"))
        self.assertIn("plan: splice_pipe (kernel)", out)
        self.assertIn("contract     live", out)
        self.assertOnly()

    def test_a_url_is_connected_to_by_nobody(self):
        server = self.listener()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/a"
        self.explain(url, self.path("b"))
        self.explain(self.make("a", DATA), url)
        server.setblocking(False)
        self.assertRaises(BlockingIOError, server.accept)

    def test_https_is_not_offered(self):
        for ends in (("https://localhost/a", self.path("b")),
                     (self.make("a", DATA), "https://localhost:9/")):
            plan = json.loads(self.explain(*ends, "--report", "json", status=3))
            self.assertEqual(plan["usable"], [])
            self.assertEqual({entry["reason"] for entry in plan["refused"]}, {"scheme-not-offered"})
            self.assertEqual([entry["method"] for entry in plan["refused"]], tool.all_methods())

    def test_urls_that_are_none(self):
        for url, words in (("ftp://localhost/a", "ftp"), ("http:///a", "host"),
                           ("http://a:b@localhost/", "user")):
            with self.subTest(url):
                done = self.run_tool("explain", url, self.path("b"))
                self.assertStatus(done, 1, url, words)
        done = self.run_tool("explain", "http://localhost/a", "http://localhost/b")
        self.assertStatus(done, 2, "name a file")

    def test_standard_input_and_output(self):
        out = self.explain("-", "-", stdin=self.pipe()[0])
        self.assertIn("pipe", out)
        self.assertIn("stable", self.explain(self.make("a", DATA), "-"))

    def test_a_file_that_appends(self):
        with open(self.path("log"), "ab") as output:
            done = self.run_tool("explain", self.make("a", DATA), "-", stdout=output)
        self.assertStatus(done, 0)
        with open(self.path("log"), encoding="utf-8") as log:
            self.assertIn("destination-appends", log.read())

    def test_wishes_are_part_of_the_plan(self):
        source = self.make("a", DATA)
        out = self.explain(source, self.path("b"), "--method", "read_write")
        self.assertIn("not-named", out)
        out = self.explain(source, "-", "--stable", "--require", "kernel", status=3)
        self.assertIn("below-required-class", out)

    def test_what_is_not_there(self):
        done = self.run_tool("explain", self.path("none"), self.path("b"))
        self.assertStatus(done, 1, self.path("none"), "No such file")
        done = self.run_tool("explain", self.make("a", DATA), self.path("none/b"))
        self.assertStatus(done, 1, "does not exist")

    def test_a_device_and_a_fifo(self):
        self.explain("/dev/zero", "/dev/null")
        self.explain(self.make("a", DATA), self.make_fifo("p"))

    @tool.needs("strace")
    def test_a_fifo_is_not_opened(self):
        # Its writer would write, and what it wrote would be gone when we close.
        fifo, trace = self.make_fifo("p"), self.path("trace")
        wrap = ["strace", "-qq", "-o", trace, "-P", fifo, "-e", "trace=open,openat"]
        for pair in ((fifo, "/dev/null"), (self.make("a", DATA), fifo)):
            self.assertIn("pipe", self.explain(*pair, wrap=wrap))
            with open(trace, encoding="utf-8") as lines:
                self.assertEqual(lines.read(), "")

    def test_a_fifo_keeps_its_writer_waiting(self):
        fifo = self.make_fifo("p")
        writer = self.program("sh", "-c", 'exec echo kept > "$0"', fifo)
        tool.until(lambda: tool.asleep_in(writer.pid), "it waits for a reader")
        self.explain(fifo, "/dev/null")
        self.assertEqual(self.program("cat", fifo).finish().out, b"kept\n")
        self.assertStatus(writer.finish(), 0)

    def test_a_terminal_is_known_without_being_opened(self):
        terminal = tool.Terminal()
        self.addCleanup(terminal.close)
        name = os.ttyname(terminal.slave)
        self.assertRegex(self.explain(name, "/dev/null"), rf"source +{name}: terminal")
        self.assertRegex(self.explain(self.make("a", DATA), name), rf"destination +{name}: terminal")

    def test_a_device_that_is_no_terminal(self):
        self.assertIn("/dev/full: character-device", self.explain(self.make("a", DATA), "/dev/full"))

    def test_a_socket_is_told_apart(self):
        server = tool.socket.socket(tool.socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(self.path("s"))
        done = self.run_tool("explain", self.path("s"), "/dev/null")
        self.assertStatus(done, 1, "is a socket", "unix:" + self.path("s"))
        self.assertIn("unix-stream", self.explain("unix:" + self.path("s"), "/dev/null"))

    @unittest.skipUnless(tool.IS_ROOT, "needs root to become somebody else")
    def test_a_fifo_of_others_is_refused_as_by_copy(self):
        fifo = self.make_fifo("p")
        os.chmod(fifo, 0o600)
        for pair in ((fifo, "/dev/null"), ("/dev/null", fifo)):
            done = self.run_tool("explain", *pair, user=tool.NOBODY)
            self.assertStatus(done, 1, "Permission denied")

    def test_goes_to_a_file_or_nowhere(self):
        source, there = self.make("a", DATA), self.path("report-plan")
        out = self.explain(source, "/dev/null")
        self.assertEqual(self.explain(source, "/dev/null", "--report-file", there), "")
        self.assertContent(there, out.encode())
        self.assertEqual(self.explain(source, "/dev/null", "--report", "none"), "")
        self.assertEqual(self.explain(source, "/dev/null", "--report", "none", "--report-file",
                                      self.path("b")), "")
        self.assertOnly("a")
        self.assertEqual(self.explain(source, "/dev/null", "--require", "shared", "--report", "none",
                                      status=3), "")

    def test_a_file_that_takes_no_plan_is_told(self):
        done = self.run_tool("explain", "--report-file", "/dev/full", "/dev/zero", "/dev/null")
        self.assertStatus(done, 1, "/dev/full", "No space left on device")


class Lists(ToolTest):
    def test_methods(self):
        done = self.run_tool("explain", "--methods")
        self.assertStatus(done, 0)
        lines = done.out.decode().splitlines()
        self.assertEqual({line.split()[0] for line in lines}
                         >= {"reflink", "copy_file_range", "sendfile", "splice", "splice_pipe",
                             "read_write"}, True)
        for line in lines:
            self.assertIn(line.split()[1], ("shared", "kernel", "user"))

    def test_methods_as_json(self):
        done = self.run_tool("explain", "--methods", "--report", "json")
        self.assertStatus(done, 0)
        methods = json.loads(done.out)["methods"]
        self.assertEqual([method["name"] for method in methods], tool.all_methods())
        for method in methods:
            self.assertEqual(list(method), ["name", "class", "summary"])
            self.assertIn(method["class"], ("shared", "kernel", "user"))

    def test_kernel_as_json(self):
        done = self.run_tool("explain", "--kernel", "--report", "json", cwd=self.folder)
        self.assertStatus(done, 0)
        json_kernel = json.loads(done.out)
        self.assertEqual(json_kernel["kernel"]["release"], os.uname().release)
        for offer in json_kernel["offers"]:
            self.assertEqual(list(offer), ["name", "offered", "detail"])
            self.assertIn(offer["offered"], (True, False, None))
        names = [offer["name"] for offer in json_kernel["offers"]]
        self.assertLessEqual({"O_TMPFILE", "FICLONE", "sendfile", "io_uring"}, set(names))

    def test_lists_go_to_a_file_or_nowhere(self):
        for option in ("--methods", "--kernel"):
            with self.subTest(option):
                there = self.path("report-list")
                out = self.run_tool("explain", option, cwd=self.folder).out
                done = self.run_tool("explain", option, "--report-file", there, cwd=self.folder)
                self.assertStatus(done, 0)
                self.assertEqual(done.out, b"")
                self.assertContent(there, out)
                done = self.run_tool("explain", option, "--report", "none", cwd=self.folder)
                self.assertStatus(done, 0)
                self.assertEqual(done.out, b"")

    def test_kernel(self):
        done = self.run_tool("explain", "--kernel", cwd=self.folder)
        self.assertStatus(done, 0)
        out = done.out.decode()
        self.assertIn(os.uname().release, out)
        for name in ("O_TMPFILE", "FICLONE", "copy_file_range", "sendfile", "splice", "io_uring",
                     "kernel TLS", "congestion control"):
            self.assertRegex(out, rf"(?m)^  {name} +(yes|no)\b")
        self.assertIn(tool.congestion_control(), out)
        self.assertOnly()

    @tool.needs("strace")
    def test_kernel_finds_out_by_trying(self):
        wrap = tool.strace("-e", "trace=sendfile", "-e", "inject=sendfile:error=ENOSYS")
        done = self.run_tool("explain", "--kernel", wrap=wrap, cwd=self.folder)
        self.assertStatus(done, 0)
        self.assertRegex(done.out.decode(), r"(?m)^  sendfile +no: Function not implemented")

    def kernel(self, *inject, where="/proc"):
        done = self.run_tool("explain", "--kernel", wrap=tool.strace(*inject) if inject else (),
                             cwd=where)
        self.assertStatus(done, 0)
        self.assertNotIn("Bad file descriptor", done.out.decode())
        return done.out.decode()

    def test_kernel_names_the_file_system_that_answers(self):
        here = r"on \w+, the file system of the working directory"
        out = self.kernel(where=self.folder)
        for name in ("O_TMPFILE", "FICLONE", "FIEMAP"):
            self.assertRegex(out, rf"(?m)^  {name} +(yes|no|unknown): .*{here}")

    def test_kernel_does_not_ask_memory_for_the_working_directory(self):
        out = self.kernel()  # where nobody can make a file
        self.assertRegex(out, r"(?m)^  O_TMPFILE +no: .*on proc")
        for name in ("FICLONE", "FIEMAP"):
            self.assertRegex(out, rf"(?m)^  {name} +unknown: not tried: no scratch file on proc")
        self.assertRegex(out, r"(?m)^  copy_file_range +yes")

    @tool.needs("strace")
    def test_kernel_without_a_scratch_file(self):
        out = self.kernel("-e", "trace=memfd_create", "-e", "inject=memfd_create:error=ENFILE")
        for name in ("copy_file_range", "sendfile", "splice", "F_SETLEASE"):
            self.assertRegex(out, rf"(?m)^  {name} +unknown: not tried: no scratch file "
                                  r"\(memfd_create: Too many open files")

    @tool.needs("strace")
    def test_kernel_without_a_pipe(self):
        out = self.kernel("-e", "trace=pipe2", "-e", "inject=pipe2:error=EMFILE")
        for name in ("sendfile", "splice", "vmsplice", "pipe of 1MiB", "RWF_NOWAIT on pipes"):
            self.assertRegex(out, rf"(?m)^  {name} +unknown: not tried: no pipe \(pipe2: Too many")


if __name__ == "__main__":
    tool.main()
