"""One message, one length: what can be read in two ways is refused in both roles, its connection is
closed, and what stands behind it is never taken for a message of its own."""

import contextlib
import os
import re
import socket

import tool
from http_server import Server
from putting import PutTest
from raw import RawTest, head

CHUNKED = "Transfer-Encoding: chunked"
SMUGGLED = head("PUT /smuggled", "Content-Length: 1") + "x" + head("GET /smuggled")


def put(*fields, version="1.1"):
    return head(f"PUT /new HTTP/{version}", *fields)


def with_lines(lines):
    """A head that has these bytes between its first line and its last fields."""
    return f"GET /f HTTP/1.1\r\n{lines}Host: localhost\r\n\r\n"


class Requests(RawTest):
    OPTIONS = ("--upload",)

    def assertAllRefused(self, vectors):  # noqa: N802
        """{what is said: the statuses it may get}: once each, with one line in the log each."""
        expected = []
        for said, statuses in vectors.items():
            with self.subTest(said[:120]):
                statuses = statuses if isinstance(statuses, tuple) else (statuses,)
                expected.append(self.assertRefused(said + SMUGGLED, *statuses).status)
        lines = self.logged()
        self.assertEqual([line["status"] for line in lines], expected)
        for line in lines:
            self.assertNotIn("smuggled", line["target"] or "")
            self.assertTrue(line["refusal"], line)
        self.assertOnly("f", folder=self.path("root"))

    def test_with_two_framings(self):
        self.assertAllRefused({
            put("Content-Length: 5", CHUNKED): 400,
            put(CHUNKED, "Content-Length: 5"): 400,
            put("Content-Length: 0", CHUNKED): 400,
            put(CHUNKED, "content-length: 0"): 400,
            put("Content-Length: 5", "Transfer-Encoding: identity"): 400,
            put("Content-Length: 5", "Transfer-Encoding:"): 400,
            put(CHUNKED, version="1.0"): 400,
            head("GET /f", "Content-Length: 5", CHUNKED): 400,
        })

    def test_with_two_lengths(self):
        self.assertAllRefused({
            put("Content-Length: 5", "Content-Length: 6"): 400,
            put("Content-Length: 5", "Content-Length: 5"): 400,
            put("Content-Length: 5", "content-length: 0"): 400,
            put("Content-Length: 5, 6"): 400,
            put("Content-Length: 5, 5"): 400,
            put("Content-Length: ,5"): 400,
            head("GET /f", "Content-Length: 0", "Content-Length: 5"): 400,
        })

    def test_with_a_length_that_is_none(self):
        self.assertAllRefused({put(f"Content-Length:{value}"): 400 for value in (
            " +5", " -5", " -0", " 0x5", " 5x", " x", "", " ", " 5 5", " 5;", " 5.0", " 5e0",
            " '5'", ' "5"',
            " 18446744073709551616", " 18446744073709551621", " 9223372036854775808", " "
            + "9" * 400,
            " \x0b5", " 5\x0c", " \xb2", " 5\xa0")})

    def test_with_a_coding_that_is_not_clear(self):
        self.assertAllRefused({
            put("Transfer-Encoding: chunked, chunked"): 400,
            put(CHUNKED, CHUNKED): 400,
            put("Transfer-Encoding: chunked, gzip"): 400,
            put("Transfer-Encoding: gzip, chunked"): 501,
            put("Transfer-Encoding: xchunked"): 400,
            put("Transfer-Encoding: chunkedx"): 400,
            put("Transfer-Encoding: \"chunked\""): 400,
            put("Transfer-Encoding: chunked;x=y"): 400,
            put("Transfer-Encoding: chun ked"): 400,
            put("Transfer-Encoding: chunked\xa0"): 400,
            put("Transfer-Encoding: \x0bchunked"): 400,
            put("Transfer-Encoding: chunked\x0c"): 400,
            put("Transfer-Encoding: chunked\x00"): 400,
            put("Transfer-Encoding: identity"): 400,
            put("Transfer-Encoding:"): 400,
        })

    def test_with_names_that_are_not_clear(self):
        self.assertAllRefused({with_lines(line + "\r\n"): 400 for line in (
            "Content-Length : 5", "Content-Length\t: 5", "Transfer-Encoding : chunked",
            " Content-Length: 5",
            "\tContent-Length: 5", "Content Length: 5", ": 5", " : 5", "nocolon", "(x): y",
            "X\x80: y", "X\xe9: y",
            "X\x00: y", "X\x7f: y", "Content-Length\x00: 5", "X@Y: z", "\"X\": y", "X[]: y",
            "X;Y: z")})

    def test_with_lines_that_are_folded(self):
        self.assertAllRefused({with_lines(lines): 400 for lines in (
            "X: a\r\n b\r\n", "X: a\r\n\tb\r\n", "X:\r\n b\r\n", "X: a\r\n \r\n", " X: a\r\n",
            "\tX: a\r\n",
            "Transfer-Encoding:\r\n chunked\r\n", "Content-Length: 5\r\n 5\r\n")})

    def test_with_lines_that_end_in_another_way(self):
        self.assertAllRefused({said: 400 for said in (
            with_lines("X: a\n"), with_lines("X: a\r"), with_lines("X: a\rY: b\r\n"),
            with_lines("X: a\r\r\n"),
            with_lines("X: a\n\r\n"), with_lines("\n"), with_lines("X: a\x00b\r\n"),
            with_lines("X: a\x0bb\r\n"),
            with_lines("X: a\x7fb\r\n"), with_lines("X: a\x1bb\r\n"),
            "GET /f HTTP/1.1\nHost: localhost\n\n",
            "GET /f HTTP/1.1\rHost: localhost\r\r", "GET /f\r HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /f\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET\x00 /f HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "\r\n\r\n\r\n" + head("GET /f"), "\n" + head("GET /f"))})

    def test_with_a_first_line_that_is_none(self):
        self.assertAllRefused({said: statuses for line, statuses in (
            ("GET  /f HTTP/1.1", 400), ("GET\t/f HTTP/1.1", 400), ("GET /f\tHTTP/1.1", 400),
            (" GET /f HTTP/1.1", 400),
            ("GET /f  HTTP/1.1", 400), ("GET /f HTTP/1.1 ", 400), ("GET /a b HTTP/1.1", 400),
            ("GET  HTTP/1.1", 400),
            ("GET /f http/1.1", 400), ("GET /f HTTP/1.", 400), ("GET /f HTTP/11", 400),
            ("GET /f HTTP/1.1x", 400),
            ("GET /f HTTP/-1.1", 400), ("GET /f HTTP/2.0", 505), ("GET /f", 400), ("GET", 400),
            ("G(T /f HTTP/1.1", 400), ("G\xe9T /f HTTP/1.1", 400),
            ("\x16\x03\x01\x02 /f HTTP/1.1", 400),
        ) for said in (f"{line}\r\nHost: localhost\r\n\r\n",)})

    def test_that_are_too_large(self):
        self.assertAllRefused({
            head("GET /" + "x" * 70_000): 414,
            "X" * 70_000: 414,
            with_lines("X: " + "y" * 70_000 + "\r\n"): 431,
            with_lines("X" * 70_000 + ": y\r\n"): 431,
            with_lines("X: y\r\n" * 300): 431,
            with_lines("X: y\r\n" * 20_000): 431,
        })

    def test_in_chunks_that_are_none(self):
        size = [f"{size}\r\nx\r\n0\r\n\r\n" for size in (
            "", "z", "-1", "+1", "0x1", " 1", "1,", "1 1", "1\x00", "\xb9", "1\x0b",
            "00000000000000001",
            "10000000000000001", "ffffffffffffffff", "fffffffffffffffff", "8000000000000001")]
        form = ["1\nx\r\n0\r\n\r\n", "1\r\nx\n0\r\n\r\n", "1\r\nxx\r\n0\r\n\r\n", "1\r\nx0\r\n\r\n",
                "1\rx\r\n0\r\n\r\n", "1;a\nx\r\n0\r\n\r\n", "1;a\rb\r\nx\r\n0\r\n\r\n",
                "1;a\x00\r\nx\r\n0\r\n\r\n",
                "1\r\nx\r\n0\n\r\n", "1\r\nx\r\n0\r\n\n", "1\r\nx\r\n0\r\nA: b\n\r\n",
                "1\r\nx\r\n0\r\nA: \x00\r\n\r\n"]
        long = [f"1;{'e' * 5000}\r\nx\r\n0\r\n\r\n", f"1\r\nx\r\n0\r\nA: {'t' * 20_000}\r\n\r\n",
                "1\r\nx\r\n0\r\n" + "A: b\r\n" * 5000 + "\r\n"]
        self.assertAllRefused({put(CHUNKED) + body: 400 for body in size + form + long})

    def test_for_other_hosts(self):
        """Not a question of framing: the connection may go on, for this host."""
        for line, host in (("GET http://other.example/f", "localhost"), ("GET /f", "other.example"),
                           ("GET http://localhost.other.example/f", "localhost"),
                           ("GET /f", "127.0.0.1.nip.io")):
            peer = self.say(head(line, host=host), head("GET /f"))
            self.assertEqual([peer.answer().status for _ in range(2)], [421, 200], line)
        self.assertRefused(head("PUT http://other.example/f", "Content-Length: 400") + SMUGGLED,
                           421)
        self.assertEqual([line["status"] for line in self.logged()], [421, 200] * 4 + [421])

    def test_whose_content_nobody_wants_leave_nothing_behind(self):
        """What was to be content is never heard as a request, whether it has come or not."""
        size = f"Content-Length: {len(SMUGGLED)}"
        chunk = f"{len(SMUGGLED):x}\r\n{SMUGGLED}\r\n0\r\n\r\n"
        vectors = [(line, fields, body, status) for fields,
                   body in ((size, SMUGGLED), (CHUNKED, chunk))
                   for line,
                   status in (("PUT /none/f", 409), ("PUT /.f", 403), ("POST /f", 405),
                              ("FROB /f", 501),
                                        ("GET /f", 200), ("HEAD /f", 200), ("GET /none", 404),
                              ("OPTIONS *", 200),
                                        ("DELETE /f", 405), ("PUT /f", 417),
                              ("CONNECT localhost:1", 405))]
        for line, fields, body, status in vectors:
            more = ("Expect: x",) if status == 417 else ()
            peer = self.say(head(line, fields, *more), body, SMUGGLED)
            self.assertEqual(peer.answer(line.split(" ")[0]).status, status, line)
            self.assertEqual(self.answers(peer), [], line)
        self.assertEqual([line["status"] for line in self.logged()], [each[3] for each in vectors])
        self.assertOnly("f", folder=self.path("root"))

    def test_do_not_harm_the_next_connection(self):
        for said in (b"\x00" * 100_000, os.urandom(100_000), b"\r\n" * 50_000, b"GET " * 30_000,
                     b"\xff" * 10):
            peer = self.say(said)
            peer.socket.shutdown(socket.SHUT_WR)
            self.answers(peer)
            self.assertEqual(self.ask("GET /f").body, b"0123456789")


class Log(RawTest):
    """A line is a line, whatever a client says in its head."""

    HOSTILE = ('"', '\\', '" 200 99 "-" "forged', '\\" 200', "\x80\xff", "\xe2\x80\xa8",
               "%0d%0aforged", "${x}", "\t",
               "<script>", "{\"status\":200}", "' OR 1", "%00", "%1b[31m")

    def say_all(self):
        for text in self.HOSTILE:
            if " " not in text and "\t" not in text:
                self.ask(f"GET /{text}")
            self.ask("GET /f", f"User-Agent: {text}", f"Referer: {text}")
        for refused in ("X: \r forged", "X: \n forged", "X: \x1b[31m", "GET /\x1b[31m"):
            self.answers(self.say(head("GET /f", refused)))

    def test_as_json(self):
        self.say_all()
        lines = self.logged()  # each parsed as one object
        self.assertEqual(len(lines),
                         sum(1 for text in self.HOSTILE if " " not in text and "\t" not in text)
                         + len(self.HOSTILE) + 4)
        keys = {tuple(line) for line in lines}
        self.assertEqual(len(keys), 1, "every line has the same members")
        agents = [line["user_agent"] for line in lines if line["user_agent"]]
        for text in ('" 200 99 "-" "forged', "\\", "%0d%0aforged", "\u2028"):
            self.assertIn(text, agents)

    def test_combined(self):
        log = self.path("combined")
        self.server = self.serve("--threads", "1", "--log", log)
        self.say_all()
        self.server.signal(15)
        self.assertEqual(self.server.finish().status, 0)
        with open(log, "rb") as file:
            lines = file.read().split(b"\n")[:-1]
        quoted = rb'"(?:[^"\\]|\\x[0-9a-f]{2}|\\["\\])*"'
        form = re.compile(rb"\S+ - - \[[^\]]+\] " + quoted + rb" \d{3} \d+ " + quoted + rb" "
                          + quoted + rb" .*")
        for line in lines:
            self.assertRegex(line, rb"\A[ -~]*\Z")
            self.assertRegex(line, form)
        self.assertEqual(sum(b" 200 99 " in re.sub(quoted, b"", line) for line in lines), 0)


def answer(*fields, body=b"01234", status="200 OK", version="1.1"):
    lines = [f"HTTP/{version} {status}", *fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


TWO_READINGS = {
    "length and coding": answer("Content-Length: 5", CHUNKED, body=b"5\r\n01234\r\n0\r\n\r\n"),
    "coding and length": answer(CHUNKED, "Content-Length: 5", body=b"5\r\n01234\r\n0\r\n\r\n"),
    "two lengths": answer("Content-Length: 5", "Content-Length: 6"),
    "a list of lengths": answer("Content-Length: 5, 6"),
    "a length with a sign": answer("Content-Length: +5"),
    "a negative length": answer("Content-Length: -5"),
    "a hexadecimal length": answer("Content-Length: 0x5"),
    "a length too large": answer("Content-Length: 18446744073709551621"),
    "an empty length": answer("Content-Length:"),
    "coding in 1.0": answer(CHUNKED, version="1.0", body=b"5\r\n01234\r\n0\r\n\r\n"),
    "chunked twice": answer("Transfer-Encoding: chunked, chunked", body=b"5\r\n01234\r\n0\r\n\r\n"),
    "another coding": answer("Transfer-Encoding: gzip"),
    "space before the colon": answer("Content-Length : 5"),
    "no name": answer(": 5"),
    "a fold first": answer(" X: y"),
    "bare CR": answer("X: a\rContent-Length: 5"),
    "bare LF": b"HTTP/1.1 200 OK\nContent-Length: 5\n\n01234",
    "NUL": answer("X: \0", "Content-Length: 5"),
    "a status of two digits": answer("Content-Length: 5", status="20 OK"),
    "a status of four digits": answer("Content-Length: 5", status="2000 OK"),
    "no status": answer("Content-Length: 5", status=""),
    "a version that is none": answer("Content-Length: 5", version="1.1.1"),
    "version 2": answer("Content-Length: 5", version="2.0"),
    "lower case": b"http/1.1 200 OK\r\nContent-Length: 5\r\n\r\n01234",
    "a head too large": answer("X: " + "y" * 70_000, "Content-Length: 5"),
    "too many fields": answer(*["X: y"] * 300, "Content-Length: 5"),
}

NO_CHUNKS = {name: answer(CHUNKED, body=body) for name, body in {
    "no size": b"\r\n01234\r\n0\r\n\r\n",
    "a sign": b"+5\r\n01234\r\n0\r\n\r\n",
    "a minus": b"-5\r\n01234\r\n0\r\n\r\n",
    "0x": b"0x5\r\n01234\r\n0\r\n\r\n",
    "17 digits": b"10000000000000005\r\n01234\r\n0\r\n\r\n",
    "overflow": b"ffffffffffffffff\r\n01234\r\n0\r\n\r\n",
    "bare LF": b"5\n01234\r\n0\r\n\r\n",
    "data too long": b"5\r\n012345\r\n0\r\n\r\n",
    "no end of data": b"5\r\n012340\r\n\r\n",
    "extension too long": b"5;" + b"e" * 5000 + b"\r\n01234\r\n0\r\n\r\n",
    "trailer too long": b"5\r\n01234\r\n0\r\nX: " + b"t" * 20_000 + b"\r\n\r\n",
    "no last chunk": b"5\r\n01234\r\n",
    "no end of the trailer": b"5\r\n01234\r\n0\r\n",
}.items()}


def half_close(peer):
    with contextlib.suppress(OSError):  # a client that has refused is gone
        peer.socket.shutdown(socket.SHUT_WR)


class Answers(PutTest):
    """What a client makes of them: an error, one connection, closed, and nothing of them kept."""

    def server_of(self, said):
        def script(peer):
            peer.request()
            peer.send(said)
            half_close(peer)
            peer.rest()

        server = Server(script)
        self.addCleanup(server.close)
        return server

    def test_to_get_are_refused(self):
        for name, said in (TWO_READINGS | NO_CHUNKS).items():
            with self.subTest(name):
                server = self.server_of(said)
                done = self.run_tool("get", server.url(), self.path("there"))
                self.assertStatus(done, 1)
                self.assertFalse(os.path.exists(self.path("there")), name)
                self.assertEqual(server.connections, 1)
                for left in ("there.part", "there.part.json"):
                    if os.path.exists(self.path(left)):
                        os.unlink(self.path(left))

    def test_to_put_are_refused(self):
        for name, said in TWO_READINGS.items():
            with self.subTest(name):
                server = self.server_of(said)
                self.assertStatus(self.run_tool("put", self.make("f", b"body"), server.url()), 1)
                self.assertEqual(server.connections, 1)

    def test_that_nobody_asked_for_answer_nothing(self):
        """What stands behind an answer is not the answer to the next request."""
        requests = []

        def script(peer):
            requests.append(peer.request())
            peer.send(answer("Content-Length: 0", status="201 Created", body=b""))
            if peer.number == 0:
                peer.send(answer("Content-Length: 0", status="201 Smuggled", body=b""))
            peer.rest()

        server = self.serve(script)
        file = self.make("f", b"body")
        done = self.run_tool("put", file, server.url("/a"), file, server.url("/b"))
        self.assertStatus(done, 0)
        self.assertNotIn("Smuggled", done.err)
        self.assertEqual([request.target for request in requests], ["/a", "/b"])
        self.assertEqual(server.connections, 2)

    def test_with_folds_are_joined(self):
        self.get_from(answer("X: a\r\n b\r\n\tc", "Content-Length: 5"), b"01234")

    def get_from(self, said, body):
        server = self.server_of(said)
        self.assertStatus(self.run_tool("get", server.url(), self.path("there")), 0)
        self.assertContent(self.path("there"), body)


if __name__ == "__main__":
    tool.main()
