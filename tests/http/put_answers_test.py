"""`put` and what servers say to it: asked first, redirecting, early, late, never."""

import threading

import tool
from putting import PutTest
from tool import content

DATA = content(3 << 20)
SMALL = content(1000, 2)
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Expectations(PutTest):
    def asked(self, size, *options):
        server, requests = self.serve_answers((201,))
        self.assertStatus(self.put(*options, self.make_sparse("f", size), server.url()), 0)
        return requests[0].expects

    def test_are_made_where_much_would_be_sent_in_vain(self):
        self.assertFalse(self.asked(1 << 20))
        self.assertTrue(self.asked((1 << 20) + 1))

    def test_are_made_where_the_body_can_be_sent_only_once(self):
        server, requests = self.serve_answers((201,))
        self.assertStatus(self.put_fed(SMALL, server.url()), 0)
        self.assertTrue(requests[0].expects)

    def test_are_made_as_asked(self):
        self.assertTrue(self.asked(1, "--expect", "always"))
        self.assertFalse(self.asked(4 << 20, "--expect", "never"))
        self.assertFalse(self.asked(0, "--expect", "always"))

    def test_that_fail_are_not_repeated(self):
        seen = []

        def script(peer):
            request = peer.head()
            seen.append(request)
            if request.expects:
                peer.answer(417, close=True)
                return
            request.body = peer.body(request)
            peer.answer(201)

        server = self.serve(script)
        done = self.put(self.make("f", DATA), server.url())
        self.assertStatus(done, 0)
        self.assertEqual([each.expects for each in seen], [True, False])
        self.assertSameBytes(seen[1].body, DATA)
        self.assertEqual(done.report["http"]["attempts"], 2)

    def test_that_nobody_answers_are_made_once(self):
        requests = []

        def script(peer):
            while True:
                request = peer.head()
                request.body = peer.take(request.length)
                requests.append(request)
                peer.answer(201)

        server = self.serve(script)
        file = self.make("f", DATA)
        self.assertStatus(self.put_many(file, server.url(), file, server.url())[0], 0)
        self.assertEqual([each.expects for each in requests], [True, False])
        for each in requests:
            self.assertSameBytes(each.body, DATA)

    def late(self, answers, send):
        """The server says so little, so late: when the body is under way."""
        seen = {}

        def script(peer):
            request = peer.head()
            chunked = request.field("transfer-encoding")
            first = b"" if chunked else peer.take(100000)
            for answer in answers:
                peer.send(answer)
            seen["body"] = peer.chunks() if chunked else first + peer.take(request.length - 100000)
            peer.answer(201)

        server = self.serve(script, receive_buffer=1 << 16)
        done = send(server.url())
        server.close()
        self.assertStatus(done, 0)
        self.assertEqual(done.report["http"]["status"], 201)
        return seen["body"]

    INTERIM = (CONTINUE, b"HTTP/1.1 102 Processing\r\n", b"X: 1\r\n\r\nHTTP/1.1 10",
               b"3 Early Hints\r\n\r\n")

    def test_may_be_answered_late(self):
        data = content(20 << 20)
        file = self.make("f", data)
        body = self.late(self.INTERIM, lambda url: self.put("--expect", "never", file, url))
        self.assertSameBytes(body, data)

    def test_of_chunks_may_be_answered_late(self):
        data = content(20 << 20)
        body = self.late(self.INTERIM, lambda url: self.put_fed(data, "--expect", "never", url))
        self.assertSameBytes(body, data)


