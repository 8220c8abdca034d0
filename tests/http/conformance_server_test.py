"""What RFC 9110 and RFC 9112 ask of an origin server; docs/http.md says which test holds what."""

import email.utils
import os
import re
import time

import tool
from raw import RawTest, head

IMF_FIXDATE = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d "
                         r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) "
                         r"\d{4} \d\d:\d\d:\d\d GMT")


def seconds_of(date):
    return email.utils.parsedate_to_datetime(date).timestamp()


class Target(RawTest):
    def test_in_absolute_form_is_taken_and_its_authority_stands_for_the_host(self):
        self.assertEqual(self.ask("GET http://localhost/f").body, b"0123456789")
        self.assertEqual(self.ask("GET HTTP://LocalHost/f").body, b"0123456789")
        self.assertEqual(self.ask("GET http://localhost/f", host="other.example").status, 200)
        self.assertEqual(self.ask("GET http://other.example/f").status, 421)

    def test_of_another_scheme_is_not_served(self):
        self.assertEqual(self.ask("GET https://localhost/f").status, 421)
        self.assertEqual(self.ask("GET HTTPS://localhost/f").status, 421)
        self.assertEqual(self.ask("GET ftp://localhost/f").status, 400)

    def test_without_a_host_or_with_user_information_is_invalid(self):
        for target in ("http:///f", "http://:80/f", "http://user@localhost/f",
                       "http://u:p@localhost/f"):
            self.assertEqual(self.ask(f"GET {target}").status, 400, target)

    def test_asterisk_is_for_options_only(self):
        self.assertEqual(self.ask("OPTIONS *").status, 200)
        for method in ("GET", "HEAD"):
            self.assertEqual(self.ask(f"{method} *").status, 400)

    def test_of_connect_is_rejected(self):
        for target in ("localhost:80", "localhost:", "localhost", "localhost:x"):
            self.assertIn(self.ask(f"CONNECT {target}").status, (400, 405, 501), target)

    def test_is_neither_a_path_nor_a_url(self):
        for target in ("f", "localhost/f", "?f", "#f", "/f#part", "/a\\b\x7f"):
            self.assertEqual(self.ask(f"GET {target}").status, 400, target)

    def test_is_decoded_once(self):
        self.make("root/a%62", b"once")
        self.make("root/ab", b"twice")
        self.assertEqual(self.ask("GET /a%2562").body, b"once")
        self.assertEqual(self.ask("GET /%61%62").body, b"twice")
        self.assertEqual(self.ask("GET /%zz").status, 400)

    def test_with_a_query_names_the_same_file(self):
        self.assertEqual(self.ask("GET /f?a=b/../c").body, b"0123456789")

    def test_as_long_as_8000_bytes_is_understood(self):
        self.assertEqual(self.ask("GET /f?" + "q" * 8000).status, 200)


class Host(RawTest):
    def test_must_be_there(self):
        for line, status in (("GET /f", 400), ("GET http://localhost/f", 400), ("OPTIONS *", 400),
                             ("GET /f HTTP/1.0", 200)):
            self.assertEqual(self.ask(line, host=None).status, status, line)

    def test_must_be_there_once(self):
        for line in ("GET /f", "GET http://localhost/f", "GET /f HTTP/1.0"):
            self.assertEqual(self.ask(line, "host: localhost").status, 400, line)

    def test_must_be_valid(self):
        for host in ("a b", "a/b", "user@localhost", "[::1", "::1", "localhost:x",
                     "localhost:99999",
                     "localhost, localhost", "\"localhost\"", "[localhost]", "a\\b", "é"):
            for line in ("GET /f", "GET http://localhost/f", "CONNECT localhost:80"):
                self.assertEqual(self.ask(line, host=host).status, 400, (line, host))

    def test_may_be_empty_or_have_a_port(self):
        for host in ("", "localhost:", "localhost:1", "127.0.0.1:80", "[::1]:80", "LOCALHOST",
                     "localhost."):
            self.assertEqual(self.ask("GET /f", host=host).status, 200, host)

    def test_may_stand_behind_other_fields(self):
        fields = [f"X-{number}: {number}" for number in range(100)]
        self.assertEqual(self.ask("GET /f", *fields, "hOsT:localhost", host=None).status, 200)


