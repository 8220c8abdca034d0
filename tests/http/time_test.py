"""Time: who is slow is waited for, who is silent is not; and how a server ends, and its log goes on."""

# labels: threads
import contextlib
import errno
import json
import os
import resource
import signal
import socket
import struct
import threading
import time

import tool
from http_server import Server
from serving import Closed, ServeTest
from tool import content

DATA = content(3 << 20)
IDLE = 1  # seconds of --idle-timeout here


def request(path="/f", *fields, method="GET"):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *fields, "", ""])


class SlowPeerTest(ServeTest):
    def slow_peer(self, server):
        connection = socket.socket()
        self.addCleanup(connection.close)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(tool.PATIENCE)
        connection.connect((server.host, server.port))
        return connection


class Slow(SlowPeerTest):
    """Progress is what the other side took or gave, however little at a time."""

    def slowly(self, step, count):
        """Calls `step` again and again, at a pace at which all of it outlasts the limit."""
        begun = time.monotonic()
        for _ in range(count):
            step()
            time.sleep(IDLE / 4)  # the pause is what is tested: the other side's slowness
        self.assertGreater(time.monotonic() - begun, 2 * IDLE)

    def test_a_slow_reader_gets_everything(self):
        server = self.serve("--idle-timeout", str(IDLE))
        self.make("root/f", DATA)
        peer = self.slow_peer(server)
        peer.sendall(request("/f", "Connection: close").encode())
        got = bytearray()
        self.slowly(lambda: got.extend(peer.recv(8192)), 12)
        got += tool.receive_all(peer)
        self.assertSameBytes(bytes(got).split(b"\r\n\r\n", 1)[1], DATA)

    def test_a_slow_writer_is_waited_for(self):
        server = self.serve("--upload", "--idle-timeout", str(IDLE))
        peer = self.talk_to(server)
        peer.send(request("/f", "Content-Length: 120", method="PUT"))
        self.slowly(lambda: peer.send(b"0123456789"), 12)
        self.assertEqual(peer.answer("PUT").status, 201)
        self.assertContent(server.path("f"), b"0123456789" * 12)

    def test_a_slow_server_is_waited_for_by_get(self):
        def script(peer):
            peer.request()
            peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 120\r\n\r\n")
            self.slowly(lambda: peer.send(b"0123456789"), 12)

        with Server(script) as server:
            done = self.run_tool("get", "--idle-timeout", str(IDLE), server.url(), self.path("f"))
        self.assertStatus(done, 0)
        self.assertContent(self.path("f"), b"0123456789" * 12)

    def test_a_slow_server_is_waited_for_by_put(self):
        bodies = []

        def script(peer):
            asked = peer.head()
            body = bytearray()
            self.slowly(lambda: body.extend(peer.take(8192)), 12)
            bodies.append(bytes(body) + peer.take(asked.length - len(body)))
            peer.answer(201)

        with Server(script, receive_buffer=4096) as server:
            done = self.run_tool("put", "--idle-timeout", str(IDLE), "--expect", "never",
                                 self.make("f", DATA), server.url())
        self.assertStatus(done, 0)
        self.assertSameBytes(bodies[0], DATA)

    def test_a_rate_that_is_our_own_is_no_silence(self):
        server = self.serve("--idle-timeout", str(IDLE), "--limit-rate", "30KiB")
        self.make("root/f", DATA[:100_000])
        self.assertSameBytes(self.talk_to(server).get("/f").body, DATA[:100_000])


