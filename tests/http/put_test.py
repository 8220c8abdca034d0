"""`put`: what a server gets, and what the report says of it."""

import os
import signal
import subprocess
import threading

import tool
from http_server import Ended
from putting import PutTest
from tool import HEADRACE, content, moved_by

DATA = content(3 << 20)
SMALL = content(1000, 2)


class Requests(PutTest):
    def one(self, data, *options, path="/f"):
        server, requests = self.serve_answers((201,))
        done = self.put(*options, self.make("f", data), server.url(path))
        self.assertStatus(done, 0)
        self.assertEqual(len(requests), 1)
        self.assertSameBytes(requests[0].body, data)
        return requests[0], done.report

    def test_has_the_length_of_the_file_and_its_bytes(self):
        request, report = self.one(DATA, "--expect", "never")
        self.assertEqual((request.method, request.target, request.version),
                         ("PUT", "/f", "HTTP/1.1"))
        self.assertEqual(request.length, len(DATA))
        self.assertRegex(request.field("user-agent"), r"^headrace/\d")
        self.assertRegex(request.field("host"), r"^127\.0\.0\.1:\d+$")
        self.assertEqual([name for name, _ in request.fields],
                         ["host", "user-agent", "content-length"])
        self.assertEqual(report["bytes"], len(DATA))
        self.assertEqual(report["acknowledged"], len(DATA))
        self.assertEqual(report["class"], "kernel")
        self.assertEqual(report["contract"]["name"], "guarded")
        self.assertEqual(report["http"]["status"], 201)
        self.assertEqual(report["http"]["attempts"], 1)

    def test_of_an_empty_file_has_the_length_0(self):
        request, report = self.one(b"")
        self.assertEqual(request.all("content-length"), ["0"])
        self.assertIsNone(request.field("transfer-encoding"))
        self.assertEqual(report["bytes"], 0)

    def test_of_a_small_file_is_stable_without_being_asked(self):
        _, report = self.one(SMALL)
        self.assertEqual(moved_by(report), {"read_write": len(SMALL)})
        self.assertEqual(report["contract"]["name"], "stable")

    def test_takes_the_kernel_path_at_any_size_where_it_is_required(self):
        _, report = self.one(SMALL, "--require", "kernel")
        self.assertEqual(report["class"], "kernel")

    def test_takes_the_method_that_is_named(self):
        _, report = self.one(DATA, "--method", "sendfile")
        self.assertEqual(moved_by(report), {"sendfile": len(DATA)})

    def test_of_a_range_has_its_length(self):
        server, requests = self.serve_answers((201,))
        done = self.put("--range", "1000:2000000", self.make("f", DATA), server.url())
        self.assertStatus(done, 0)
        self.assertSameBytes(requests[0].body, DATA[1000:2001000])

    def test_by_a_rate_is_the_same(self):
        _, report = self.one(content(200000), "--limit-rate", "2MB")
        self.assertEqual(report["bytes"], 200000)

    def test_has_the_fields_that_are_asked_for(self):
        request, _ = self.one(SMALL, "--header", "Content-Type: text/plain", "--header",
                              "X-One:1", "--header", "User-Agent: me")
        self.assertEqual(request.all("content-type"), ["text/plain"])
        self.assertEqual(request.all("x-one"), ["1"])
        self.assertEqual(request.all("user-agent"), ["me"])


class Names(PutTest):
    def named(self, name, path="/d/"):
        server, requests = self.serve_answers((201,))
        self.assertStatus(self.put(self.make(name, b"x"), server.url(path)), 0)
        return requests[0]

    def test_follow_a_url_that_ends_in_a_slash(self):
        self.assertEqual(self.named("a b").target, "/d/a%20b")

    def test_stand_before_a_query(self):
        self.assertEqual(self.named("f", "/d/?x=/").target, "/d/f?x=/")

    def test_add_no_line_to_the_head(self):
        request = self.named("a\r\nX-Injected: 1")
        self.assertEqual(request.target, "/d/a%0D%0AX-Injected%3A%201")
        self.assertIsNone(request.field("x-injected"))

    def test_of_any_bytes_are_encoded(self):
        self.assertEqual(self.named(os.fsdecode(b"\xc3\xa4%#?\xff;")).target,
                         "/d/%C3%A4%25%23%3F%FF%3B")

    def test_of_standard_input_there_is_none(self):
        self.assertStatus(self.put("-", "http://127.0.0.1:1/d/"), 2, "no name")


