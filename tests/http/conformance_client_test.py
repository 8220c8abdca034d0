"""What RFC 9110 and RFC 9112 ask of a client that gets and puts, against servers that do as they
please; docs/http.md tells which test holds which rule."""

import os

import tool
from http_server import Server
from putting import PutTest
from tool import content

BODY = content(3000)
CREATED = (201,)


def raw(head, body=b""):
    """An answer as it stands, and no more."""
    def say(peer):
        peer.send(head + body)
    return say


class ClientTest(PutTest):
    def setUp(self):
        super().setUp()
        self.requests = []
        self.file = self.make("f", BODY)

    def serve_each(self, *answers):
        """Answers requests in order, whatever connection they come by: tuples for `Peer.answer`, or
        functions that are given the peer. Keeps what came as `self.requests`."""
        waiting = list(answers)

        def script(peer):
            while True:
                self.requests.append(peer.request())
                say = waiting.pop(0)
                if callable(say):
                    say(peer)
                else:
                    peer.answer(*say)

        self.server = Server(script)
        self.addCleanup(self.server.close)
        return self.server

    def fetch(self, *answers, path="/f", options=()):
        self.serve_each(*answers)
        return self.run_tool("get", *options, self.server.url(path), self.path("there"))

    def upload(self, *answers, times=1, options=()):
        self.serve_each(*answers)
        pairs = [part for number in range(times)
                 for part in (self.file, self.server.url(f"/{number}"))]
        return self.run_tool("put", *options, *pairs)


class Request(ClientTest):
    def test_line_and_host_are_those_of_the_url(self):
        for path, target in (("", "/"), ("/", "/"), ("/a/b", "/a/b"), ("/a?b=c&d", "/a?b=c&d"),
                             ("?q", "/?q"),
                             ("/a#part", "/a"), ("/%2e%2E/%41", "/%2e%2E/%41"), ("/a b", "/a%20b"),
                             ("/a?b#c?d", "/a?b")):
            self.assertStatus(self.fetch((200, BODY), path=path), 0)
            request = self.requests[-1]
            self.assertEqual((request.method, request.target, request.version),
                             ("GET", target, "HTTP/1.1"), path)
            self.assertEqual(request.all("host"), [f"127.0.0.1:{self.server.port}"])
            self.assertEqual(request.fields[0][0], "host")

    def test_names_a_host_as_the_url_does(self):
        self.serve_each((200, BODY))
        url = f"http://LOCALHOST:{self.server.port}/f"
        self.assertStatus(self.run_tool("get", url, self.path("there")), 0)
        self.assertEqual(self.requests[0].field("host").lower(), f"localhost:{self.server.port}")

    def test_has_nothing_around_it(self):
        seen = []

        def script(peer):
            peer.request()
            peer.answer(201, close=True)
            seen.append(peer.rest()[0])

        server = self.serve(script)
        self.assertStatus(self.run_tool("put", self.file, server.url()), 0)
        self.assertStatus(self.run_tool("put", self.make("empty"), server.url()), 0)
        self.assertEqual(seen, [b"", b""])

    def test_has_fields_once_and_of_the_right_form(self):
        self.assertStatus(self.upload(CREATED), 0)
        self.assertStatus(self.fetch((200, BODY)), 0)
        for request in self.requests:
            names = [name for name, _ in request.fields]
            self.assertEqual(len(names), len(set(names)))
            self.assertRegex(request.field("user-agent"), r"\Aheadrace/\S+\Z")
            for absent in ("referer", "te", "trailer", "upgrade", "cookie", "authorization",
                           "from"):
                self.assertNotIn(absent, names)

    def test_for_a_file_has_no_content(self):
        self.assertStatus(self.fetch((200, BODY)), 0)
        for absent in ("content-length", "transfer-encoding", "expect", "if-range", "range"):
            self.assertIsNone(self.requests[0].field(absent))

    def test_with_content_says_its_length_in_one_way(self):
        self.assertStatus(self.upload(CREATED), 0)
        self.assertEqual(self.requests[0].all("content-length"), [str(len(BODY))])
        self.assertIsNone(self.requests[0].field("transfer-encoding"))
        server = self.serve_each(CREATED)
        self.assertStatus(self.put_fed(BODY, server.url()), 0)
        self.assertEqual(self.requests[-1].all("transfer-encoding"), ["chunked"])
        self.assertIsNone(self.requests[-1].field("content-length"))
        self.assertSameBytes(self.requests[-1].body, BODY)

    def test_takes_no_field_that_would_be_two_or_another_message(self):
        for field in ("X: a\r\nY: b", "X: a\nY: b", "X: a\rb", "X\r\n: a", "X Y: a", ": a", "X",
                      "X : a",
                      "Content-Length: 1", "transfer-encoding: chunked", "Host: x",
                      "Connection: close", "TE: x",
                      "Upgrade: x", "Trailer: x", "Expect: 100-continue", "Range: bytes=0-0",
                      "If-Range: x"):
            done = self.run_tool("get", "--header", field, "http://127.0.0.1:1/f",
                                 self.path("there"))
            self.assertStatus(done, 2)

    def test_goes_to_no_url_that_is_none(self):
        for url in ("http:///f", "http://:80/f", "http://user@127.0.0.1:1/f",
                    "http://u:p@127.0.0.1:1/f",
                    "http://127.0.0.1:99999/f", "http://[::1/f", "http://a b/",
                    "http://127.0.0.1:1/a\r\nX: y", "http://127.0.0.1:1/\x01", "127.0.0.1/f"):
            done = self.run_tool("get", url, self.path("there"))
            self.assertEqual(done.status, 2, url)


