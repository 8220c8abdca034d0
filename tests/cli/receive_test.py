"""receive: into files, FIFOs and standard output, from peers that drip, reset or fall silent."""
# labels: strace

import errno
import os
import re
import signal
import socket
import subprocess
import unittest

import tool
from tool import IS_ROOT, ToolTest, content

MIB = 1 << 20
DATA = content(3 * MIB + 17)


class Receiving(ToolTest):
    """The test is the sender."""

    def receive(self, *options, file=None, where="127.0.0.1:0", **popen):
        return self.start("receive", *options, where, file or self.path("b"), json_report=True, **popen)

    def peer_of(self, receiver):
        return self.connect(receiver.port())


class IntoFiles(Receiving):
    def test_an_existing_file_is_emptied_and_written_in_place(self):
        for old in (content(5 * MIB, 2), b"short"):
            there = self.make("b", old)
            before = os.stat(there).st_ino
            receiver = self.receive()
            peer = self.peer_of(receiver)
            peer.sendall(DATA)
            peer.close()
            self.assertStatus(receiver.finish(), 0)
            self.assertContent(there, DATA)
            self.assertEqual(os.stat(there).st_ino, before)

    def test_the_old_content_stays_until_a_peer_comes(self):
        there = self.make("b", b"old")
        receiver = self.receive()
        receiver.address()
        receiver.signal(signal.SIGINT)
        self.assertStatus(receiver.finish(tool.WATCHDOG), 130)
        self.assertContent(there, b"old")

    def test_a_symbolic_link_is_followed(self):
        self.make("target", b"old")
        os.symlink("target", self.path("b"))
        receiver = self.receive()
        peer = self.peer_of(receiver)
        peer.sendall(b"new")
        peer.close()
        self.assertStatus(receiver.finish(), 0)
        self.assertContent(self.path("target"), b"new")

    def test_space_reserved_ahead_is_given_back(self):
        for size in (0, 1, len(DATA)):
            with self.subTest(size):
                receiver = self.receive()
                peer = self.peer_of(receiver)
                peer.sendall(DATA[:size])
                peer.close()
                self.assertStatus(receiver.finish(), 0)
                status = os.stat(self.path("b"))
                self.assertEqual(status.st_size, size)
                self.assertLess(status.st_blocks * 512, size + MIB)  # 64 MiB were reserved

    def test_a_directory_is_refused_before_anybody_waits(self):
        done = self.run_tool("receive", "127.0.0.1:0", self.folder)
        self.assertStatus(done, 1, "is a directory")
        self.assertNotIn("listening", done.err)

    def test_what_cannot_be_written_is_refused_before_anybody_waits(self):
        program = self.path("b")
        tool.shutil.copy(tool.shutil.which("sleep"), program)
        self.program(program, "600")  # a program that runs cannot be written, not even by root
        done = self.run_tool("receive", "127.0.0.1:0", program)
        self.assertStatus(done, 1, "cannot write to", "Text file busy")
        self.assertNotIn("listening", done.err)

    @tool.needs("strace")
    def test_a_write_error_that_only_closing_tells(self):
        there = self.make("b", b"old")
        receiver = self.receive(wrap=tool.strace("-f", "-P", there, "-e", "trace=close",
                                                 "-e", "inject=close:error=EIO"))
        peer = self.peer_of(receiver)
        peer.sendall(DATA)
        peer.close()
        done = receiver.finish()
        self.assertStatus(done, 1, "close: Input/output error")
        self.assertEqual(done.report["outcome"], "failed")
        self.assertEqual(done.report["error"]["call"], "close")
        self.assertEqual(done.report["bytes"], len(DATA))

    @tool.needs("strace")
    def test_a_late_write_error_does_not_hide_what_came_first(self):
        there = self.make("b", b"old")
        receiver = self.receive("--idle-timeout", "0.2",
                                wrap=tool.strace("-f", "-P", there, "-e", "trace=close",
                                                 "-e", "inject=close:error=EIO"))
        self.peer_of(receiver).sendall(b"some")
        done = receiver.finish()
        self.assertStatus(done, 1, "timed out")
        self.assertTrue(any("close: Input/output error" in note for note in done.report["notes"]))

    def test_a_window_is_told(self):
        receiver = self.receive("--window", "64KiB")
        peer = self.peer_of(receiver)
        peer.sendall(DATA)
        peer.close()
        done = receiver.finish()
        self.assertStatus(done, 0)
        self.assertContent(self.path("b"), DATA)
        self.assertTrue(any("window of 64KiB" in note for note in done.report["notes"]))

    def test_a_range_is_no_option_of_receive(self):
        self.assertStatus(self.run_tool("receive", "--range", "0:1", "127.0.0.1:0", "b"), 2)