class Mistakes(PutTest):
    def test_are_told_before_anything_is_opened(self):
        file = self.make("f", SMALL)
        url = "http://127.0.0.1:1/f"
        self.assertStatus(self.put(file), 2, "no URL")
        self.assertStatus(self.put(file, url, file), 2, "no URL")
        self.assertStatus(self.put(file, "ftp://127.0.0.1/f"), 2)
        self.assertStatus(self.put(file, "127.0.0.1/f"), 2)
        for bad in ("%zz", "%", "%4", "a?%zz"):
            self.assertStatus(self.put(file, f"http://127.0.0.1:1/{bad}"), 2, "hexadecimal", bad)
        self.assertStatus(self.put("--expect", "maybe", file, url), 2, "maybe")
        self.assertStatus(self.put("--method", "magic", file, url), 2, "magic")
        for line in ("X", "X Y: 1", ": 1", "A: b\r\nC: d", "Host: x", "Content-Length: 1",
                     "Transfer-Encoding: chunked", "Expect: 100-continue"):
            self.assertStatus(self.put("--header", line, file, url), 2, "--header")

    def test_of_the_range_are_told(self):
        self.assertStatus(self.put("--range", "5000:", self.make("f", SMALL),
                                   "http://127.0.0.1:1/f"), 2, "ends at 1000")

    def test_https_is_not_offered(self):
        self.assertStatus(self.put(self.make("f", SMALL), "https://127.0.0.1:1/f"), 1, "https")

    def test_a_server_that_is_not_there_is_named(self):
        done = self.put(self.make("f", SMALL), "http://127.0.0.1:1/f")
        self.assertStatus(done, 1, "refused", "http://127.0.0.1:1/f")
        self.assertEqual(done.report["http"]["status"], None)


class Chunks(PutTest):
    def test_carry_standard_input(self):
        server, requests = self.serve_answers((201,))
        done = self.put_fed(DATA, server.url())
        self.assertStatus(done, 0)
        self.assertEqual(requests[0].all("transfer-encoding"), ["chunked"])
        self.assertIsNone(requests[0].field("content-length"))
        self.assertSameBytes(requests[0].body, DATA)
        self.assertEqual(done.report["bytes"], len(DATA))
        self.assertEqual(done.report["class"], "user")
        self.assertIn("body-in-chunks", {each["reason"] for each in done.report["refused"]})

    def test_carry_nothing_where_nothing_comes(self):
        server, requests = self.serve_answers((201,))
        self.assertStatus(self.put_fed(b"", server.url()), 0)
        self.assertEqual(requests[0].all("transfer-encoding"), ["chunked"])
        self.assertEqual(requests[0].body, b"")

    def test_carry_a_fifo(self):
        server, requests = self.serve_answers((201,))
        fifo = self.make_fifo("fifo")
        started = self.start("put", fifo, server.url())
        with open(fifo, "wb") as writer:
            writer.write(DATA)
        self.assertStatus(started.finish(), 0)
        self.assertSameBytes(requests[0].body, DATA)

    def test_carry_a_file_that_is_made_when_read(self):
        server, requests = self.serve_answers((201,))
        self.assertStatus(self.put("/proc/version", server.url()), 0)
        with open("/proc/version", "rb") as file:
            self.assertEqual(requests[0].body, file.read())

    def test_are_refused_where_the_kernel_is_required(self):
        seen = {}

        def script(peer):
            seen["all"], _ = peer.rest()

        server = self.serve(script)
        done = self.put_fed(DATA, "--require", "kernel", server.url())
        server.close()
        self.assertStatus(done, 3, "chunk")
        self.assertEqual(seen["all"], b"")

    def test_are_not_needed_where_standard_input_is_a_file(self):
        server, requests = self.serve_answers((201,))
        with open(self.make("f", DATA), "rb") as file:
            file.seek(1000)
            done = self.put("-", server.url(), stdin=file)
        self.assertStatus(done, 0)
        self.assertEqual(requests[0].length, len(DATA) - 1000)
        self.assertSameBytes(requests[0].body, DATA[1000:])


