"""`get` from servers that do as they should, and from those that do not."""

import os
import signal
import socket
import stat
import threading

import tool
from getting import GetTest, cut, head, whole
from tool import content, moved_by

DATA = content(3 << 20)
BODY = content(5000, 2)


def chunked(data, size=1000, end=b"0\r\n\r\n"):
    start = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = (b"%x\r\n%s\r\n" % (len(data[at:at + size]), data[at:at + size])
              for at in range(0, len(data), size))
    return cut(start, b"".join(chunks) + end)


class Content(GetTest):
    def fetched(self, data, *options):
        done = self.get_as(0, *options)
        self.assertContent(self.there, data)
        self.assertOnly("f")
        self.assertEqual(done.report["bytes"], len(data))
        return done

    def test_goes_to_the_file_by_the_kernel(self):
        self.serve(whole(DATA))
        done = self.fetched(DATA)
        request = self.requests[0]
        self.assertEqual((request.method, request.target), ("GET", "/f"))
        self.assertEqual(request.field("accept-encoding"), "identity")
        self.assertIsNone(request.field("range"))
        self.assertEqual(done.report["class"], "kernel")
        self.assertEqual(done.report["http"]["status"], 200)
        self.assertEqual(done.report["http"]["validator"], '"v1"')
        self.assertEqual(sum(moved_by(done.report).values()), len(DATA))

    def test_that_came_with_the_head_is_a_leg_of_its_own(self):
        def answer(peer):
            peer.send(head(len(DATA)) + DATA[:100])
            peer.send(DATA[100:])

        self.serve(answer)
        done = self.fetched(DATA)
        legs = done.report["legs"]
        self.assertEqual(legs[0]["method"], "memory")
        self.assertGreaterEqual(legs[0]["bytes"], 1)
        self.assertEqual(done.report["class"], "kernel")

    def test_may_be_empty(self):
        self.serve(whole(b""))
        self.fetched(b"")

    def test_without_a_body_is_empty(self):
        self.serve((204,))
        self.fetched(b"")

    def test_in_chunks_is_read(self):
        for size in (1, 7, 1000, 5000):
            with self.subTest(size):
                self.serve(chunked(BODY, size))
                done = self.fetched(BODY)
                self.assertEqual(done.report["class"], "user")
                self.assertIn("body-in-chunks", [each["reason"] for each in done.report["refused"]])

    def test_in_chunks_may_be_empty(self):
        self.serve(chunked(b""))
        self.fetched(b"")

    def test_up_to_the_end_of_the_connection_is_taken_and_doubted(self):
        self.serve(cut(b"HTTP/1.0 200 OK\r\n\r\n", BODY))
        done = self.fetched(BODY)
        self.assertNotes(done, "nothing tells whether it is all")

    def test_never_has_a_byte_more_than_declared(self):
        self.serve(cut(head(5000), BODY + b"more"))
        self.fetched(BODY)

    def test_behind_interim_answers_is_found(self):
        hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        self.serve(cut(hints * 3 + head(5000), BODY))
        self.fetched(BODY)

    def test_that_is_encoded_stays_so_and_is_told(self):
        self.serve(whole(BODY, ("Content-Encoding", "gzip")))
        self.assertNotes(self.fetched(BODY), "gzip")

    def test_goes_by_the_method_that_is_named(self):
        self.serve(whole(DATA))
        done = self.fetched(DATA, "--method", "read_write")
        self.assertEqual(moved_by(done.report).keys() - {"memory"}, {"read_write"})

    def test_can_be_required_to_go_by_the_kernel(self):
        self.serve(whole(DATA), chunked(BODY))
        self.fetched(DATA, "--require", "kernel")
        os.unlink(self.there)
        self.get_as(3, "--require", "kernel")
        self.assertOnly()

    def test_slower_than_the_limit_is_whole(self):
        self.serve(whole(BODY))
        self.fetched(BODY, "--limit-rate", "50000")

    def test_asked_for_with_fields_of_the_users(self):
        self.serve(whole(BODY))
        self.fetched(BODY, "--header", "X-Mine: yes", "--header", "Accept: text/plain")
        request = self.requests[0]
        self.assertEqual(request.field("x-mine"), "yes")
        self.assertEqual(request.all("accept"), ["text/plain"])


