"""send and receive among themselves and with socat and nc, in both directions."""

import os
import socket
import unittest

import tool
from tool import ToolTest, content

DATA = content(3_000_001)


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as server:
            server.bind(("::1", 0))
        return True
    except OSError:
        return False


class WithItself(ToolTest):
    def moves(self, where, to=None, source_data=DATA):
        """Listens at `where`; `to` makes the sender's address of the receiver's."""
        source = self.make("a", source_data)
        receiver = self.start("receive", where, self.path("b"), json_report=True)
        address = receiver.address()
        sender = self.start("send", source, to(address) if to else address, json_report=True)
        sent, received = sender.finish(), receiver.finish()
        self.assertStatus(sent, 0)
        self.assertStatus(received, 0)
        self.assertContent(self.path("b"), source_data)
        for done in (sent, received):
            self.assertEqual(done.report["bytes"], len(source_data))
        return sent.report, received.report

    def test_over_ipv4(self):
        sent, received = self.moves("127.0.0.1:0")
        self.assertEqual(sent["acknowledged"], len(DATA))
        self.assertEqual((sent["class"], received["class"]), ("kernel", "kernel"))

    @unittest.skipUnless(has_ipv6(), "no IPv6 here")
    def test_over_ipv6(self):
        self.moves("[::1]:0")

    def test_by_name(self):
        self.moves("localhost:0", lambda address: "localhost:" + address.rsplit(":", 1)[1])

    def test_on_every_address(self):
        self.moves(":0", lambda address: "127.0.0.1:" + address.rsplit(":", 1)[1])

    def test_over_a_unix_socket_that_is_removed_at_the_end(self):
        sent, _ = self.moves("unix:" + self.path("s"))
        self.assertEqual(sent["congestion"], None)
        self.assertFalse(os.path.exists(self.path("s")))

    def test_over_an_abstract_unix_socket(self):
        self.moves("unix:@headrace-test-%d" % os.getpid())

    def test_an_empty_file(self):
        self.moves("127.0.0.1:0", source_data=b"")
        self.moves("unix:" + self.path("s"), source_data=b"")

    def test_one_byte(self):
        self.moves("127.0.0.1:0", source_data=b"x")

    def test_the_sender_may_listen_and_the_receiver_connect(self):
        for where in ("127.0.0.1:0", "unix:" + self.path("s")):
            with self.subTest(where):
                sender = self.start("send", "--listen", self.make("a", DATA), where,
                                    json_report=True)
                receiver = self.start("receive", "--connect", sender.address(), self.path("b"))
                self.assertStatus(receiver.finish(), 0)
                self.assertStatus(sender.finish(), 0)
                self.assertContent(self.path("b"), DATA)

    def test_standard_input_to_standard_output(self):
        receiver = self.start("receive", "127.0.0.1:0", "-")
        reader, writer = self.pipe()
        sender = self.start("send", "-", receiver.address(), stdin=reader)
        os.close(reader)
        with open(writer, "wb") as stream:
            stream.write(DATA[:1_000_000])
        done = receiver.finish()
        self.assertSameBytes(done.out, DATA[:1_000_000])
        self.assertStatus(done, 0)
        self.assertStatus(sender.finish(), 0)

    def test_a_unix_socket_file_left_behind_by_a_killed_listener_is_taken_over(self):
        path = self.path("s")
        killed = self.start("receive", "unix:" + path, self.path("b"))
        killed.address()
        killed.signal(tool.signal.SIGKILL)
        killed.finish()
        self.assertTrue(os.path.exists(path))
        self.moves("unix:" + path)

    def test_a_file_in_the_way_of_a_unix_socket_stays(self):
        path = self.make("s", b"precious")
        done = self.run_tool("receive", "unix:" + path, self.path("b"))
        self.assertStatus(done, 1, path)
        self.assertContent(path, b"precious")

    def test_an_address_in_use(self):
        port = self.listener().getsockname()[1]
        done = self.run_tool("receive", "127.0.0.1:%d" % port, self.path("b"))
        self.assertStatus(done, 1, "Address already in use", "127.0.0.1:%d" % port)
        self.assertOnly()

    def test_nobody_listens(self):
        server = self.listener()
        address = "127.0.0.1:%d" % server.getsockname()[1]
        server.close()
        done = self.run_tool("send", self.make("a", DATA), address)
        self.assertStatus(done, 1, "Connection refused", address, "start the receiver first")
        done = self.run_tool("send", self.make("a", DATA), "unix:" + self.path("none"))
        self.assertStatus(done, 1, self.path("none"), "No such file", "start the receiver first")

    def test_a_name_that_nobody_has(self):
        done = self.run_tool("send", self.make("a", DATA), "no-such-host.invalid:80")
        self.assertStatus(done, 1, "no-such-host.invalid")

    def test_an_address_of_another_machine_cannot_be_listened_on(self):
        done = self.run_tool("receive", "192.0.2.1:0", self.path("b"))
        self.assertStatus(done, 1, "192.0.2.1", "not one of this machine's")