class Version(RawTest):
    def test_is_written_in_one_way(self):
        for version in ("http/1.1", "HTTP/1", "HTTP/1.1.1", "HTTP/01.1", "HTTP/1.01", "HTTP/ 1.1",
                        "HTTP/1,1",
                        "HTTPS/1.1"):
            self.assertRefused(head(f"GET /f {version}"), 400)

    def test_of_another_major_number_is_not_supported(self):
        for version in ("HTTP/2.0", "HTTP/0.9", "HTTP/3.0", "HTTP/9.9"):
            self.assertRefused(head(f"GET /f {version}"), 505)

    def test_is_1_1_in_every_answer(self):
        for line in ("GET /f HTTP/1.1", "GET /f HTTP/1.0", "GET /f HTTP/1.7", "GET /none HTTP/1.1"):
            self.assertEqual(self.ask(line).version, "1.1", line)

    def test_0_is_kept_open_only_on_request(self):
        self.assertEqual(len(self.answers(self.say(head("GET /f HTTP/1.0"),
                                                   head("GET /f HTTP/1.0")))), 1)
        peer = self.say(head("GET /f HTTP/1.0", "Connection: keep-alive"))
        self.assertEqual(peer.answer().field("Connection"), "keep-alive")
        self.assertEqual(peer.get("/f").status, 200)

    def test_0_gets_no_interim_answer_and_no_chunks(self):
        for target in ("/", "/f", "/none"):
            answer = self.ask(f"GET {target} HTTP/1.0")
            self.assertIsNone(answer.field("Transfer-Encoding"))

    def test_that_is_missing_is_refused(self):
        self.assertRefused("GET /f\r\nHost: localhost\r\n\r\n", 400)


class Lines(RawTest):
    def test_that_are_empty_may_stand_before_a_request(self):
        for empty in ("\r\n", "\r\n\r\n"):
            peer = self.say(empty, head("GET /f"), empty, head("GET /f"))
            self.assertEqual([peer.answer().status for _ in range(2)], [200, 200])

    def test_may_come_byte_by_byte(self):
        peer = self.talk_to(self.server)
        for byte in head("GET /f", "A: b").encode():
            peer.send(bytes([byte]))
        self.assertEqual(peer.answer().body, b"0123456789")

    def test_have_blanks_around_a_value_that_are_no_part_of_it(self):
        def strong_tag():  # a file that has just been made may still change its tag
            tag = self.ask("GET /f").field("ETag")
            return None if tag.startswith("W/") else tag
        tag = tool.until(strong_tag, "the tag is strong")
        for blanks in ("", " ", "\t", " \t \t"):
            self.assertEqual(self.ask("GET /f", f"If-None-Match:{blanks}{tag}{blanks}").status, 304)

    def test_of_unknown_fields_are_ignored(self):
        fields = ("X-Unknown: \x80\xff obs-text", "!#$%&'*+-.^_`|~1: x", "Empty:",
                  "Keep-Alive: timeout=5")
        self.assertEqual(self.ask("GET /f", *fields).status, 200)

    def test_have_names_whose_case_does_not_count(self):
        for name in ("range", "RANGE", "rAnGe"):
            self.assertEqual(self.ask("GET /f", f"{name}: bytes=0-0").status, 206)

    def test_of_a_list_may_have_empty_elements(self):
        tag = self.ask("GET /f").field("ETag")
        self.assertEqual(self.ask("GET /f", f"If-None-Match: , ,\"x\",,{tag},").status, 304)
        self.assertEqual(self.ask("GET /f", "Range: bytes=,,0-0,,").body, b"0")
        self.assertEqual(self.ask("GET /f", "Connection: ,,close , ").field("Connection"), "close")

    def test_of_one_list_may_come_on_several_lines(self):
        tag = self.ask("GET /f").field("ETag")
        fields = ("If-None-Match: \"x\"", f"If-None-Match: {tag}")
        self.assertEqual(self.ask("GET /f", *fields).status, 304)
        two = ("Connection: x", "Connection: close")
        self.assertEqual(self.ask("GET /f", *two).field("Connection"), "close")