class Silent(ServeTest):
    """The connection of one who does nothing is ended; others notice nothing."""

    def setUp(self):
        super().setUp()
        self.log = self.path("log")
        self.server = self.serve("--upload", "--idle-timeout", str(IDLE), "--log", self.log,
                                 "--log-format", "json")
        self.make("root/f", DATA * 4)

    def logged(self, count=1):
        def lines():
            with open(self.log, encoding="ascii") as file:
                found = [json.loads(line) for line in file]
            return found if len(found) >= count else None

        return tool.until(lines, "it is logged")

    def test_that_takes_nothing_of_its_answer(self):
        peer = self.talk_to(self.server)
        peer.send(request())
        line = self.logged()[0]
        self.assertIn("--idle-timeout", line["refusal"])
        self.assertLess(line["bytes"], len(DATA) * 4)
        with self.assertRaises((ConnectionResetError, Closed)):
            peer.answer()

    def test_that_sends_nothing_of_its_body(self):
        peer = self.talk_to(self.server)
        peer.send(request("/new", "Content-Length: 1000", method="PUT"), b"some")
        with contextlib.suppress(ConnectionResetError, Closed):
            self.assertEqual(peer.answer("PUT").status, 408)
        self.assertIn("--idle-timeout", self.logged()[0]["refusal"])
        self.assertFalse(os.path.exists(self.server.path("new")))
        self.assertOnly("f", folder=self.server.root)

    def test_that_asks_for_nothing(self):
        peer = self.talk_to(self.server)
        self.assertEqual(peer.get("/none").status, 404)
        self.assertTrue(peer.ended())
        self.assertTrue(self.talk_to(self.server).ended())
        self.assertEqual(len(self.logged()), 1)

    def test_that_does_not_end_its_head(self):
        peer = self.talk_to(self.server)
        peer.send("GET / HTTP/1.1\r\nHost:")
        self.assertEqual(peer.answer().status, 408)
        self.assertTrue(peer.ended())

    def test_nobody_else_is_held_up(self):
        silent = [self.talk_to(self.server) for _ in range(20)]
        for peer in silent:
            peer.send(request())
        self.assertSameBytes(self.talk_to(self.server).get("/f").body, DATA * 4)


class Heads(ServeTest):
    def test_that_drip_are_cut_by_their_own_limit(self):
        server = self.serve("--head-timeout", "1")
        peer = self.talk_to(server)
        ended = threading.Event()

        def drip():
            with contextlib.suppress(OSError):
                peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
                while not ended.wait(0.05):
                    peer.send("a: b\r\n")

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            answer = peer.answer()
        finally:
            ended.set()
            dripping.join()
        self.assertEqual(answer.status, 408)
        self.assertEqual(answer.field("Connection"), "close")

    def test_that_have_come_leave_the_body_its_time(self):
        server = self.serve("--upload", "--head-timeout", "0.5")
        peer = self.talk_to(server)
        peer.send(request("/f", "Content-Length: 5", method="PUT"))
        for byte in b"1234":
            peer.send(bytes([byte]))
            self.assertFalse(peer.says_something(0.2), "before the body was whole")
        peer.send("5")
        self.assertEqual(peer.answer("PUT").status, 201)


class Gone(SlowPeerTest):
    def test_before_it_acknowledged_it_is_not_waited_for(self):
        server = self.serve("--log", self.path("log"), "--log-format", "json")
        self.make("root/f", DATA[:300_000])  # fits the send buffer but for the last bytes, which wait
        peer = self.slow_peer(server)
        peer.sendall(request().encode())
        peer.recv(100)
        tool.until(lambda: tool.asleep_in(server.pid), "the server waits")
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        peer.close()
        tool.until(lambda: os.path.getsize(self.path("log")), "it is over", 20)  # of an idle time-out of 60


class Crowded(ServeTest):
    def test_one_too_many_is_told(self):
        server = self.serve("--max-connections", "2", "--threads", "1")
        self.make("root/f", DATA)
        first, second = self.talk_to(server), self.talk_to(server)
        for peer in (first, second):
            self.assertEqual(peer.get("/f").status, 200)
        third = self.talk_to(server)
        answer = third.answer()
        self.assertEqual((answer.status, answer.field("Connection")), (503, "close"))
        self.assertIsNotNone(answer.field("Retry-After"))
        self.assertTrue(third.ended())
        self.assertSameBytes(first.get("/f").body, DATA)
        second.close()

        def room():
            newcomer = self.talk_to(server)
            with contextlib.suppress(OSError, Closed):
                return newcomer.get("/f").status == 200  # it stays: a refused one takes no place

        tool.until(room, "there is room again")

    def test_out_of_descriptors_it_pauses_and_goes_on(self):
        few = 64
        server = self.serve("--max-connections", "1000", "--threads", "1", preexec_fn=lambda:
                            resource.setrlimit(resource.RLIMIT_NOFILE, (few, few)))
        self.make("root/f", DATA)
        waiting = [self.talk_to(server) for _ in range(2 * few)]  # the kernel takes them all

        def pauses():
            return server.ticks_in(0.5) <= 5  # ten looks, and not a whole processor

        tool.until(lambda: len(tool.open_files(server.pid)) >= few - 2, "all are used up")
        tool.until(pauses, "it does not spin")
        for peer in waiting:
            peer.close()

        def answered():
            with contextlib.suppress(OSError, Closed):
                return self.talk_to(server).get("/f").body == DATA

        tool.until(answered, "it goes on")