class IntoStreams(Receiving):
    def test_standard_output(self):
        receiver = self.receive(file="-")
        peer = self.peer_of(receiver)
        peer.sendall(content(50_000))
        peer.close()
        done = receiver.finish()
        self.assertStatus(done, 0)
        self.assertSameBytes(done.out, content(50_000))

    def test_a_fifo(self):
        fifo = self.make_fifo("p")
        receiver = self.receive(file=fifo)
        peer = self.peer_of(receiver)
        with open(fifo, "rb") as reader:
            peer.sendall(content(50_000))
            peer.close()
            self.assertSameBytes(reader.read(), content(50_000))
        self.assertStatus(receiver.finish(), 0)

    def test_a_file_that_appends(self):
        log = self.make("log", b"OLD\n")
        with open(log, "ab") as output:
            receiver = self.receive(file="-", stdout=output)
        peer = self.peer_of(receiver)
        peer.sendall(DATA)
        peer.close()
        done = receiver.finish()
        self.assertStatus(done, 0)
        self.assertContent(log, b"OLD\n" + DATA)
        self.assertEqual(done.report["class"], "user")

    def test_a_reader_that_goes_away(self):
        reader, writer = self.pipe()
        receiver = self.receive(file="-", stdout=writer)
        os.close(writer)
        peer = self.peer_of(receiver)
        peer.sendall(b"first")
        self.assertEqual(os.read(reader, 5), b"first")
        os.close(reader)
        # The peer sends nothing more: only the lost reader can end this.
        done = receiver.finish(tool.WATCHDOG)
        self.assertStatus(done, 1, "Broken pipe", "reader went away")
        self.assertEqual(done.report["bytes"], 5)

    def test_a_reader_that_is_slow_gets_every_byte(self):
        reader, writer = self.pipe(4096)
        receiver = self.receive(file="-", stdout=writer)
        os.close(writer)
        peer = self.peer_of(receiver)
        sender = tool.threading.Thread(target=lambda: (peer.sendall(DATA), peer.close()))
        sender.start()
        sizes, arrived = tool.random.Random(3), bytearray()
        while piece := os.read(reader, sizes.choice((1, 7, 1460, 4097, 65536))):
            arrived += piece
        sender.join()
        self.assertSameBytes(bytes(arrived), DATA)
        self.assertStatus(receiver.finish(), 0)