class Method(RawTest):
    OPTIONS = ("--upload",)

    def test_is_known_by_its_case(self):
        for method in ("get", "Get", "gEt", "put"):
            self.assertEqual(self.ask(f"{method} /f").status, 501, method)

    def test_that_is_unknown_is_not_implemented(self):
        for method in ("FROB", "PROPFIND", "X-Y", "!"):
            self.assertEqual(self.ask(f"{method} /f").status, 501, method)

    def test_that_is_not_allowed_is_told_which_are(self):
        for method in ("POST", "DELETE", "PATCH", "TRACE", "CONNECT"):
            answer = self.ask(f"{method} /f")
            self.assertEqual(answer.status, 405, method)
            self.assertEqual(answer.field("Allow"), "GET, HEAD, OPTIONS, PUT")

    def test_trace_reflects_nothing(self):
        answer = self.ask("TRACE /f", "Cookie: secret")
        self.assertNotIn(b"secret", answer.body)

    def test_options_tells_what_is_offered(self):
        for target in ("*", "/f", "/none"):
            answer = self.ask(f"OPTIONS {target}")
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.field("Allow"), "GET, HEAD, OPTIONS, PUT")
            self.assertEqual(answer.field("Content-Length"), "0")

    def test_head_is_answered_as_get_without_content(self):
        self.make("root/page.html", b"x" * 100_000)
        os.mkdir(self.server.path("folder"))
        tag = self.ask("GET /f").field("ETag")
        for target, *fields in (("/f",), ("/page.html",), ("/none",), ("/folder",), ("/folder/",),
                                ("/f", f"If-None-Match: {tag}"), ("/f", 'If-Match: "x"'),
                                ("/%zz",)):
            get, peer = self.ask(f"GET {target}", *fields), self.talk_to(self.server)
            peer.send(head(f"HEAD {target}", *fields), head("HEAD /f", "Connection: close"))
            answer = peer.answer("HEAD")
            self.assertEqual(answer.status, get.status, target)
            ours, theirs = ([(name, value) for name, value in each.fields
                             if name not in ("Date", "Connection")] for each in (answer, get))
            self.assertEqual(ours, theirs, target)
            self.assertEqual(peer.answer("HEAD").status, 200,
                             "nothing stands between the two heads")
            self.assertTrue(peer.ended())

    def test_head_and_others_have_no_ranges(self):
        answer = self.ask("HEAD /f", "Range: bytes=0-0")
        self.assertEqual((answer.status, answer.field("Content-Length")), (200, "10"))
        self.assertEqual(self.ask("PUT /g", "Range: bytes=0-0", "Content-Length: 2",
                                  body=b"ab").status, 201)
        self.assertContent(self.server.path("g"), b"ab")

    def test_put_of_a_new_file_is_told_from_that_of_an_old_one(self):
        self.assertEqual(self.ask("PUT /new", "Content-Length: 1", body=b"1").status, 201)
        self.assertEqual(self.ask("PUT /new", "Content-Length: 1", body=b"2").status, 204)

    def test_put_that_was_answered_is_seen_by_the_next_get(self):
        peer = self.talk_to(self.server)
        old = peer.get("/f").field("ETag")
        for number in range(20):
            body = b"%d" % number
            peer.put("/f", body)
            answer = peer.get("/f")
            self.assertEqual(answer.body, body)
            self.assertNotEqual(answer.field("ETag"), old)
            old = answer.field("ETag")

    def test_get_with_a_body_is_answered_and_the_body_is_no_request(self):
        inner = head("GET /none").encode()
        for fields, body in ((f"Content-Length: {len(inner)}", inner),
                             ("Transfer-Encoding: chunked",
                              b"%x\r\n%s\r\n0\r\n\r\n" % (len(inner), inner))):
            found = self.answers(self.say(head("GET /f", fields), body))
            self.assertEqual([answer.status for answer in found], [200])