class Ends(ServeTest):
    def begun(self, *options):
        """A server with an answer under way that its reader takes in his own time."""
        server = self.serve(*options)
        self.make("root/f", DATA * 8)
        peer = self.talk_to(server)
        peer.send(request())
        answer = peer.head()
        return server, peer, int(answer.field("Content-Length"))

    def refused(self, server):
        with socket.socket() as probe:
            return probe.connect_ex((server.host, server.port)) == errno.ECONNREFUSED

    def test_a_drain_lets_answers_end_and_takes_no_new_ones(self):
        server, peer, length = self.begun()
        idle = self.talk_to(server)
        self.assertEqual(idle.get("/none").status, 404)
        server.signal(signal.SIGTERM)
        self.assertTrue(idle.ended())
        tool.until(lambda: self.refused(server), "nobody else is taken")
        self.assertSameBytes(peer._take(length), DATA * 8)
        self.assertTrue(peer.ended())
        self.assertStatus(server.finish(), 0)

    def test_a_second_signal_ends_everything(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                server, peer, length = self.begun()
                server.signal(number)
                server.started.line_with("once more")
                server.signal(number)
                self.assertStatus(server.finish(), 128 + number)
                with self.assertRaises((Closed, ConnectionResetError)):
                    peer._take(length)

    def test_nothing_under_way_ends_at_once(self):
        server = self.serve()
        server.signal(signal.SIGINT)
        self.assertStatus(server.finish(), 0)


class Logs(ServeTest):
    def lines(self, path, count):
        def there():
            with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
                lines = file.read().splitlines()
                return lines if len(lines) >= count else None

        return tool.until(there, f"{path} has {count} lines")

    def test_sighup_opens_it_again(self):
        log, old = self.path("log"), self.path("log.1")
        server = self.serve("--log", log)
        peer = self.talk_to(server)
        peer.get("/one")
        self.assertEqual(len(self.lines(log, 1)), 1)
        os.rename(log, old)
        peer.get("/two")
        self.assertIn(b"/two", self.lines(old, 2)[1])
        server.signal(signal.SIGHUP)
        tool.until(lambda: os.path.exists(log), "it is open again")
        peer.get("/three")
        self.assertIn(b"/three", self.lines(log, 1)[0])
        self.assertEqual(len(self.lines(old, 2)), 2)
        self.assertEqual(peer.get("/none").status, 404)  # nobody's connection was lost

    def test_nobody_who_reads_it_holds_nobody_up(self):
        fifo = self.make_fifo("log")
        server = self.serve("--log", fifo)
        self.make("root/f", DATA[:10])
        peer = self.talk_to(server)
        long = "/" + "x" * 1000
        for _ in range(300):  # several times what a pipe holds
            self.assertEqual(peer.get(long).status, 404)
        self.assertSameBytes(peer.get("/f").body, DATA[:10])
        server.signal(signal.SIGTERM)
        self.assertStatus(server.finish(), 0)

    def test_a_pipe_that_is_full_holds_nobody_up(self):
        reader, writer = self.pipe()
        server = self.serve("--log", "-", stdout=writer)
        peer = self.talk_to(server)
        for _ in range(300):
            self.assertEqual(peer.get("/" + "x" * 1000).status, 404)
        self.assertFalse(tool.fcntl.fcntl(writer, tool.fcntl.F_GETFL) & os.O_NONBLOCK)
        tool.close_if_open(writer)
        pieces = []
        taking = threading.Thread(target=lambda: pieces.append(tool.read_all(reader)))
        taking.start()
        peer.get("/last")
        server.signal(signal.SIGTERM)
        self.assertStatus(server.finish(), 0)
        taking.join()
        lines = pieces[0].splitlines()
        self.assertIn(b"/last", b"".join(lines[-2:]))
        lost = sum(int(line.split()[0]) for line in lines if line.endswith((b"lost", b"lines lost")))
        self.assertEqual(len([line for line in lines if b"HTTP/1.1" in line]) + lost, 301)


if __name__ == "__main__":
    tool.main()