class Redirects(PutTest):
    def test_send_the_file_again(self):
        for status in (301, 302, 307, 308):
            server, requests = self.serve_answers((status, b"moved", [("Location", "/g?x")]), (201,))
            done = self.put(self.make("f", DATA), server.url())
            self.assertStatus(done, 0)
            self.assertEqual([(each.method, each.target) for each in requests],
                             [("PUT", "/f"), ("PUT", "/g?x")])
            self.assertSameBytes(requests[1].body, DATA)
            http = done.report["http"]
            self.assertEqual((http["attempts"], http["hops"]), (2, [server.url("/g?x")]))
            self.assertEqual(done.report["bytes"], len(DATA))

    def test_lead_to_other_servers(self):
        there, requests = self.serve_answers((201,))
        here, _ = self.serve_answers((308, b"", [("Location", there.url("/g"))]))
        self.assertStatus(self.put("--header", "Authorization: secret", "--header", "X: 1",
                                   self.make("f", SMALL), here.url()), 0)
        self.assertSameBytes(requests[0].body, SMALL)
        self.assertIsNone(requests[0].field("authorization"))
        self.assertEqual(requests[0].field("x"), "1")

    def test_with_303_are_followed_by_get(self):
        server, requests = self.serve_answers((303, b"", [("Location", "/status")]), (200, b"well"))
        done = self.put(self.make("f", SMALL), server.url())
        self.assertStatus(done, 0)
        self.assertEqual([(each.method, each.body) for each in requests],
                         [("PUT", SMALL), ("GET", b"")])
        self.assertEqual(requests[1].target, "/status")
        self.assertIsNone(requests[1].field("content-length"))
        self.assertEqual(done.report["http"]["status"], 200)
        self.assertEqual(done.report["bytes"], len(SMALL))

    def test_with_303_need_no_second_body(self):
        server, requests = self.serve_answers((303, b"", [("Location", "/status")]), (404, b"lost"))
        done = self.put_fed(DATA, server.url())
        self.assertStatus(done, 5, "404", "lost")
        self.assertEqual([each.method for each in requests], ["PUT", "GET"])

    def test_without_end_are_not_followed_for_ever(self):
        answers = [(307, b"", [("Location", f"/{at}")]) for at in range(50)]
        server, requests = self.serve_answers(*answers)
        self.assertStatus(self.put(self.make("f", SMALL), server.url()), 1, "too often")
        self.assertEqual(len(requests), 11)

    def test_to_nowhere_are_told(self):
        for fields, words in (([], "where"), ([("Location", "http://[")], "no http URL"),
                              ([("Location", "ftp://x/")], "no http URL"),
                              ([("Location", "https://127.0.0.1:1/")], "https")):
            server, _ = self.serve_answers((307, b"", fields))
            self.assertStatus(self.put(self.make("f", SMALL), server.url()), 1, words)

    def test_of_what_cannot_be_read_again_fail(self):
        server, requests = self.serve_answers((308, b"", [("Location", "/g")]))
        self.assertStatus(self.put_fed(DATA, server.url()), 1, "again")
        self.assertEqual(len(requests), 1)

    def test_before_the_body_are_followed_even_with_what_can_be_sent_once(self):
        requests = []

        def script(peer):
            request = peer.head()
            requests.append(request)
            if request.target == "/f":
                peer.answer(307, fields=[("Location", "/g")], close=True)
                return
            request.body = peer.body(request)
            peer.answer(201)

        server = self.serve(script)
        self.assertStatus(self.put_fed(DATA, server.url()), 0)
        self.assertEqual(len(requests), 2)
        self.assertSameBytes(requests[1].body, DATA)


