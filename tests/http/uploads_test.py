"""PUT as the server takes it: whole or not at all, where it may go, and what follows it."""

# labels: threads
import os
import signal
import threading

import tool
from serving import Closed, ServeTest
from tool import content, until

BODY = content(300_000)
CONTINUE = "Expect: 100-continue"


def request(target, *fields, method="PUT"):
    return "\r\n".join((f"{method} {target} HTTP/1.1", "Host: localhost", *fields)) + "\r\n\r\n"


def length(body):
    return f"Content-Length: {len(body)}"


CHUNKED = "Transfer-Encoding: chunked"


def in_chunks(body, size=70_000):
    pieces = (body[at:at + size] for at in range(0, len(body), size))
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def names_in(folder):
    return sorted(os.listdir(os.fsencode(folder)))


class Uploads(ServeTest):
    def setUp(self):
        super().setUp()
        self.server = self.serve("--upload")
        self.peer = self.talk_to(self.server)

    def assertStored(self, name, body):  # noqa: N802
        self.assertContent(self.server.path(name), body)

    def assertNothingElse(self, *names):  # noqa: N802
        """Nothing but these in the root, and the server holds no file of an upload any more."""
        self.assertEqual(names_in(self.server.root), sorted(map(os.fsencode, names)))
        until(lambda: not self.held(), "the server lets go of what was not stored")

    def held(self):
        """Files in the root that the server has open for writing: uploads under way."""
        root = os.path.realpath(self.server.root) + "/"
        return [where for number, (where, _) in tool.open_files(self.server.pid).items()
                if where.startswith(root) and tool.is_written(self.server.pid, number)]