class File(GetTest):
    def test_is_what_it_was_until_everything_has_come(self):
        self.make("f", b"old", 0o640)
        waiting, go_on = threading.Event(), threading.Event()

        def answer(peer):
            peer.send(head(5000) + BODY[:2000])
            waiting.set()
            go_on.wait(tool.PATIENCE)
            peer.send(BODY[2000:])

        self.serve(answer)
        started = self.start("get", self.url, self.there)
        self.assertTrue(waiting.wait(tool.PATIENCE))
        tool.until(lambda: os.path.exists(self.part) and os.path.getsize(self.part), "bytes come")
        self.assertContent(self.there, b"old")
        go_on.set()
        self.assertStatus(started.finish(), 0)
        self.assertContent(self.there, BODY)
        self.assertEqual(stat.S_IMODE(os.stat(self.there).st_mode), 0o640)
        self.assertOnly("f")

    def test_may_be_a_link_that_stays_one(self):
        folder = self.make_folder("d")
        with open(os.path.join(folder, "real"), "wb") as file:
            file.write(b"old")
        os.symlink("d/real", self.there)
        self.serve(whole(BODY))
        self.get_as(0)
        self.assertTrue(os.path.islink(self.there))
        self.assertContent(os.path.join(folder, "real"), BODY)
        self.assertOnly("real", folder=folder)

    def test_of_two_downloads_is_that_of_the_first(self):
        waiting, go_on = threading.Event(), threading.Event()

        def answer(peer):
            peer.send(head(5000) + BODY[:2000])
            waiting.set()
            go_on.wait(tool.PATIENCE)
            peer.send(BODY[2000:])

        self.serve(answer)
        first = self.start("get", self.url, self.there)
        self.assertTrue(waiting.wait(tool.PATIENCE))
        tool.until(lambda: os.path.exists(self.part), "the part is there")
        self.get_as(1, words=("partial-in-use",))
        go_on.set()
        self.assertStatus(first.finish(), 0)
        self.assertContent(self.there, BODY)

    def test_of_the_users_that_is_called_like_a_part_is_left_alone(self):
        self.serve()
        self.make("f.part", b"mine")
        self.get_as(1, words=("partial-not-ours",))
        self.assertContent(self.part, b"mine")

    def test_in_no_folder_is_told_before_the_server_is_asked(self):
        self.serve()
        self.get_as(1, file=self.path("none", "f"))
        self.assertEqual(self.requests, [])


class Elsewhere(GetTest):
    def test_to_standard_output(self):
        self.serve(whole(DATA))
        done = self.run_tool("get", self.url, "-")
        self.assertStatus(done, 0)
        self.assertSameBytes(done.out, DATA)

    def test_to_standard_output_a_report_needs_another_place(self):
        self.serve()
        done = self.run_tool("get", self.url, "-", "--report", "json")
        self.assertStatus(done, 2, "--report-file")
        self.assertEqual(self.requests, [])

    def test_to_a_fifo(self):
        fifo = self.make_fifo("p")
        self.serve(whole(BODY))
        started = self.start("get", self.url, fifo)
        with open(fifo, "rb") as reader:
            self.assertSameBytes(reader.read(), BODY)
        self.assertStatus(started.finish(), 0)

    def test_to_a_device(self):
        self.serve(whole(DATA))
        done = self.get_as(0, file="/dev/null")
        self.assertEqual(done.report["bytes"], len(DATA))

    def test_an_error_writes_nothing_to_standard_output(self):
        self.serve((404, b"gone", [("Content-Type", "text/plain")]))
        done = self.run_tool("get", self.url, "-")
        self.assertStatus(done, 5, "404", "gone")
        self.assertEqual(done.out, b"")

    def test_without_offsets_nothing_is_resumed(self):
        self.serve()
        for file in ("-", "/dev/null"):
            with self.subTest(file):
                self.assertStatus(self.run_tool("get", "--resume", self.url, file), 2)
        self.assertEqual(self.requests, [])