class Answer(RawTest):
    OPTIONS = ("--upload",)

    def every(self):
        """An answer of each kind."""
        tag = self.ask("GET /f").field("ETag")
        os.mkdir(self.server.path("folder"))
        yield from (self.ask(*each) for each in (
            ("GET /f",), ("HEAD /f",), ("GET /",), ("GET /folder",), ("GET /none",), ("GET /%zz",),
            ("POST /f",), ("FROB /f",), ("OPTIONS *",), ("GET /f", "Range: bytes=0-0"),
            ("GET /f", "Range: bytes=0-0,5-5"), ("GET /f", "Range: bytes=99-"),
            ("GET /f", f"If-None-Match: {tag}"), ("GET /f", 'If-Match: "x"'), ("PUT /folder/",),
            ("GET /f", "Expect: x"), ("GET /f HTTP/2.0",), ("GET /f", "a b: c"),
            ("PUT /empty", "Content-Length: 0"), ("PUT /empty", "Content-Length: 0")))

    def test_has_one_date(self):
        for answer in self.every():
            date = answer.field("Date")
            self.assertRegex(date or "", IMF_FIXDATE, answer)
            self.assertLess(abs(time.time() - seconds_of(date)), tool.PATIENCE)

    def test_is_framed_in_one_way(self):
        for answer in self.every():
            self.assertIsNone(answer.field("Transfer-Encoding"), answer)
            if answer.status in (204, 304):
                self.assertIsNone(answer.field("Content-Length"), answer)
            else:
                self.assertRegex(answer.field("Content-Length") or "", r"\A\d+\Z", answer)

    def test_has_a_status_line_with_its_two_blanks(self):
        for said in (head("GET /f"), head("GET /none"), head("FROB /f"), head("GET /f", "a b: c")):
            line = self.say(said)._until(b"\r\n")
            self.assertRegex(line, rb"\AHTTP/1\.1 [2-5]\d\d [A-Za-z -]*\r\n\Z")

    def test_has_only_dates_of_the_fixed_form_and_names_that_are_tokens(self):
        for answer in self.every():
            for name, value in answer.fields:
                self.assertNotRegex(value, r"[\x00-\x08\x0a-\x1f\x7f]")
                if name in ("Date", "Last-Modified"):
                    self.assertRegex(value, IMF_FIXDATE)

    def test_names_ranges_only_where_it_has_one(self):
        for answer in self.every():
            ranged = answer.status == 416 or (answer.status == 206 and
                                              "multipart" not in answer.field("Content-Type"))
            self.assertEqual(answer.field("Content-Range") is not None, ranged, answer)

    def test_was_not_changed_later_than_it_was_sent(self):
        ahead = time.time() + 100_000
        os.utime(self.server.path("f"), (ahead, ahead))
        for method in ("GET", "HEAD"):
            answer = self.ask(f"{method} /f")
            self.assertLessEqual(seconds_of(answer.field("Last-Modified")),
                                 seconds_of(answer.field("Date")))
            self.assertEqual(self.ask(f"{method} /f",
                                      f"If-Modified-Since: {email.utils.formatdate(usegmt=True)}")
                             .status in (200, 304), True)

    def test_to_an_upload_has_no_validator_that_the_file_does_not_have(self):
        answer = self.ask("PUT /new", "Content-Length: 3", body=b"abc")
        for name in ("ETag", "Last-Modified"):
            if answer.field(name) is not None:
                self.assertEqual(answer.field(name), self.ask("GET /new").field(name))

    def test_redirects_to_where_the_same_content_is(self):
        os.mkdir(self.server.path("a b"))
        answer = self.ask("GET /a%20b?x=y")
        self.assertEqual((answer.status, answer.field("Location")), (301, "/a%20b/?x=y"))
        self.assertEqual(self.ask(f"GET {answer.field('Location')}").status, 200)

    def test_of_a_listing_tells_what_it_varies_by(self):
        html = self.ask("GET /")
        json = self.ask("GET /", "Accept: application/json")
        self.assertEqual([each.field("Vary") for each in (html, json)], ["Accept", "Accept"])
        self.assertIn("text/html", html.field("Content-Type"))
        self.assertIn("application/json", json.field("Content-Type"))

    def test_is_never_encoded(self):
        for value in ("gzip", "br, gzip;q=1.0", "*", "identity;q=0, gzip"):
            answer = self.ask("GET /f", f"Accept-Encoding: {value}")
            self.assertIsNone(answer.field("Content-Encoding"))
            self.assertEqual(answer.body, b"0123456789")

    def test_changes_to_no_other_protocol(self):
        upgrade = ("Connection: upgrade", "Upgrade: websocket, h2c")
        for line in ("GET /f", "GET /f HTTP/1.0"):
            answer = self.ask(line, *upgrade)
            self.assertEqual((answer.status, answer.field("Upgrade")), (200, None))