class BadPeers(Receiving):
    def test_what_came_before_a_reset_stays_with_its_count(self):
        receiver = self.receive()
        peer = self.peer_of(receiver)
        peer.sendall(DATA[:100_000])
        tool.until(lambda: os.path.exists(self.path("b"))
                   and os.path.getsize(self.path("b")) == 100_000, "it arrives")
        tool.reset(peer)
        done = receiver.finish()
        self.assertStatus(done, 1, "Connection reset by peer", "after 100000 bytes")
        self.assertEqual(done.report["bytes"], 100_000)
        self.assertContent(self.path("b"), DATA[:100_000])
        self.assertLess(os.stat(self.path("b")).st_blocks * 512, MIB)

    def test_what_came_before_a_silence_stays_with_its_count(self):
        receiver = self.receive("--idle-timeout", "0.2")
        peer = self.peer_of(receiver)
        peer.sendall(DATA[:100_000])
        done = receiver.finish()
        self.assertStatus(done, 1, "timed out", "fell silent")
        self.assertEqual(done.report["legs"][-1]["error"]["errno"], errno.ETIMEDOUT)
        self.assertEqual(done.report["bytes"], 100_000)
        self.assertContent(self.path("b"), DATA[:100_000])

    def test_what_came_before_a_signal_stays_with_its_count(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            receiver = self.receive()
            peer = self.peer_of(receiver)
            peer.sendall(DATA[:100_000])
            tool.until(lambda: os.path.exists(self.path("b"))
                       and os.path.getsize(self.path("b")) == 100_000, "it arrives")
            receiver.signal(number)
            done = receiver.finish(tool.WATCHDOG)
            self.assertStatus(done, 128 + number, "interrupted", "after 100000 bytes")
            self.assertContent(self.path("b"), DATA[:100_000])
            os.unlink(self.path("b"))

    @unittest.skipUnless(IS_ROOT, "mounting needs root")
    def test_a_full_disk_keeps_what_there_was_room_for(self):
        if not tool.own_mounts():
            self.skipTest("this sandbox has no mount namespaces")
        disk = self.make_folder("disk")
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        receiver = self.receive(file=self.path("disk/b"))
        peer = self.peer_of(receiver)
        try:
            peer.sendall(DATA)
        except OSError as error:  # it may give up while we still send
            self.assertIn(error.errno, (errno.EPIPE, errno.ECONNRESET))
        done = receiver.finish()
        self.assertStatus(done, 1, "No space left on device", "tmpfs is full")
        moved = done.report["bytes"]
        self.assertEqual(os.path.getsize(self.path("disk/b")), moved)
        self.assertContent(self.path("disk/b"), DATA[:moved])

    def test_a_unix_peer_that_vanishes_is_an_end(self):
        receiver = self.receive(where="unix:" + self.path("s"))
        receiver.address()
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(self.path("s"))
        peer.sendall(b"all of it")
        peer.close()
        self.assertStatus(receiver.finish(), 0)
        self.assertContent(self.path("b"), b"all of it")


@tool.needs("strace")
class Dripping(Receiving):
    """Waiting is sleeping: the number of system calls follows the number of drips."""

    DRIPS = 100

    def total(self, file):
        with open(file, encoding="utf-8") as lines:
            counts = dict(re.findall(r"^\s*(\w+)\s+(\d+)\s*$", lines.read(), re.MULTILINE))
        # What a start costs is no waiting.
        waiting = ("poll", "ppoll", "splice", "recvfrom", "read", "write", "preadv2", "pwritev2",
                   "sendto", "epoll_wait", "clock_nanosleep", "ioctl", "fallocate")
        return sum(int(count) for name, count in counts.items() if name in waiting)

    def drip(self, peer, seen):
        for number in range(self.DRIPS):
            peer.send(bytes([number]))
            tool.until(lambda: seen() > number, "the drip arrives")

    def test_into_a_file(self):
        for method in ("splice_pipe", "read_write"):
            with self.subTest(method):
                counts = self.path("counts")
                receiver = self.receive("--method", method, wrap=[
                    "strace", "-f", "-qq", "-c", "-U", "name,calls", "-o", counts])
                peer = self.peer_of(receiver)
                there = self.path("b")
                self.drip(peer, lambda: os.path.exists(there) and os.path.getsize(there))
                peer.sendall(DATA)
                peer.close()
                self.assertStatus(receiver.finish(), 0)
                self.assertContent(there, bytes(range(self.DRIPS)) + DATA)
                turns = self.DRIPS + len(DATA) // 1024  # each may carry as little as a small segment
                self.assertLess(self.total(counts), 12 * turns)
                os.unlink(there)

    def test_while_nothing_comes_nothing_is_called(self):
        counts = self.path("counts")
        receiver = self.receive(wrap=["strace", "-f", "-qq", "-c", "-U", "name,calls", "-o", counts])
        peer = self.peer_of(receiver)
        there = self.path("b")
        self.drip(peer, lambda: os.path.exists(there) and os.path.getsize(there))
        peer.close()
        self.assertStatus(receiver.finish(), 0)
        self.assertLess(self.total(counts), 12 * self.DRIPS + 300)


if __name__ == "__main__":
    tool.main()