class EarlyAnswers(PutTest):
    SIZE = 64 << 20

    def early(self, send, *options):
        seen = {}

        def script(peer):
            peer.head()
            send(peer)
            seen["body"], _ = peer.rest()

        server = self.serve(script, receive_buffer=1 << 16)
        done = self.put("--expect", "never", *options, self.make_sparse("f", self.SIZE), server.url())
        server.close()
        self.assertLess(done.report["bytes"], self.SIZE // 2, "little more than the buffers hold")
        self.assertLess(len(seen["body"]), self.SIZE // 2)
        return done

    def test_stop_the_upload(self):
        done = self.early(lambda peer: peer.answer(413, b"big!\n", close=True))
        self.assertStatus(done, 5, "413 Content Too Large", "big!")
        self.assertEqual(done.report["http"]["answer"], "big!")

    def test_are_heard_while_the_rate_makes_us_wait(self):
        done = self.early(lambda peer: peer.answer(413, b"big!"), "--limit-rate", "64KiB")
        self.assertStatus(done, 5, "413", "big!")

    def test_of_success_are_none(self):
        self.assertStatus(self.early(lambda peer: peer.answer(201)), 1, "before it had everything")

    def test_are_found_behind_a_reset(self):
        def script(peer):
            peer.head()
            peer.answer(413, b"big!", close=True)
            # Closed with unread input: the kernel resets the connection.

        server = self.serve(script, receive_buffer=1 << 16)
        done = self.put("--expect", "never", self.make_sparse("f", self.SIZE), server.url())
        self.assertStatus(done, 5, "413", "big!")
        self.assertLess(done.report["bytes"], self.SIZE // 2)

    def test_keep_the_body_from_being_sent_where_the_server_was_asked(self):
        seen = {}

        def script(peer):
            peer.head()
            peer.answer(413, b"big!")
            seen["rest"], _ = peer.rest()

        server = self.serve(script)
        done = self.put(self.make_sparse("f", self.SIZE), server.url())
        server.close()
        self.assertStatus(done, 5, "413", "big!")
        self.assertEqual(seen["rest"], b"")
        self.assertEqual(done.report["bytes"], 0)

    def test_of_chunks_stop_the_upload(self):
        def script(peer):
            peer.head()
            peer.answer(413, b"big!", close=True)
            peer.rest()

        server = self.serve(script, receive_buffer=1 << 16)
        with open("/dev/zero", "rb") as endless:
            done = self.put("--expect", "never", "-", server.url(), stdin=endless)
        self.assertStatus(done, 5, "413", "big!")


class Errors(PutTest):
    def test_are_told_with_their_text(self):
        server, _ = self.serve_answers((507, b"disk\nfull\x1b[2J"))
        done = self.put(self.make("f", SMALL), server.url())
        self.assertStatus(done, 5, "507 Insufficient Storage", "disk full")
        self.assertNotIn("\x1b", done.err)
        self.assertEqual(done.report["bytes"], len(SMALL))

    def test_are_told_without_a_page(self):
        for body, fields in ((b"<html>no", [("Content-Type", "text/html")]), (b"x" * 5000, [])):
            server, _ = self.serve_answers((404, body, fields))
            done = self.put(self.make("f", SMALL), server.url())
            self.assertStatus(done, 5, "404 Not Found")
            self.assertIsNone(done.report["http"]["answer"])

    def test_in_chunks_are_told_and_the_connection_goes_on(self):
        requests = []

        def script(peer):
            while True:
                requests.append(peer.request())
                peer.send(b"HTTP/1.1 409 Conflict\r\nTransfer-Encoding: chunked\r\n\r\n"
                          b"2\r\nno\r\n1;x\r\n!\r\n0\r\n\r\n")

        server = self.serve(script)
        file = self.make("f", SMALL)
        done, _ = self.put_many(file, server.url(), file, server.url())
        self.assertStatus(done, 5, "409 Conflict: no!")
        self.assertEqual((len(requests), server.connections), (2, 1))

    def test_that_are_no_http_are_told(self):
        for answer in (b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 2x0 OK\r\n\r\n", b"HTTP/1.1 101 Up\r\n\r\n",
                       b"HTTP/1.1 200 OK\r\nX\0: 1\r\n\r\n", b"HTTP/1.1 200 " + b"x" * 70000,
                       b"HTTP/1.1 102 Wait\r\n\r\n" * 50):
            def script(peer, answer=answer):
                peer.request()
                peer.send(answer)
                peer.rest()

            server = self.serve(script)
            self.assertStatus(self.put(self.make("f", SMALL), server.url()), 1)


class KeptConnections(PutTest):
    def second_fails(self, end, *ends):
        """The first connection ends by `end` when the second request has come, and says nothing."""
        requests = []

        def script(peer):
            requests.append((peer.number, peer.request()))
            peer.answer(201)
            if peer.number == 0:
                peer.head()
                end(peer)
            else:
                peer.rest()

        server = self.serve(script)
        ends = [server.url() if end is None else end for end in ends]
        done, told = self.put_many(*ends)
        return done, told, requests, server

    def test_that_are_closed_without_an_answer_are_replaced(self):
        for end in (lambda peer: peer.close(), lambda peer: peer.reset()):
            file, other = self.make("f", SMALL), self.make("g", content(5000))
            done, told, requests, server = self.second_fails(end, file, None, other, None)
            self.assertStatus(done, 0)
            self.assertEqual([each["http"]["attempts"] for each in told], [1, 2])
            self.assertEqual(server.connections, 2)
            self.assertEqual([number for number, _ in requests], [0, 1])
            self.assertContent(other, requests[1][1].body)

    def test_closed_within_an_answer_are_not(self):
        def end(peer):
            peer.send(b"HTTP/1.1 2")
            peer.close()

        file = self.make("f", SMALL)
        done, _, requests, _ = self.second_fails(end, file, None, file, None)
        self.assertStatus(done, 1, "within its answer")
        self.assertEqual(len(requests), 1)

    def test_that_the_server_closes_serve_no_other(self):
        requests = []

        def script(peer):
            requests.append(peer.request())
            peer.answer(201, close=True)

        server = self.serve(script)
        file = self.make("f", SMALL)
        self.assertStatus(self.put_many(file, server.url(), file, server.url())[0], 0)
        self.assertEqual((len(requests), server.connections), (2, 2))

    def test_new_ones_are_not_tried_again(self):
        def script(peer):
            peer.request()

        server = self.serve(script)
        self.assertStatus(self.put(self.make("f", SMALL), server.url()), 1, "without an answer")
        self.assertEqual(server.connections, 1)


class Failures(PutTest):
    def test_by_a_reset_say_how_far_it_came(self):
        def script(peer):
            peer.head()
            peer.take(1000)
            peer.reset()

        server = self.serve(script, receive_buffer=1 << 16)
        done = self.put("--expect", "never", self.make_sparse("f", 64 << 20), server.url())
        self.assertStatus(done, 1, f"after {done.report['bytes']} of {64 << 20} bytes")
        self.assertRegex(done.err, "reset|Broken pipe")

    def test_by_silence_end(self):
        def nothing(peer):
            peer.head()
            peer.rest()

        def unread(peer):
            peer.head()
            over.wait(tool.PATIENCE)

        over = threading.Event()
        for script, size in ((nothing, 1000), (unread, 64 << 20)):
            server = self.serve(script, receive_buffer=1 << 16)
            done = self.put("--idle-timeout", "0.4", "--expect", "never",
                            self.make_sparse("f", size), server.url())
            self.assertStatus(done, 1, "timed out")
        over.set()


if __name__ == "__main__":
    tool.main()