class Expectation(RawTest):
    OPTIONS = ("--upload",)
    CONTINUE = "Expect: 100-continue"

    def test_of_http_1_0_is_not_heard(self):
        peer = self.say(head("PUT /new HTTP/1.0", "Content-Length: 3", self.CONTINUE))
        peer.send(b"abc")
        self.assertEqual(peer.head().status, 201, "no interim answer")

    def test_is_answered_before_the_content_comes(self):
        peer = self.say(head("PUT /new", "Content-Length: 3", "eXpEcT: 100-Continue"))
        interim = peer.head()
        self.assertEqual((interim.status, interim.fields), (100, []))
        peer.send(b"abc")
        self.assertEqual(peer.head().status, 201)

    def test_where_no_content_follows_gets_the_final_answer(self):
        for line, *fields in (("GET /f",), ("PUT /empty", "Content-Length: 0")):
            peer = self.say(head(line, *fields, self.CONTINUE))
            self.assertIn(peer.head().status, (200, 201), line)

    def test_that_is_refused_says_whether_the_connection_goes_on(self):
        peer = self.say(head("PUT /none/f", "Content-Length: 3", self.CONTINUE))
        answer = peer.answer("PUT")
        self.assertEqual((answer.status, answer.field("Connection")), (409, "close"))
        self.assertTrue(peer.ended())

    def test_of_another_kind_fails(self):
        for value in ("x", "100-continue, x", "x=100-continue"):
            self.assertEqual(self.ask("GET /f", f"Expect: {value}").status, 417, value)


