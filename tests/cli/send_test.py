"""send: its socket's options, the orderly end, and peers that reset, stall or vanish."""

import contextlib
import errno
import os
import signal
import socket
import unittest

import tool
from tool import ToolTest, content

MIB = 1 << 20
DATA = content(MIB)


class Sending(ToolTest):
    """The test is the peer."""

    def send_to(self, server, *options, source=None):
        source = source or self.make("a", DATA)
        return self.start("send", *options, source, "127.0.0.1:%d" % server.getsockname()[1],
                          json_report=True)

    def sends(self, *options):
        server = self.listener()
        sender = self.send_to(server, *options)
        peer = self.accept(server)
        self.assertSameBytes(tool.receive_all(peer), DATA)
        peer.close()
        done = sender.finish()
        self.assertStatus(done, 0)
        return done.report


class Options(Sending):
    def test_loopback_is_not_paced(self):
        report = self.sends()
        default = tool.congestion_control()
        if default == "bbr":
            self.assertEqual(report["congestion"], {"in_force": "reno", "before": "bbr"})
        else:
            self.assertEqual(report["congestion"]["in_force"], default)

    @unittest.skipUnless(tool.congestion_control() == "bbr", "the default does not pace here")
    def test_the_text_says_what_was_changed(self):
        server = self.listener()
        sender = self.start("send", self.make("a", DATA), "127.0.0.1:%d" % server.getsockname()[1])
        peer = self.accept(server)
        tool.receive_all(peer)
        peer.close()
        self.assertStatus(sender.finish(), 0, "reno (was bbr)")

    def test_a_congestion_control_asked_for_is_taken(self):
        with open("/proc/sys/net/ipv4/tcp_allowed_congestion_control", encoding="ascii") as file:
            names = file.read().split()
        for name in names:
            with self.subTest(name):
                self.assertEqual(self.sends("--congestion", name)["congestion"]["in_force"], name)

    def test_a_congestion_control_that_is_none(self):
        done = self.run_tool("send", "--congestion", "none-such", self.make("a", DATA),
                             "127.0.0.1:%d" % self.listener().getsockname()[1])
        self.assertStatus(done, 1, "none-such", "congestion")

    def test_the_window_that_the_kernel_gave_is_told(self):
        report = self.sends("--window", "64KiB")
        # Linux gives the double of what is asked for.
        self.assertTrue(any("window of 64KiB" in note and "128KiB to send" in note
                            for note in report["notes"]), report["notes"])

    def test_a_window_on_a_unix_socket(self):
        server = self.listener(socket.AF_UNIX, self.path("s"))
        sender = self.start("send", "--window", "32KiB", self.make("a", DATA),
                            "unix:" + self.path("s"), json_report=True)
        peer = self.accept(server)
        self.assertSameBytes(tool.receive_all(peer), DATA)
        peer.close()
        self.assertStatus(sender.finish(), 0)


class OrderlyEnd(Sending):
    def test_a_peer_that_talks_back_and_reads_late_loses_nothing(self):
        for family in (socket.AF_INET, socket.AF_UNIX):
            with self.subTest(family.name):
                source = self.make("a", content(200_000))
                if family == socket.AF_UNIX:
                    server = self.listener(family, self.path("s"))
                    address = "unix:" + self.path("s")
                else:
                    server = self.listener(receive_buffer=1 << 20)
                    address = "127.0.0.1:%d" % server.getsockname()[1]
                sender = self.start("send", source, address, json_report=True)
                peer = self.accept(server)
                peer.sendall(b"unread words " * 1000)  # input that nobody reads turns a close into a reset
                tool.until_asleep(sender)  # all is sent: it waits for us
                self.assertSameBytes(tool.receive_all(peer), content(200_000))
                peer.close()
                self.assertStatus(sender.finish(), 0)

    def test_the_peer_sees_the_end_before_it_has_to_close(self):
        server = self.listener()
        sender = self.send_to(server)
        peer = self.accept(server)
        self.assertSameBytes(tool.receive_all(peer), DATA)  # ends: our side is half-closed
        self.assertIsNone(sender.process.poll())  # and it waits for the peer's end
        peer.sendall(b"thanks")
        peer.close()
        done = sender.finish()
        self.assertStatus(done, 0)
        self.assertEqual(done.report["acknowledged"], len(DATA))

    def test_a_peer_that_keeps_its_side_open_is_not_waited_for_for_ever(self):
        server = self.listener()
        sender = self.send_to(server)
        peer = self.accept(server)
        tool.receive_all(peer)
        done = sender.finish()
        self.assertStatus(done, 0)
        self.assertTrue(any("keeps its side open" in note for note in done.report["notes"]))


