"""Bytes that a peer on this machine has not read are still pages of the file: who protects them."""

import array
import fcntl
import os
import socket
import termios
import unittest

import tool
from tool import content

SIZE = 240 << 10
OLD, NEW = content(SIZE, 1), content(SIZE, 2)
KEPT, PAGE = 1000, 4096  # a truncation clears the rest of the page, at least
PIPE_SIZE = 32 << 10  # fits into a pipe with whatever is held back


def unread(descriptor):
    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0]


class Exposure(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.source = self.make("source", OLD)

    def overwrite(self):
        with open(self.source, "r+b") as file:
            file.write(NEW)

    def replace(self):
        os.rename(self.make("other", NEW), self.source)

    def truncate(self):
        os.truncate(self.source, KEPT)

    def sent(self, contract, change, wishes=()):
        """Everything has arrived and nothing is read: then the source changes, then the peer reads."""
        server = self.listener(receive_buffer=4 * SIZE)
        address = f"127.0.0.1:{server.getsockname()[1]}"
        started = self.start("send", self.source, address, contract, *wishes, json_report=True)
        peer = self.accept(server)
        tool.until(lambda: unread(peer.fileno()) == SIZE, "all bytes are in the peer's queue")
        change()
        got = tool.receive_until_reset(peer)
        peer.close()
        done = started.finish()
        self.assertStatus(done, 0)
        self.assertEqual(len(got), SIZE)
        return got, done.report

    def changed(self, got, old):
        self.assertTrue(got != old, "none of the bytes followed the file")

    def exposed(self, report):
        self.assertEqual(report["contract"]["exposure"], "peer-memory")

    def test_live_shows_an_overwrite_to_a_peer_that_has_not_read(self):
        got, report = self.sent("--live", self.overwrite)
        self.changed(got, OLD)
        self.exposed(report)

    def test_live_shows_zeros_after_a_truncation(self):
        got, report = self.sent("--live", self.truncate)
        self.assertSameBytes(got[:PAGE], OLD[:KEPT].ljust(PAGE, b"\0"))
        self.exposed(report)

    def test_guarded_shows_it_too_and_says_so(self):
        got, report = self.sent("--guarded", self.overwrite)
        self.changed(got, OLD)
        self.assertIn(report["contract"]["evidence"], ("lease", "times"))
        self.exposed(report)

    def test_acknowledged_bytes_are_exposed_as_well(self):
        _, report = self.sent("--guarded", self.overwrite)
        self.assertEqual(report["acknowledged"], SIZE)
        self.exposed(report)

    def test_stable_does_not(self):
        for change in (self.overwrite, self.truncate):
            with self.subTest(change=change.__name__):
                self.make("source", OLD)
                got, report = self.sent("--stable", change)
                self.assertSameBytes(got, OLD)
                self.assertIsNone(report["contract"]["exposure"])

    def test_a_copying_method_is_not_exposed_under_any_contract(self):
        for contract in ("--live", "--guarded"):
            with self.subTest(contract=contract):
                self.make("source", OLD)
                got, report = self.sent(contract, self.overwrite, ["--method", "read_write"])
                self.assertSameBytes(got, OLD)
                self.assertIsNone(report["contract"]["exposure"])

    def test_a_file_that_takes_the_sources_name_is_never_seen(self):
        got, _ = self.sent("--live", self.replace)
        self.assertSameBytes(got, OLD)

    def piped(self, *contract):
        """A pipe is read only after its writer has ended and the source has changed."""
        self.make("source", OLD[:PIPE_SIZE])
        reader, writer = self.pipe()
        started = self.start("copy", self.source, "-", *contract, json_report=True, stdout=writer)
        os.close(writer)
        tool.until(lambda: unread(reader) == PIPE_SIZE, "all bytes are in the pipe")
        self.overwrite()
        got = tool.read_all(reader)
        done = started.finish()
        self.assertStatus(done, 0)
        return got, done.report

    def test_live_shows_it_to_the_reader_of_a_pipe(self):
        got, report = self.piped("--live")
        self.changed(got, OLD[:PIPE_SIZE])
        self.exposed(report)

    def test_a_copy_to_a_pipe_is_stable_unless_told_otherwise(self):
        got, report = self.piped()
        self.assertSameBytes(got, OLD[:PIPE_SIZE])
        self.assertEqual(report["contract"]["name"], "stable")
        self.assertIsNone(report["contract"]["exposure"])

    def test_the_reader_of_a_unix_socket_is_a_peer_on_this_machine(self):
        path = self.path("s")
        server = self.listener(socket.AF_UNIX, path)
        size = 100 << 10
        self.make("source", OLD[:size])
        started = self.start("send", self.source, "unix:" + path, "--live", json_report=True)
        peer = self.accept(server)
        tool.until(lambda: unread(peer.fileno()) == size, "all bytes are in the peer's queue")
        self.overwrite()
        got = tool.receive_all(peer)
        peer.close()
        done = started.finish()
        self.assertStatus(done, 0)
        self.changed(got, OLD[:size])
        self.exposed(done.report)


if __name__ == "__main__":
    tool.main()