class WholeBodies(Uploads):
    def test_a_new_file_is_made_and_an_old_one_replaced(self):
        for body, status in ((BODY, 201), (b"short", 204), (b"", 204), (BODY, 204)):
            self.assertEqual(self.peer.put("/f", body).status, status)
            self.assertStored("f", body)
            self.assertEqual(self.talk_to(self.server).get("/f").body, body)
        self.assertNothingElse("f")

    def test_the_mode_of_what_is_replaced_stays(self):
        os.chmod(self.make("root/f", b"old"), 0o640)
        self.assertEqual(self.peer.put("/f", b"new").status, 204)
        self.assertEqual(os.stat(self.server.path("f")).st_mode & 0o777, 0o640)

    def test_in_chunks(self):
        for size in (1000, 70_000, 1_000_000):
            self.peer.send(request("/f", CHUNKED), in_chunks(BODY, size))
            self.assertIn(self.peer.answer().status, (201, 204))
            self.assertStored("f", BODY)
        self.peer.send(request("/empty", CHUNKED), in_chunks(b""))
        self.assertEqual(self.peer.answer().status, 201)
        self.assertStored("empty", b"")
        self.assertNothingElse("f", "empty")

    def test_that_comes_byte_by_byte(self):
        for fields, body in ((length(b"hello"), b"hello"), (CHUNKED, in_chunks(b"hello", 2))):
            for byte in request("/f", fields).encode() + body:
                self.peer.send(bytes([byte]))
            self.assertIn(self.peer.answer().status, (201, 204))
            self.assertStored("f", b"hello")

    def test_with_its_head_in_every_split(self):
        for fields, body in ((length(b"hello"), b"hello"), (CHUNKED, in_chunks(b"hello", 2))):
            whole = request("/f", fields).encode() + body
            for cut in range(1, len(whole)):
                self.peer.send(whole[:cut])
                self.peer.send(whole[cut:])
                self.assertIn(self.peer.answer().status, (201, 204))
            self.assertStored("f", b"hello")

    def test_many_at_once(self):
        def upload(number, statuses):
            peer = self.talk_to(self.server)
            for again in range(10):
                statuses.append(peer.put(f"/{number}-{again}", content(10_000 * again, number)).status)

        statuses = []
        threads = [threading.Thread(target=upload, args=(number, statuses)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(tool.PATIENCE)
        self.assertEqual(statuses, [201] * 80)
        for number in range(8):
            for again in range(10):
                self.assertStored(f"{number}-{again}", content(10_000 * again, number))


class Followed(Uploads):
    """What comes behind a body on its connection."""

    def test_a_get_in_the_same_segment(self):
        for fields, body in ((length(b"hello"), b"hello"), (CHUNKED, in_chunks(b"hello", 2))):
            self.peer.send(request("/f", fields).encode() + body +
                           request("/f", method="GET").encode())
            self.assertIn(self.peer.answer("PUT").status, (201, 204))
            self.assertEqual(self.peer.answer().body, b"hello")

    def test_a_row_of_uploads_in_one_go(self):
        row = b"".join(request(f"/{number}", length(BODY)).encode() + BODY +
                       request(f"/chunked{number}", CHUNKED).encode() + in_chunks(BODY)
                       for number in range(3))
        sender = threading.Thread(target=self.peer.send, args=(row + request("/0", method="GET").encode(),))
        sender.start()
        self.assertEqual([self.peer.answer().status for _ in range(6)], [201] * 6)
        self.assertEqual(self.peer.answer().body, BODY)
        sender.join(tool.PATIENCE)
        for number in range(3):
            self.assertStored(f"{number}", BODY)
            self.assertStored(f"chunked{number}", BODY)

    def test_a_refused_body_never_becomes_a_request(self):
        secret = request("/stolen", length(b"x")) + "x"
        for body in (secret.encode(), secret.encode() * 3000):
            for fields in (length(body), CHUNKED):
                peer = self.talk_to(self.server)
                sent = body if fields != CHUNKED else in_chunks(body)
                # A server that has refused may reset what it does not read.
                try:
                    peer.send(request("/no/such/folder", fields), sent)
                    self.assertEqual(peer.answer().status, 409)
                    after = peer.get("/")
                    self.assertEqual(after.status, 200)
                except (Closed, ConnectionError):
                    pass
        self.assertNothingElse()


class NotWhole(Uploads):
    def setUp(self):
        super().setUp()
        self.make("root/old", b"old")

    def assertUntouched(self):  # noqa: N802
        self.assertStored("old", b"old")
        self.assertNothingElse("old")

    def half(self, name, fields=length(BODY), body=BODY):
        """A peer whose upload of `name` stands in the middle, and the server has seen that."""
        peer = self.talk_to(self.server)
        peer.send(request(name, fields), body[:100_000])
        until(self.held, "the upload is under way")
        return peer

    def test_a_client_that_ends_in_the_middle(self):
        for name in ("/old", "/new"):
            for fields, body in ((length(BODY), BODY), (CHUNKED, in_chunks(BODY))):
                peer = self.half(name, fields, body)
                peer.socket.shutdown(1)
                self.assertIn(b" 400 ", peer.rest().split(b"\r\n")[0] or b" 400 ")
                self.assertUntouched()

    def test_a_client_that_breaks_the_connection(self):
        for name in ("/old", "/new"):
            tool.reset(self.half(name).socket)
            self.assertUntouched()

    def test_a_client_that_is_killed(self):
        source, writer = self.pipe()
        client = self.start("put", "-", f"{self.server.url}new", stdin=source)
        os.write(writer, b"x" * 1000)
        until(self.held, "the upload is under way")
        client.signal(signal.SIGKILL)
        client.finish()
        self.assertUntouched()

    def test_a_server_that_is_killed(self):
        peer = self.half("/old")
        self.server.signal(signal.SIGKILL)
        self.server.finish()
        self.assertEqual(names_in(self.server.root), [b"old"])
        self.assertStored("old", b"old")
        peer.close()

    def test_chunks_that_are_none(self):
        for body in (b"z\r\nhello\r\n0\r\n\r\n", b"5\r\nhello!\r\n0\r\n\r\n", b"5\nhello\r\n0\r\n\r\n",
                     b"-5\r\nhello\r\n0\r\n\r\n", b"\r\nhello\r\n0\r\n\r\n",
                     b"fffffffffffffffff\r\nhello\r\n0\r\n\r\n", b"0x5\r\nhello\r\n0\r\n\r\n"):
            peer = self.talk_to(self.server)
            peer.send(request("/new", CHUNKED), body, request("/old", method="GET"))
            answer = peer.answer()
            self.assertEqual((answer.status, answer.field("Connection")), (400, "close"), body)
            self.assertTrue(peer.ended(), body)
            self.assertUntouched()

    def test_readers_see_the_old_file_until_the_new_one_is_whole(self):
        for fields, body in ((length(BODY), BODY), (CHUNKED, in_chunks(BODY))):
            reader = self.talk_to(self.server)
            new, old = self.half("/new", fields, body), self.half("/old", fields, body)
            before = reader.get("/old").body
            self.assertEqual(reader.get("/new").status, 404)
            self.assertIn(before, (b"old", BODY))
            for peer in (new, old):
                peer.send(body[100_000:-1])
            self.assertEqual(reader.get("/new").status, 404)
            self.assertEqual(reader.get("/old").body, before)
            for peer in (new, old):
                peer.send(body[-1:])
                self.assertIn(peer.answer().status, (201, 204))
            self.assertEqual(reader.get("/new").body, BODY)
            self.assertEqual(reader.get("/old").body, BODY)
            os.unlink(self.server.path("new"))

    def test_of_two_writers_one_wins_whole(self):
        other = content(len(BODY), 2)
        first, second = self.half("/old"), self.talk_to(self.server)
        self.assertEqual(second.put("/old", other).status, 204)
        self.assertStored("old", other)
        first.send(BODY[100_000:])
        self.assertEqual(first.answer().status, 204)
        self.assertStored("old", BODY)
        self.assertNothingElse("old")

    def test_a_drain_lets_it_end(self):
        peer, idle = self.half("/new"), self.peer
        self.server.signal(signal.SIGTERM)
        self.assertTrue(idle.ended())
        peer.send(BODY[100_000:])
        answer = peer.answer()
        self.assertEqual((answer.status, answer.field("Connection")), (201, "close"))
        peer.close()  # the server waits for that, as long as its patience lasts
        self.assertEqual(self.server.finish().status, 0)
        self.assertStored("new", BODY)

    def test_a_second_signal_ends_it_at_once(self):
        peer = self.half("/new")
        self.server.signal(signal.SIGTERM)
        self.assertTrue(self.peer.ended())
        self.server.signal(signal.SIGTERM)
        self.assertEqual(self.server.finish().status, 143)
        self.assertTrue(peer.ended())
        self.assertEqual(names_in(self.server.root), [b"old"])


class Names(Uploads):
    def test_any_bytes(self):
        for name in (b"a b", b"a#b", b"a?b", b"a%3ab", b"a+b", b"a&b;c=d", "é.txt".encode(), b"\xff\xfe.bin",
                     b"a\\b", b"a..", b"-rf", b"a'b", b'a"b', b"a\nb", b"a\tb", b"x" * 255):
            target = "/" + "".join(f"%{byte:02x}" for byte in name)
            self.assertEqual(self.peer.put(target, name).status, 201, name)
            with open(os.path.join(os.fsencode(self.server.root), name), "rb") as file:
                self.assertEqual(file.read(), name)
            self.assertEqual(self.peer.get(target).body, name)
            os.unlink(os.path.join(os.fsencode(self.server.root), name))
        self.assertNothingElse()

    def test_outside_the_root(self):
        secret = self.make("secret", b"SECRET")
        os.mkdir(self.server.path("a"))
        os.symlink("..", self.server.path("up"))
        os.symlink(secret, self.server.path("link"))
        before = names_in(self.server.root)
        for target in ("/../secret", "/%2e%2e/secret", "/..%2fsecret", "/a/../../secret", "//../secret",
                       "/./../secret", "/%252e%252e/secret", "/f%00/../../secret", "http://x/../secret",
                       "/up/secret", "/up/new", "/link", "/a%2f..%2f..%2fsecret", "/" + secret,
                       "/%2f" + secret[1:]):
            peer = self.talk_to(self.server)
            peer.send(request(target, "Content-Length: 3"), b"BAD")
            self.assertIn(peer.answer().status, (400, 403, 404, 409), target)
        self.assertEqual(names_in(self.server.root), before)
        self.assertEqual(names_in(self.folder), [b"root", b"secret"])
        self.assertContent(secret, b"SECRET")

    def test_a_link_beneath_is_followed(self):
        os.mkdir(self.server.path("a"))
        self.make("root/a/f", b"old")
        os.symlink("a/f", self.server.path("link"))
        self.assertEqual(self.peer.put("/link", b"new").status, 204)
        self.assertStored("a/f", b"new")
        self.assertTrue(os.path.islink(self.server.path("link")))

    def test_that_cannot_be_written(self):
        os.mkdir(self.server.path("folder"))
        self.make("root/f", b"old")
        self.make("root/.hidden", b"old")
        os.link(self.server.path("f"), self.path("other"))
        os.mkfifo(self.server.path("fifo"))
        for target, status in (("/folder", 409), ("/folder/", 409), ("/", 409), ("/none/f", 409),
                               ("/f/g", 409), ("/fifo", 403), ("/f", 403), ("/.hidden", 403),
                               ("/.new", 403), ("/folder/.new", 403), ("/" + "x" * 256, 404)):
            self.assertEqual(self.talk_to(self.server).put(target, b"new").status, status, target)
        self.assertStored("f", b"old")
        self.assertStored(".hidden", b"old")
        self.assertNothingElse("folder", "f", ".hidden", "fifo")


class Refused(ServeTest):
    """Before a byte of the body is read."""

    def test_where_nothing_is_taken(self):
        server = self.serve()
        self.make("root/f", b"ok")
        for size in (5, 200_000):
            peer = self.talk_to(server)
            try:
                answer = peer.put("/f", b"Z" * size)
                self.assertEqual(answer.status, 405)
                self.assertNotIn("PUT", answer.field("Allow"))
                self.assertEqual(peer.get("/f").body, b"ok")
            except (Closed, ConnectionError):
                pass  # ended instead of read on
        self.assertContent(server.path("f"), b"ok")
        self.assertEqual(self.talk_to(server).get("/f").body, b"ok")

    def test_a_refused_client_that_waits_is_told_before_its_body(self):
        server = self.serve("--upload", "--max-upload", "100")
        for target, size, status in (("/f", 101, 413), ("/none/f", 10, 409), ("/.f", 10, 403)):
            peer = self.talk_to(server)
            peer.send(request(target, f"Content-Length: {size}", CONTINUE))
            self.assertEqual(peer.head().status, status, "without 100 Continue")

    def test_a_client_that_waits_is_asked_to_go_on(self):
        server = self.serve("--upload", "--max-upload", "100")
        peer = self.talk_to(server)
        for fields, body in ((length(b"hello"), b"hello"), (CHUNKED, in_chunks(b"hello"))):
            peer.send(request("/f", fields, CONTINUE))
            self.assertEqual(peer.head().status, 100)
            peer.send(body)
            self.assertIn(peer.answer().status, (201, 204))
            self.assertContent(server.path("f"), b"hello")

    def test_an_expectation_that_nobody_can_meet(self):
        server = self.serve("--upload")
        peer = self.talk_to(server)
        peer.send(request("/f", length(b"hello"), "Expect: miracles"), b"hello")
        self.assertEqual(peer.answer().status, 417)
        self.assertEqual(names_in(server.root), [])

    def test_more_than_what_is_taken(self):
        server = self.serve("--upload", "--max-upload", "1000")
        for body, status in ((bytes(1000), 201), (bytes(1001), 413)):
            self.assertEqual(self.talk_to(server).put("/known", body).status, status)
            peer = self.talk_to(server)
            peer.send(request("/chunked", CHUNKED), in_chunks(body, 300))
            self.assertEqual(peer.answer().status, status)
        self.assertContent(server.path("known"), bytes(1000))
        self.assertContent(server.path("chunked"), bytes(1000))
        self.assertEqual(names_in(server.root), [b"chunked", b"known"])

    def test_what_is_no_whole_file(self):
        server = self.serve("--upload")
        for fields, status in ((("Content-Length: 1", "Content-Range: bytes 0-0/9"), 400), ((), 411),
                               (("Content-Length: 1", CHUNKED), 400),
                               (("Content-Length: 1", "Content-Length: 2"), 400),
                               (("Transfer-Encoding: gzip",), 400),
                               (("Transfer-Encoding: gzip, chunked",), 501)):
            peer = self.talk_to(server)
            peer.send(request("/f", *fields))
            self.assertEqual(peer.answer().status, status, fields)
        self.assertEqual(names_in(server.root), [])

    def test_by_a_condition(self):
        server = self.serve("--upload")
        peer = self.talk_to(server)
        self.assertEqual(peer.put("/f", b"1", "If-Match: *").status, 412)
        peer = self.talk_to(server)
        self.assertEqual(peer.put("/f", b"1", "If-None-Match: *").status, 201)
        self.assertEqual(self.talk_to(server).put("/f", b"2", "If-None-Match: *").status, 412)
        self.assertEqual(self.talk_to(server).put("/f", b"3", 'If-Match: "other"').status, 412)
        self.assertContent(server.path("f"), b"1")
        self.assertEqual(self.talk_to(server).put("/f", b"4", "If-Match: *").status, 204)
        self.assertContent(server.path("f"), b"4")


class Paths(ServeTest):
    """By which path the bytes went, as the log says."""

    def upload(self, *options, fields, body):
        log = self.path("log")
        server = self.serve("--upload", "--log", log, "--log-format", "json", *options)
        peer = self.talk_to(server)
        peer.send(request("/f", fields), body)
        answer = peer.answer()
        peer.close()
        server.signal(signal.SIGTERM)
        self.assertEqual(server.finish().status, 0)
        with open(log, encoding="ascii") as file:
            return answer.status, file.read()

    def test_with_a_length_no_byte_enters_user_space(self):
        status, log = self.upload("--require", "kernel", fields=length(BODY), body=BODY)
        self.assertEqual(status, 201, log)
        self.assertIn('"kernel"', log)
        self.assertContent(self.path("root", "f"), BODY)

    def test_in_chunks_they_are_copied(self):
        status, log = self.upload(fields=CHUNKED, body=in_chunks(BODY))
        self.assertEqual(status, 201, log)
        self.assertIn("chunked_receive", log)
        self.assertIn('"user"', log)

    def test_in_chunks_they_cannot_stay_in_the_kernel(self):
        status, log = self.upload("--require", "kernel", fields=CHUNKED, body=in_chunks(BODY))
        self.assertEqual(status, 500)
        self.assertIn("body-in-chunks", log)
        self.assertEqual(names_in(self.path("root")), [])


if __name__ == "__main__":
    tool.main()