class BadPeers(Sending):
    def broken(self, done, *errors):
        self.assertEqual(done.status, 1, done)
        report = done.report
        told = [leg["error"] for leg in report["legs"] if leg["error"]]
        told += [report["error"]] if report["error"] else []
        self.assertIn(told[-1]["errno"], errors)
        self.assertLess(report["acknowledged"] or 0, report["expected"])
        self.assertIn(told[-1]["text"], done.err)
        return report

    def test_that_reset(self):
        for method in ("sendfile", "splice_pipe", "read_write"):
            with self.subTest(method):
                server = self.listener(receive_buffer=8192)
                source = self.make_sparse("a", 64 * MIB)
                sender = self.send_to(server, "--method", method, source=source)
                peer = self.accept(server)
                peer.recv(1000)
                tool.reset(peer)
                report = self.broken(sender.finish(), errno.EPIPE, errno.ECONNRESET)
                self.assertLess(report["bytes"], 64 * MIB)

    def test_that_reset_when_everything_was_sent_but_not_read(self):
        server = self.listener()
        sender = self.send_to(server, source=self.make("a", b"small"))
        peer = self.accept(server)
        tool.until_asleep(sender)
        tool.reset(peer)
        done = sender.finish()
        # Acknowledged in full before the reset, or not: either way nothing is claimed wrongly.
        if done.status == 0:
            self.assertEqual(done.report["acknowledged"], 5)
        else:
            self.assertIn("reset", done.err)

    def test_that_never_read(self):
        server = self.listener(receive_buffer=8192)
        source = self.make_sparse("a", 64 * MIB)
        sender = self.send_to(server, "--idle-timeout", "1", source=source)
        peer = self.accept(server)
        done = sender.finish()
        report = self.broken(done, errno.ETIMEDOUT)
        self.assertIn("--idle-timeout", done.err)
        self.assertLess(report["bytes"], 64 * MIB)
        self.assertEqual(report["bytes"], report["legs"][-1]["bytes"])
        # What was acknowledged is what the peer's kernel holds.
        peer.setblocking(False)
        held = b""
        with contextlib.suppress(OSError):  # a reset may be all that is left
            held = tool.receive_all(peer)
        self.assertLessEqual(len(held), report["bytes"])

    def test_that_vanished(self):
        server = self.listener(receive_buffer=8192)
        source = self.make_sparse("a", 64 * MIB)
        sender = self.send_to(server, source=source)
        peer = self.accept(server)
        peer.recv(1000)
        peer.close()  # with unread input: a reset
        self.broken(sender.finish(), errno.EPIPE, errno.ECONNRESET)

    def test_that_ended_a_unix_socket(self):
        server = self.listener(socket.AF_UNIX, self.path("s"))
        source = self.make_sparse("a", 64 * MIB)
        sender = self.start("send", source, "unix:" + self.path("s"), json_report=True)
        peer = self.accept(server)
        peer.recv(1000)
        peer.close()
        self.broken(sender.finish(), errno.EPIPE, errno.ECONNRESET)

    def test_a_source_that_shrinks_is_status_4(self):
        server = self.listener(receive_buffer=8192)
        source = self.make_sparse("a", 64 * MIB)
        sender = self.send_to(server, source=source)
        peer = self.accept(server)
        tool.until_asleep(sender)
        os.truncate(source, 1000)
        # A part must not look like the whole: the stream ends by a reset.
        self.assertRaises(ConnectionResetError, tool.receive_all, peer)
        done = sender.finish()
        self.assertStatus(done, 4, "incomplete")
        self.assertLess(done.report["bytes"], 64 * MIB)
        self.assertLessEqual(done.report["acknowledged"], done.report["bytes"])


class SlowReaders(Sending):
    def test_get_identical_bytes_in_order(self):
        data = content(4 * MIB, 9)
        source = self.make("a", data)
        for method in ("sendfile", "splice_pipe", "read_write"):
            with self.subTest(method):
                server = self.listener(receive_buffer=4096)
                sender = self.send_to(server, "--method", method, source=source)
                peer = self.accept(server)
                sizes, arrived = tool.random.Random(1), bytearray()
                while piece := peer.recv(sizes.choice((1, 7, 1460, 4097, 65536, 200_000))):
                    arrived += piece
                self.assertSameBytes(bytes(arrived), data)
                peer.close()
                self.assertStatus(sender.finish(), 0)

    def test_are_not_silent_while_they_read(self):
        server = self.listener(receive_buffer=4096)
        source = self.make("a", DATA)
        sender = self.send_to(server, "--idle-timeout", "5", source=source)
        peer = self.accept(server)
        tool.until_asleep(sender)
        self.assertSameBytes(tool.receive_all(peer), DATA)
        peer.close()
        self.assertStatus(sender.finish(), 0)


class Signals(Sending):
    def test_an_interrupted_send_tells_what_had_been_acknowledged(self):
        server = self.listener(receive_buffer=8192)
        sender = self.send_to(server, source=self.make_sparse("a", 64 * MIB))
        peer = self.accept(server)
        tool.until_asleep(sender)
        sender.signal(signal.SIGINT)
        done = sender.finish(tool.WATCHDOG)
        self.assertStatus(done, 130, "interrupted")
        self.assertEqual(done.report["outcome"], "interrupted")
        self.assertLess(done.report["bytes"], 64 * MIB)
        peer.close()


if __name__ == "__main__":
    tool.main()