class Connections(RawTest):
    OPTIONS = ("--upload",)

    def test_go_on_and_answer_in_order(self):
        for name in "abc":
            self.make(f"root/{name}", name.encode() * 100_000)
        peer = self.say("".join(head(f"GET /{name}") for name in "abcfcba"))
        self.assertEqual([peer.answer().body[:1] for _ in range(7)],
                         [b"a", b"b", b"c", b"0", b"c", b"b", b"a"])

    def test_go_on_behind_every_complete_exchange(self):
        peer = self.talk_to(self.server)
        for method, target, status in (("GET", "/none", 404), ("HEAD", "/f", 200),
                                       ("OPTIONS", "*", 200),
                                       ("POST", "/f", 405), ("FROB", "/f", 501),
                                       ("PUT", "/new", 201),
                                       ("GET", "/%zz", 400), ("GET", "/f", 200)):
            answer = peer.ask(method, target)
            self.assertEqual((answer.status, answer.field("Connection")), (status, None), target)

    def test_that_the_client_closes_are_closed_behind_the_answer(self):
        for value in ("close", "Close", "x, close", "keep-alive, close"):
            peer = self.say(head("GET /f", f"Connection: {value}"), head("GET /f"))
            found = self.answers(peer)
            self.assertEqual([each.field("Connection") for each in found], ["close"], value)

    def test_that_the_server_closes_are_told_so(self):
        for said in (head("POST /f", "Content-Length: 3") + "abc", head("GET /f HTTP/1.0"),
                     "x\r\n\r\n"):
            found = self.answers(self.say(said))
            self.assertEqual([each.field("Connection") for each in found], ["close"], said)

    def test_are_closed_in_stages_so_that_the_last_answer_arrives(self):
        body = bytes(4 << 20)
        peer = self.say(head("PUT /none/f", f"Content-Length: {len(body)}"))
        try:
            peer.send(body)
        except ConnectionError:
            pass  # more than is read in vain
        self.assertEqual(peer.answer("PUT").status, 409)

    def test_that_end_in_a_request_get_an_error_or_an_end(self):
        for said in ("GET /f HT", "GET /f HTTP/1.1\r\nHost: lo", head("GET /f")[:-2]):
            peer = self.say(said)
            peer.socket.shutdown(1)
            self.assertIn(peer.rest()[:12], (b"", b"HTTP/1.1 400"), said)

    def test_that_are_half_closed_still_get_their_answer(self):
        peer = self.say(head("GET /f"))
        peer.socket.shutdown(1)
        self.assertEqual(peer.answer().body, b"0123456789")


class Chunks(RawTest):
    OPTIONS = ("--upload",)

    def put(self, body):
        return self.ask("PUT /new", "Transfer-Encoding: chunked", body=body)

    def test_may_have_extensions_and_trailers_that_count_for_nothing(self):
        for body in (b"3;a=b;c=\"d;e\"\r\nabc\r\n0;x\r\n\r\n", b"3 ; a\r\nabc\r\n0\r\n\r\n",
                     b"3\r\nabc\r\n0\r\nContent-Length: 99\r\nHost: other.example\r\nX: y\r\n\r\n",
                     b"0003\r\nabc\r\n000\r\n\r\n", b"1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"):
            self.assertIn(self.put(body).status, (201, 204), body)
            self.assertContent(self.server.path("new"), b"abc")

    def test_have_sizes_in_either_case(self):
        for size in (b"a", b"A", b"0A"):
            self.assertIn(self.put(size + b"\r\n0123456789\r\n0\r\n\r\n").status, (201, 204))
            self.assertContent(self.server.path("new"), b"0123456789")

    def test_are_known_by_their_name_in_any_case(self):
        answer = self.ask("PUT /new", "Transfer-Encoding: , Chunked ,", body=b"1\r\na\r\n0\r\n\r\n")
        self.assertEqual(answer.status, 201)

    def test_of_a_coding_that_is_not_understood_are_not_implemented(self):
        for coding in ("gzip", "gzip, chunked", "identity", "chunked;q=1"):
            self.assertRefused(head("PUT /new", f"Transfer-Encoding: {coding}"), 501, 400)

    def test_that_do_not_end_are_no_file(self):
        for body in (b"3\r\nabc\r\n", b"3\r\nab", b"3\r\nabc\r\n0\r\n", b"3"):
            peer = self.say(head("PUT /new", "Transfer-Encoding: chunked"), body)
            peer.socket.shutdown(1)
            self.assertNotIn(b" 20", peer.rest()[:20])
            self.assertFalse(os.path.exists(self.server.path("new")), body)


if __name__ == "__main__":
    tool.main()