class Failures(GetTest):
    def test_of_the_server_write_nothing_and_are_shown(self):
        self.make("f", b"old")
        for status in (400, 404, 416, 500, 503):
            with self.subTest(status):
                self.serve((status, b"because\x1b[2J", [("Content-Type", "text/plain")]))
                done = self.get_as(5, words=(str(status), "because"))
                self.assertNotIn("\x1b", done.err)
                self.assertEqual(done.report["http"]["status"], status)
                self.assertContent(self.there, b"old")
                self.assertOnly("f")

    def test_with_a_page_are_shown_without_it(self):
        self.serve((404, b"<html>gone</html>", [("Content-Type", "text/html")]))
        self.assertNotIn("<html>", self.get_as(5).err)
        self.assertOnly()

    def test_in_the_middle_keep_what_came_and_say_how_to_go_on(self):
        self.make("f", b"old")
        self.serve(cut(head(5000), BODY[:3000]))
        done = self.get_as(1, words=("3000", "--resume", "f.part"))
        self.assertEqual(done.report["bytes"], 3000)
        self.assertContent(self.there, b"old")
        self.assertPart(BODY[:3000])
        self.assertEqual(self.read_record(),
                         {"url": self.url, "validator": '"v1"', "total": 5000})

    def test_in_the_middle_of_chunks_likewise(self):
        self.serve(chunked(BODY[:3000], end=b"ff\r\n"))
        self.get_as(1, words=("--resume",))
        self.assertPart(BODY[:3000])

    def test_before_the_first_byte_leave_nothing(self):
        self.serve(cut(head(5000), b""))
        self.get_as(1)
        self.assertOnly()

    def test_by_a_reset_keep_what_came(self):
        def answer(peer):
            peer.send(head(5000) + BODY[:3000])
            tool.until(lambda: os.path.exists(self.part) and os.path.getsize(self.part) == 3000,
                       "the bytes are written")
            peer.reset()

        self.serve(answer)
        self.get_as(1, words=("--resume",))
        self.assertPart(BODY[:3000])

    def test_by_silence_keep_what_came(self):
        def answer(peer):
            peer.send(head(5000) + BODY[:3000])
            peer.rest()

        self.serve(answer)
        self.get_as(1, "--idle-timeout", "0.2", words=("--resume",))
        self.assertPart(BODY[:3000])

    def test_of_a_server_that_says_nothing(self):
        self.serve(lambda peer: peer.rest())
        self.get_as(1, "--idle-timeout", "0.2")
        self.assertOnly()

    def test_of_a_server_that_is_not_there(self):
        unused = socket.socket()
        unused.bind(("127.0.0.1", 0))
        self.addCleanup(unused.close)
        self.url = f"http://127.0.0.1:{unused.getsockname()[1]}/f"
        self.get_as(1)
        self.assertOnly()

    def test_of_the_message_are_refused(self):
        heads = {
            "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            "two framings":
                b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            "no number": b"HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n",
            "no HTTP": b"220 smtp ready\r\n\r\n",
            "a head without end": b"HTTP/1.1 200 OK\r\nX: " + bytes(b"x" * 100_000),
            "another protocol": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
            "a range that nobody asked for":
                b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/5\r\n"
                b"Content-Length: 5\r\n\r\n",
            "304 of nothing": b"HTTP/1.1 304 Not Modified\r\n\r\n",
        }
        for name, lines in heads.items():
            with self.subTest(name):
                self.serve(cut(lines, b"01234"))
                self.get_as(1)
                self.assertOnly()

    def test_by_a_signal_keep_what_came(self):
        def answer(peer):
            peer.send(head(5000) + BODY[:3000])
            peer.rest()

        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                self.serve(answer)
                started = self.start("get", self.url, self.there)
                tool.until(lambda: os.path.exists(self.part) and os.path.getsize(self.part) == 3000,
                           "the bytes are written")
                started.signal(number)
                self.assertStatus(started.finish(tool.WATCHDOG), 128 + number, "--resume")
                self.assertPart(BODY[:3000])
                os.unlink(self.part)