class ManyFiles(PutTest):
    def files(self):
        return [self.make(name, content(50000 * (at + 1), at)) for at, name in enumerate("abc")]

    def test_go_by_one_connection(self):
        server, requests = self.serve_answers((201,), (204,), (201,))
        files = self.files()
        done, told = self.put_many(*(end for name in files for end in (name, server.url("/d/"))))
        self.assertStatus(done, 0)
        self.assertEqual(server.connections, 1)
        self.assertEqual([each.target for each in requests], ["/d/a", "/d/b", "/d/c"])
        for name, each in zip(files, requests):
            self.assertContent(name, each.body)
        self.assertEqual([each["http"]["reused"] for each in told], [False, True, True])

    def test_have_a_report_each(self):
        server, _ = self.serve_answers((201,), (500,), (201,))
        ends = [end for name in self.files() for end in (name, server.url("/d/"))]
        done = subprocess.run([HEADRACE, "put", *ends, "--report", "json"], capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, 5)
        self.assertEqual(done.stdout.count(b"\n"), 3)
        self.assertIn(b"500", done.stderr)

    def test_are_not_held_up_by_one_that_cannot_be_read(self):
        server, requests = self.serve_answers((201,))
        done = self.run_tool("put", self.path("none"), server.url("/d/"), self.make("b", SMALL),
                             server.url("/d/"))
        self.assertStatus(done, 1, "none")
        self.assertEqual([each.target for each in requests], ["/d/b"])


class ChangedSources(PutTest):
    """The file changes when a part of it has come; the rest is far more than any buffer holds."""

    SIZE = 48 << 20
    FIRST = 1 << 20

    def changed(self, change, *options):
        file = self.make_sparse("f", self.SIZE, {0: b"a", self.SIZE - 1: b"z"})
        seen = {}

        def script(peer):
            request = peer.head()
            seen["length"] = request.length
            seen["first"] = peer.take(self.FIRST)
            change(file)
            try:
                seen["body"] = seen["first"] + peer.take(request.length - self.FIRST)
            except Ended as ended:
                seen["end"] = str(ended)
                return
            peer.answer(201)
            seen["more"], _ = peer.rest()

        server = self.serve(script, receive_buffer=1 << 16)
        done = self.put("--expect", "never", *options, file, server.url())
        server.close()
        return done, seen

    def append(self, file):
        with open(file, "ab") as more:
            more.write(b"more")

    def assertIncomplete(self, done, seen, words):  # noqa: N802
        self.assertStatus(done, 4, words)
        self.assertNotIn("body", seen)
        self.assertIn("end", seen)
        self.assertLess(done.report["bytes"], self.SIZE)

    def test_that_grew_are_not_completed(self):
        done, seen = self.changed(self.append)
        self.assertIncomplete(done, seen, "grew")

    def test_that_shrank_are_not_completed(self):
        done, seen = self.changed(lambda file: os.truncate(file, self.FIRST))
        self.assertIncomplete(done, seen, "shrank")

    def test_that_shrank_are_not_completed_under_live(self):
        done, seen = self.changed(lambda file: os.truncate(file, self.FIRST), "--live")
        self.assertStatus(done, 4)
        self.assertNotIn("body", seen)

    def test_that_grew_give_not_a_byte_more_under_live(self):
        done, seen = self.changed(self.append, "--live")
        self.assertStatus(done, 0)
        self.assertEqual(seen["length"], self.SIZE)
        self.assertEqual(len(seen["body"]), self.SIZE)
        self.assertEqual(seen["more"], b"")

    def test_that_changed_while_the_server_was_asked_are_not_sent(self):
        file = self.make("f", DATA)
        seen = {}

        def script(peer):
            peer.head()
            self.append(file)
            peer.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            seen["rest"], _ = peer.rest()

        server = self.serve(script)
        done = self.put("--expect", "always", file, server.url())
        server.close()
        self.assertStatus(done, 4, "grew")
        self.assertEqual(seen["rest"], b"")


class Interruptions(PutTest):
    def interrupted(self, file, number, *options, read):
        """The signal comes when the server has read so much of the request."""
        seen, came, sent = {}, threading.Event(), threading.Event()

        def script(peer):
            read(peer)
            came.set()
            sent.wait(tool.PATIENCE)
            seen["rest"], seen["end"] = peer.rest()

        server = self.serve(script, receive_buffer=1 << 16)
        started = self.start("put", *options, file, server.url(), json_report=True)
        self.assertTrue(came.wait(tool.PATIENCE))
        started.signal(number)
        sent.set()
        done = started.finish()
        server.close()
        return done, seen

    def test_leave_the_message_incomplete(self):
        file = self.make_sparse("f", 48 << 20)

        def read(peer):
            peer.head()
            peer.take(1000)

        done, seen = self.interrupted(file, signal.SIGINT, "--expect", "never", read=read)
        self.assertStatus(done, 130, "interrupted")
        self.assertLess(len(seen["rest"]), (48 << 20) - 1000)
        self.assertEqual(seen["end"], "reset")

    def test_end_the_wait_for_an_answer(self):
        done, _ = self.interrupted(self.make("f", SMALL), signal.SIGTERM,
                                   read=lambda peer: peer.request())
        self.assertStatus(done, 143, "interrupted")


if __name__ == "__main__":
    tool.main()