@tool.needs("socat")
class WithSocat(ToolTest):
    def socat_to(self, receiver, address):
        source = self.make("a", DATA)
        socat = self.program("socat", "-u", f"OPEN:{source},rdonly", address)
        done = receiver.finish()
        self.assertStatus(done, 0)
        self.assertContent(self.path("b"), DATA)
        self.assertStatus(socat.finish(), 0)
        return done

    def test_sends_to_us_over_tcp(self):
        receiver = self.start("receive", "127.0.0.1:0", self.path("b"))
        self.socat_to(receiver, "TCP:" + receiver.address())

    @unittest.skipUnless(has_ipv6(), "no IPv6 here")
    def test_sends_to_us_over_ipv6(self):
        receiver = self.start("receive", "[::1]:0", self.path("b"))
        self.socat_to(receiver, "TCP6:" + receiver.address())

    def test_sends_to_us_over_a_unix_socket(self):
        receiver = self.start("receive", "unix:" + self.path("s"), self.path("b"))
        receiver.address()
        self.socat_to(receiver, "UNIX-CONNECT:" + self.path("s"))

    def socat_listening(self, address):
        """socat, its port found in what it logs when it listens."""
        socat = self.program("socat", "-d", "-d", "-u", address, f"OPEN:{self.path('b')},creat,trunc")
        return socat, socat.line_with("listening on ").rsplit(" ", 1)[1]

    def test_receives_from_us_over_tcp(self):
        socat, where = self.socat_listening("TCP4-LISTEN:0,bind=127.0.0.1")
        done = self.run_tool("send", self.make("a", DATA), "127.0.0.1:" + where.rsplit(":", 1)[1],
                             json_report=True)
        self.assertStatus(done, 0)
        self.assertStatus(socat.finish(), 0)
        self.assertContent(self.path("b"), DATA)
        self.assertEqual(done.report["acknowledged"], len(DATA))

    def test_receives_from_us_over_a_unix_socket(self):
        socat, _ = self.socat_listening("UNIX-LISTEN:" + self.path("s"))
        self.assertStatus(self.run_tool("send", self.make("a", DATA), "unix:" + self.path("s")), 0)
        self.assertStatus(socat.finish(), 0)
        self.assertContent(self.path("b"), DATA)

    def test_fetches_from_us_when_we_listen(self):
        sender = self.start("send", "--listen", self.make("a", DATA), "127.0.0.1:0")
        socat = self.program("socat", "-u", "TCP:" + sender.address(), "STDOUT")
        self.assertSameBytes(socat.finish().out, DATA)
        self.assertStatus(sender.finish(), 0)

    def test_we_fetch_from_it_when_it_listens(self):
        source = self.make("a", DATA)
        socat = self.program("socat", "-d", "-d", "-u", f"OPEN:{source}",
                             "TCP4-LISTEN:0,bind=127.0.0.1")
        port = socat.line_with("listening on ").rsplit(":", 1)[1]
        done = self.run_tool("receive", "--connect", "127.0.0.1:" + port, self.path("b"))
        self.assertStatus(done, 0)
        self.assertContent(self.path("b"), DATA)


@tool.needs("nc")
class WithNetcat(ToolTest):
    def test_sends_to_us(self):
        receiver = self.start("receive", "127.0.0.1:0", self.path("b"))
        with open(self.make("a", DATA), "rb") as source:
            nc = self.program("nc", "-N", "127.0.0.1", str(receiver.port()), stdin=source)
        self.assertStatus(receiver.finish(), 0)
        self.assertContent(self.path("b"), DATA)
        self.assertStatus(nc.finish(), 0)

    def test_sends_to_us_over_a_unix_socket(self):
        receiver = self.start("receive", "unix:" + self.path("s"), self.path("b"))
        receiver.address()
        with open(self.make("a", DATA), "rb") as source:
            nc = self.program("nc", "-N", "-U", self.path("s"), stdin=source)
        self.assertStatus(receiver.finish(), 0)
        self.assertContent(self.path("b"), DATA)
        self.assertStatus(nc.finish(), 0)

    def test_receives_from_us_when_we_listen(self):
        sender = self.start("send", "--listen", self.make("a", DATA), "127.0.0.1:0")
        nc = self.program("nc", "-d", "127.0.0.1", str(sender.port()))
        self.assertSameBytes(nc.finish().out, DATA)
        self.assertStatus(sender.finish(), 0)

    def test_receives_from_us_when_it_listens_on_a_unix_socket(self):
        nc = self.program("nc", "-l", "-U", self.path("s"))
        tool.until(lambda: os.path.exists(self.path("s")) and tool.asleep_in(nc.pid), "nc listens")
        sender = self.start("send", self.make("a", DATA), "unix:" + self.path("s"))
        self.assertSameBytes(nc.finish().out, DATA)
        self.assertStatus(sender.finish(), 0)


if __name__ == "__main__":
    tool.main()