class Answer(ClientTest):
    def assertFetched(self, *answers, options=()):  # noqa: N802
        self.assertStatus(self.fetch(*answers, options=options), 0)
        self.assertContent(self.path("there"), BODY)

    def test_is_found_behind_interim_ones(self):
        interim = (b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                   b"HTTP/1.1 199\r\nContent-Length: 7\r\n\r\n")
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n"
        self.assertFetched(raw(interim + head, BODY))
        self.assertStatus(self.upload(raw(interim
                                          + b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")),
                          0)

    def test_of_another_protocol_is_refused(self):
        switched = b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
        self.assertStatus(self.fetch(raw(switched)), 1)
        self.assertStatus(self.upload(raw(switched)), 1)

    def test_is_judged_by_its_class_where_its_status_is_unknown(self):
        for status, exit_status in ((299, 0), (499, 5), (599, 5), (418, 5), (444, 5)):
            self.assertStatus(self.upload((status, b"", ())), exit_status)
        self.assertFetched((299, BODY))
        for status in (499, 599):
            self.assertStatus(self.fetch((status, BODY)), 5)

    def test_is_not_judged_by_its_reason(self):
        for line in (b"HTTP/1.1 200 Not Found", b"HTTP/1.1 200 ", b"HTTP/1.1 200",
                     b"HTTP/1.1 200 \xe9\x80 \t x"):
            self.assertFetched(raw(line + b"\r\nContent-Length: 3000\r\n\r\n", BODY))

    def test_has_fields_whose_case_does_not_count(self):
        self.assertFetched(raw(b"HTTP/1.1 200 OK\r\ncOnTeNt-LeNgTh:\t 3000 \r\n\r\n", BODY))
        body = b"bb8\r\n" + BODY + b"\r\n0\r\n\r\n"
        self.assertFetched(raw(b"HTTP/1.1 200 OK\r\nTRANSFER-ENCODING: , Chunked ,\r\n\r\n", body))

    def test_in_chunks_has_extensions_and_trailers_that_count_for_nothing(self):
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        body = (b"0BB8;a=\"b;c\";d\r\n" + BODY +
                b"\r\n00;x=y\r\nContent-Length: 1\r\nETag: \"x\"\r\n\r\n")
        self.assertFetched(raw(head, body))

    def test_to_put_that_has_no_content_ends_with_its_head(self):
        """Whatever its fields say: what follows is the answer to the next request."""
        for status in (b"204 No Content", b"304 Not Modified"):
            done = self.upload(raw(b"HTTP/1.1 " + status + b"\r\nContent-Length: 5\r\n\r\n"),
                               CREATED, times=2)
            self.assertEqual([request.target for request in self.requests[-2:]], ["/0", "/1"])
            self.assertEqual(self.server.connections, 1)
            self.assertEqual(done.status == 0, status.startswith(b"2"), done)

    def test_without_content_fetches_nothing(self):
        self.assertStatus(self.fetch((204,)), 0)
        self.assertContent(self.path("there"), b"")

    def test_that_ends_early_is_not_complete(self):
        for head, body in ((b"Content-Length: 3001", BODY),
                           (b"Transfer-Encoding: chunked", b"bb8\r\n" + BODY),
                           (b"Transfer-Encoding: chunked", b"bb8\r\n" + BODY + b"\r\n0\r\n")):
            def end(peer, said=b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n" + body):
                peer.send(said)
                peer.socket.shutdown(1)

            self.assertStatus(self.fetch(end), 1)
            self.assertFalse(os.path.exists(self.path("there")))
            os.unlink(self.path("there.part"))
            os.unlink(self.path("there.part.json"))

    def test_with_more_than_it_declares_gives_what_it_declares(self):
        self.assertFetched(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n", BODY + b"more"))

    def test_asks_for_a_login_that_nobody_has(self):
        for status, field in ((401, "WWW-Authenticate"), (407, "Proxy-Authenticate")):
            self.assertStatus(self.fetch((status, b"", [(field, "Basic realm=x")])), 5, str(status))
            self.assertEqual(len(self.requests), 1)
            self.requests.clear()

    def test_in_several_ranges_is_no_continuation(self):
        self.make("there.part", BODY[:1000])
        self.serve_each((206, b"--x--", [("Content-Type", "multipart/byteranges; boundary=x")]),
                        (200, BODY))
        url = self.server.url()
        with open(self.path("there.part.json"), "w", encoding="ascii") as file:
            file.write(f'{{"url": "{url}", "validator": "\\"v\\"", "total": 3000}}')
        self.assertStatus(self.run_tool("get", "--resume", url, self.path("there")), 0)
        self.assertContent(self.path("there"), BODY)
        self.assertEqual([request.field("range") for request in self.requests],
                         ["bytes=1000-", None])

    def test_with_a_weak_validator_is_not_continued_by_it(self):
        def end(peer):
            peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 3000\r\nETag: W/\"v\"\r\n\r\n"
                      + BODY[:1000])
            peer.socket.shutdown(1)

        self.assertStatus(self.fetch(end), 1)
        self.serve_each((200, BODY), (200, BODY))
        with open(self.path("there.part.json"), encoding="ascii") as file:
            self.assertNotIn("W/", file.read())
        self.assertStatus(self.run_tool("get", "--resume", self.server.url(), self.path("there")),
                          0)
        self.assertContent(self.path("there"), BODY)
        for request in self.requests:
            self.assertIsNone(request.field("if-range"))


class Connections(ClientTest):
    def test_serve_one_request_after_the_other(self):
        self.assertStatus(self.upload(*[CREATED] * 5, times=5), 0)
        self.assertEqual(self.server.connections, 1)

    def test_that_the_server_will_close_serve_no_other(self):
        for head in (b"HTTP/1.1 201 Created\r\nConnection: close\r\n",
                     b"HTTP/1.1 201 Created\r\nconnection: x, Close\r\n",
                     b"HTTP/1.1 201 Created\r\nConnection: ,x\r\nConnection: close,\r\n",
                     b"HTTP/1.0 201 Created\r\n"):
            closing = raw(head + b"Content-Length: 0\r\n\r\n")
            self.assertStatus(self.upload(closing, closing, times=2), 0)
            self.assertEqual(self.server.connections, 2, head)

    def test_of_http_1_0_go_on_where_it_says_so(self):
        kept = raw(b"HTTP/1.0 201 Created\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n")
        self.assertStatus(self.upload(kept, kept, times=2), 0)
        self.assertEqual(self.server.connections, 1)

    def test_whose_answer_is_not_read_to_its_end_serve_no_other(self):
        endless = raw(b"HTTP/1.1 409 Conflict\r\nContent-Length: 100000000\r\n\r\n", bytes(1 << 20))

        def script(peer):
            self.requests.append(peer.request())
            if len(self.requests) == 1:
                endless(peer)
                return
            peer.answer(201)

        server = self.serve(script)
        done = self.run_tool("put", self.file, server.url("/0"), self.file, server.url("/1"))
        self.assertStatus(done, 5, "409")
        self.assertEqual(([request.target for request in self.requests], server.connections),
                         (["/0", "/1"], 2))

    def test_that_break_are_not_used_for_a_second_try_of_what_may_have_been_done(self):
        """PUT is idempotent; it is sent again only on a kept connection that said nothing."""
        def script(peer):
            self.requests.append(peer.request())
            if peer.number == 0:
                peer.answer(201)
                self.requests.append(peer.request())

        server = self.serve(script)
        self.assertStatus(self.run_tool("put", self.file, server.url("/0"), self.file,
                                        server.url("/1")), 1)
        self.assertEqual([request.target for request in self.requests], ["/0", "/1", "/1"])


class Redirect(ClientTest):
    def targets(self, *answers, path="/a/b"):
        self.assertStatus(self.fetch(*answers, (200, BODY), path=path), 0)
        self.assertContent(self.path("there"), BODY)
        return [request.target for request in self.requests]

    def test_may_be_relative(self):
        for location, target in (("/x", "/x"), ("x", "/a/x"), ("../x", "/x"), ("./x?y", "/a/x?y"),
                                 ("?z", "/a/b?z"),
                                 ("//127.0.0.1:{port}/x", "/x"), ("http://127.0.0.1:{port}", "/"),
                                 ("/x#y", "/x")):
            def there(peer, location=location):
                peer.answer(302, b"", [("Location", location.format(port=self.server.port))])

            self.requests.clear()
            self.assertEqual(self.targets(there), ["/a/b", target], location)

    def test_of_every_kind_is_followed_by_get(self):
        for status in (301, 302, 303, 307, 308):
            self.requests.clear()
            self.assertEqual(self.targets((status, b"gone", [("Location", "/x")])), ["/a/b", "/x"])

    def test_without_end_ends(self):
        self.assertStatus(self.fetch(*[(302, b"", [("Location", "/f")])] * 100), 1,
                          "redirects too often")
        self.assertLess(len(self.requests), 30)

    def test_keeps_the_method_of_an_upload(self):
        for status in (301, 302, 307, 308):
            self.requests.clear()
            self.assertStatus(self.upload((status, b"", [("Location", "/x")]), CREATED), 0)
            self.assertEqual([(request.method, request.target) for request in self.requests],
                             [("PUT", "/0"), ("PUT", "/x")])
            self.assertSameBytes(self.requests[1].body, BODY)

    def test_with_303_changes_it(self):
        self.assertStatus(self.upload((303, b"", [("Location", "/x")]), (200, b"done")), 0)
        self.assertEqual([request.method for request in self.requests], ["PUT", "GET"])

    def test_that_is_a_choice_or_a_proxy_is_not_followed(self):
        for status in (300, 305, 306):
            self.assertNotEqual(self.fetch((status, BODY, [("Location", "/x")])).status, 0)
            self.assertEqual(len(self.requests), 1)
            self.requests.clear()


if __name__ == "__main__":
    tool.main()