class Redirects(GetTest):
    def to(self, where, status=302):
        return (status, b"", [("Location", where)])

    def test_are_followed(self):
        for status in (301, 302, 303, 307, 308):
            with self.subTest(status):
                self.requests = []
                self.serve(self.to("other?x", status), whole(BODY), path="/d/f")
                done = self.get_as(0)
                self.assertContent(self.there, BODY)
                targets = [request.target for request in self.requests]
                self.assertEqual(targets, ["/d/f", "/d/other?x"])
                self.assertEqual(len(done.report["http"]["hops"]), 1)

    def test_without_end_are_not(self):
        self.serve(*[self.to("/f")] * 12)
        self.get_as(1, words=("too often",))
        self.assertEqual(len(self.requests), 11)
        self.assertOnly()

    def test_to_nowhere_are_told(self):
        for where in ("", "gopher://x/", "http://[bad/"):
            with self.subTest(where):
                self.serve(self.to(where) if where else (302,))
                self.get_as(1)
                self.assertOnly()

    def test_to_another_server_take_no_secrets_along(self):
        self.serve(whole(BODY))
        there = self.url
        self.serve(self.to(there))
        self.get_as(0, "--header", "Authorization: secret", "--header", "X-Mine: yes")
        first, second = self.requests
        self.assertEqual(first.field("authorization"), "secret")
        self.assertIsNone(second.field("authorization"))
        self.assertEqual(second.field("x-mine"), "yes")


class Names(GetTest):
    def fetch(self, *options):
        return self.run_tool("get", *options, self.url, cwd=self.folder)

    def test_are_the_last_segment_decoded(self):
        for path, name in (("/a/b", b"b"), ("/a%20b", b"a b"), ("/a%253ab", b"a%3ab"),
                           ("/-rf", b"-rf"), ("/-", b"-"), ("/%ff", b"\xff"), ("/x?y=/z", b"x"), ("/a%23b", b"a#b")):
            with self.subTest(path):
                self.serve(whole(BODY), path=path)
                self.assertStatus(self.fetch(), 0)
                self.assertEqual(os.listdir(os.fsencode(self.folder)), [name])
                os.unlink(os.path.join(os.fsencode(self.folder), name))

    def test_with_escapes_that_are_none_are_told(self):
        for bad in ("%zz", "%", "a%4", "a?%zz"):
            done = self.run_tool("get", f"http://127.0.0.1:1/{bad}", self.there)
            self.assertStatus(done, 2, "hexadecimal", bad)

    def test_that_are_none_must_be_given(self):
        self.serve()
        for path in ("/", "/a/", "/..", "/%2e%2e", "/a%2fb", "/%00"):
            with self.subTest(path):
                self.url = self.url.split("/", 3)[0] + "//" + self.url.split("/")[2] + path
                self.assertStatus(self.fetch(), 2, "FILE")
        self.assertEqual(self.requests, [])
        self.assertOnly()

    def disposed(self, value):
        self.serve(whole(BODY, ("Content-Disposition", value)), path="/url")
        return self.fetch("--content-disposition")

    def test_of_the_server_count_only_on_request(self):
        field = ("Content-Disposition", 'attachment; filename="named"')
        self.serve(whole(BODY, field), path="/url")
        self.assertStatus(self.fetch(), 0)
        self.assertOnly("url")

    def test_of_the_server_are_no_paths_and_hide_nothing(self):
        for value, name in (('attachment; filename="named"', "named"),
                            ('attachment; filename="/etc/passwd"', "passwd"),
                            ('attachment; filename="../../up"', "up"),
                            ('attachment; filename=".bashrc"', "bashrc"),
                            ("attachment; filename*=UTF-8''a%2Fb", "b"),
                            ("attachment", "url"),
                            ('attachment; filename=".."', "url")):
            with self.subTest(value):
                self.assertStatus(self.disposed(value), 0)
                self.assertOnly(name)
                os.unlink(self.path(name))

    def test_of_the_server_replace_nothing(self):
        self.make("named", b"mine")
        self.assertStatus(self.disposed('attachment; filename="named"'), 1, "destination-exists")
        self.assertContent(self.path("named"), b"mine")
        self.assertOnly("named")

    def test_of_the_server_are_none_where_file_is_given(self):
        self.serve()
        self.assertStatus(self.run_tool("get", "--content-disposition", self.url, self.there), 2)
        self.assertStatus(self.fetch("--content-disposition", "--resume"), 2)
        self.assertEqual(self.requests, [])

    def test_as_long_as_can_be_are_taken(self):
        name = "x" * 255
        self.serve(whole(BODY), path="/" + name)
        self.assertStatus(self.fetch(), 0)
        self.assertOnly(name)


if __name__ == "__main__":
    tool.main()
