"""send --checked and receive --checked: right, wrong, broken off, and with peers that do not know it."""
# labels: strace

import os
import signal
import socket
import threading

import tool
from tool import ToolTest, content

MIB = 1 << 20
DATA = content(3 * MIB + 17)
GREETING = 20  # bytes
# Frames of docs/checked.md as bytes: their checksums are not in Python's library. Headers of a body
# of 5 bytes by its name, and the trailer of b"hello".
FRAMES = {
    b"../../x": bytes.fromhex(
        "894852424547494e00250001000000000000000000052e2e2f2e2e2f789f5d4f16d1551bd3"),
    b"/tmp/headrace-absolute-name": bytes.fromhex(
        "894852424547494e00390001000000000000000000052f746d702f68656164726163652d6162736f6c7574652d6e616d6545d0178539f7ee33"),
    b"a/b": bytes.fromhex(
        "894852424547494e0021000100000000000000000005612f62d7f237bed89a3a3b"),
    "huge": bytes.fromhex(  # 2^63 bytes
        "894852424547494e001f00010000800000000000000061f58c468240482f94"),
    "trailer": bytes.fromhex(
        "894852545241494c002a0000000000000005b5e9c1ad071b3e7fc779cfaa5e5238181b5cd2badd99acd6"),
}


class Checked(ToolTest):
    def receive(self, *options, file=None, where="127.0.0.1:0", **popen):
        return self.start("receive", "--checked", *options, where, file or self.path("b"),
                          json_report=True, **popen)

    def send(self, receiver, *options, source=None, **popen):
        return self.start("send", "--checked", *options, source or self.path("a"),
                          receiver.address(), json_report=True, **popen)

    def moves(self, *options, source=None, data=DATA, file=None, **popen):
        """Both reports of a transfer that is right."""
        if source is None:
            self.make("a", DATA)
        receiver = self.receive(file=file)
        sender = self.send(receiver, *options, source=source, **popen).finish()
        received = receiver.finish()
        self.assertStatus(sender, 0)
        self.assertStatus(received, 0)
        self.assertEqual(sender.report["check"]["answer"], "ok")
        self.assertEqual(sender.report["check"]["digest"], received.report["check"]["digest"])
        self.assertEqual(sender.report["bytes"], len(data))
        self.assertEqual(sender.report["acknowledged"], len(data))
        if file is None:
            self.assertContent(self.path("b"), data)
        return sender.report, received


class Right(Checked):
    def test_a_file_goes_by_the_kernel_and_is_hashed_beside_it(self):
        sent, received = self.moves()
        self.assertEqual(sent["class"], "kernel")
        self.assertEqual(received.report["class"], "kernel")
        for report in (sent, received.report):
            self.assertEqual(report["check"]["bytes"], len(DATA))
            self.assertTrue(report["check"]["reread"])
            self.assertEqual(report["expected"], len(DATA))
        self.assertEqual(received.report["check"]["name"], "a")

    def test_the_text_report_has_both_numbers(self):
        self.make("a", DATA)
        receiver = self.start("receive", "--checked", "127.0.0.1:0", self.path("b"))
        done = self.run_tool("send", "--checked", self.path("a"), receiver.address())
        self.assertStatus(done, 0, "hash         xxh3-128 ", "3MiB by a second read", "answer       ok")
        self.assertStatus(receiver.finish(), 0, "name         a", "answer       ok")

    def test_a_pipe_goes_in_chunks(self):
        for size in (0, 1, len(DATA)):
            with self.subTest(size):
                reader, writer = self.pipe()
                receiver = self.receive()
                sender = self.send(receiver, source="-", stdin=reader)
                os.close(reader)
                with os.fdopen(writer, "wb") as out:
                    out.write(DATA[:size])
                done = sender.finish()
                self.assertStatus(done, 0)
                self.assertStatus(receiver.finish(), 0)
                self.assertContent(self.path("b"), DATA[:size])
                self.assertFalse(done.report["check"]["reread"])
                self.assertIn("body-in-chunks", {r["reason"] for r in done.report["refused"]})

    def test_chunks_are_moved_by_no_other_method_than_reported(self):
        for wish in ("read_write", "vmsplice,read_write"):
            with self.subTest(wish):
                receiver = self.receive("--method", wish)
                done = self.send_piped(receiver, "--method", wish)
                self.assertStatus(done, 0)
                received = receiver.finish()
                self.assertStatus(received, 0)
                for report in (done.report, received.report):
                    self.assertEqual([leg["method"] for leg in report["legs"]], ["read_write"])
                    self.assertEqual(report["legs"][0]["copies_per_byte"], 2)
                self.assertContent(self.path("b"), b"hello")
                os.unlink(self.path("b"))

    def test_chunks_by_another_method_are_refused_by_either_side(self):
        for method in tool.all_methods():
            if method == "read_write":
                continue
            with self.subTest(method):
                receiver = self.receive()
                self.refused(self.send_piped(receiver, "--method", method), method)
                self.assertStatus(receiver.finish(), 1)
                receiver = self.receive("--method", method)
                done = self.send_piped(receiver)
                self.assertStatus(done, 1, "receiver")
                self.refused(receiver.finish(), method)
                self.assertOnly()

    def send_piped(self, receiver, *options):
        reader, writer = self.pipe()
        os.write(writer, b"hello")  # before a sender that refuses is gone
        os.close(writer)
        sender = self.send(receiver, *options, source="-", stdin=reader)
        os.close(reader)
        return sender.finish()

    def refused(self, done, method):
        self.assertStatus(done, 3)
        self.assertEqual(done.report["legs"], [])
        self.assertIn(method, {r["method"] for r in done.report["refused"] if r["reason"] != "not-named"})

    def test_files_whose_size_says_nothing(self):
        self.moves(source=self.make("empty"), data=b"")
        with open("/proc/version", "rb") as file:
            version = file.read()
        self.moves(source="/proc/version", data=version)

    def test_to_standard_output_and_a_fifo(self):
        self.make("a", DATA)
        receiver = self.receive(file="-")
        sender = self.send(receiver)
        done = receiver.finish()
        self.assertStatus(sender.finish(), 0)
        self.assertStatus(done, 0)
        self.assertSameBytes(done.out, DATA)
        fifo = self.make_fifo("f")
        receiver = self.receive(file=fifo)
        sender = self.send(receiver)
        with open(fifo, "rb") as file:
            self.assertSameBytes(file.read(), DATA)
        self.assertStatus(sender.finish(), 0)
        self.assertStatus(receiver.finish(), 0)

    def test_a_pipe_into_a_pipe(self):
        reader, writer = self.pipe()
        receiver = self.receive(file="-")
        sender = self.send(receiver, source="-", stdin=reader)
        os.close(reader)

        def write():
            with os.fdopen(writer, "wb") as out:
                out.write(DATA)

        threading.Thread(target=write, daemon=True).start()
        done = receiver.finish()
        self.assertStatus(sender.finish(), 0)
        self.assertStatus(done, 0)
        self.assertSameBytes(done.out, DATA)

    def test_unix_sockets_and_the_other_way_round(self):
        self.make("a", DATA)
        path = "unix:" + self.path("s")
        receiver = self.receive(where=path)
        receiver.address()
        sender = self.start("send", "--checked", self.path("a"), path)
        self.assertStatus(sender.finish(), 0)
        self.assertStatus(receiver.finish(), 0)
        self.assertContent(self.path("b"), DATA)
        sender = self.start("send", "--checked", "--listen", self.path("a"), "127.0.0.1:0")
        receiver = self.receive("--connect", where=sender.address(), file=self.path("c"))
        self.assertStatus(receiver.finish(), 0)
        self.assertStatus(sender.finish(), 0)
        self.assertContent(self.path("c"), DATA)

    def test_a_range_and_a_rate(self):
        self.make("a", DATA)
        self.moves("--range", "1000:5000", data=DATA[1000:6000], source=self.path("a"))
        self.moves("--range", "3MiB:", data=DATA[3 * MIB:], source=self.path("a"))
        self.moves("--limit-rate", "30MB", source=self.path("a"))

    def test_contracts_and_methods(self):
        source = self.make("a", DATA)
        for options in (["--stable"], ["--live"], ["--method", "sendfile"], ["--method", "read_write"],
                        ["--require", "kernel"]):
            with self.subTest(options):
                sent, _ = self.moves(*options, source=source)
                if options[0] == "--method":
                    self.assertEqual(tool.moved_by(sent), {options[1]: len(DATA)})

    def test_a_method_that_shows_the_bytes_needs_no_second_read(self):
        sent, _ = self.moves("--method", "read_write")
        self.assertFalse(sent["check"]["reread"])
        self.assertEqual(sent["check"]["bytes"], len(DATA))

    def test_a_stable_source_is_hashed_as_it_passes(self):
        sent, _ = self.moves("--stable")
        self.assertFalse(sent["check"]["reread"])
        receiver = self.receive()
        done = self.send(receiver, "--stable", "--require", "kernel").finish()
        self.assertStatus(done, 3)
        self.assertStatus(receiver.finish(), 1)

    @tool.needs("strace")
    def test_the_body_really_goes_by_the_kernel(self):
        self.make("a", DATA)
        trace = self.path("report-trace")
        wrap = ["strace", "-f", "-qq", "-y", "-s", "0", "-o", trace]
        self.moves(wrap=wrap, source=self.path("a"))
        import calls
        with open(trace, encoding="utf-8", errors="replace") as file:
            seen = calls.parse(file)
        to_socket = [call for call in seen if call.destination and "socket:" in call.destination.name]
        by_kernel = sum(c.moved for c in to_socket if c.name in ("splice", "sendfile"))
        by_us = sum(c.moved for c in to_socket if c.name in calls.WRITES)
        self.assertEqual(by_kernel, len(DATA))
        self.assertLess(by_us, 400)  # header and trailer
        second = sum(c.moved for c in seen if c.name == "pread64" and c.source
                     and c.source.name == os.path.realpath(self.path("a")))
        self.assertGreaterEqual(second, len(DATA))


class Names(Checked):
    """The receiver shows a name and does nothing else with it."""

    def test_strange_names_are_shown_and_not_used(self):
        for name in ("-rf", "..\n", "\x1b[2J", "n" * 255, "\\..\\x"):
            with self.subTest(name):
                os.mkdir(self.path("from"))
                source = self.make(os.path.join("from", name), b"hello")
                receiver = self.start("receive", "--checked", "127.0.0.1:0", self.path("b"))
                sender = self.run_tool("send", "--checked", "--quiet", "--", source, receiver.address())
                self.assertStatus(sender, 0)
                done = receiver.finish()
                self.assertStatus(done, 0)
                self.assertNotIn("\x1b", done.err)
                self.assertIn("name         ", done.err)
                self.assertContent(self.path("b"), b"hello")
                tool.shutil.rmtree(self.path("from"))
                self.assertOnly("b")

    def test_a_name_of_a_path_is_never_one(self):
        # The sender gives the last part only, so a peer that means ill is played by its bytes.
        for name in (b"../../x", b"/tmp/headrace-absolute-name", b"a/b"):
            with self.subTest(name):
                receiver = self.receive()
                peer = self.connect(receiver.port())
                tool_exactly(peer, GREETING)
                peer.sendall(FRAMES[name])
                peer.sendall(b"hello" + FRAMES["trailer"])
                peer.shutdown(socket.SHUT_WR)
                done = receiver.finish()
                self.assertStatus(done, 0)
                self.assertEqual(done.report["check"]["name"], name.decode())
                self.assertOnly("b")
                self.assertFalse(os.path.exists("/tmp/headrace-absolute-name"))


def tool_exactly(peer, size):
    got = b""
    while len(got) < size:
        piece = peer.recv(size - len(got))
        if not piece:
            raise AssertionError(f"ended after {got!r}")
        got += piece
    return got


class Wrong(Checked):
    def setUp(self):
        super().setUp()
        self.make("a", DATA)
        self.make("b", b"old")

    def through(self, receiver, change=lambda data: data, most=None):
        """A sender whose bytes pass through us on their way; returns it and what it heard."""
        server = self.listener()
        sender = self.start("send", "--checked", self.path("a"),
                            "127.0.0.1:%d" % server.getsockname()[1], json_report=True)
        near = self.accept(server)
        far = self.connect(receiver.port())
        far.settimeout(tool.PATIENCE)
        near.sendall(tool_exactly(far, GREETING))
        data = b""
        while most is None or len(data) < most:
            piece = near.recv(MIB)
            if not piece:
                break
            data += piece
        far.sendall(change(data[:most]))
        return sender, near, far

    def finish_through(self, sender, near, far):
        far.shutdown(socket.SHUT_WR)
        try:
            near.sendall(tool.receive_all(far))
        except OSError:
            pass
        near.close()
        return sender.finish()

    def test_a_changed_byte_is_status_6_on_both_sides_and_leaves_the_old_file(self):
        receiver = self.receive()

        def change(data):
            at = len(data) // 2
            return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]

        done = self.finish_through(*self.through(receiver, change))
        self.assertStatus(done, 6, "what arrived is not what was sent")
        received = receiver.finish()
        self.assertStatus(received, 6, "what arrived is not what was sent")
        self.assertEqual(received.report["outcome"], "mismatched")
        self.assertEqual(done.report["check"]["answer"], "mismatch")
        self.assertNotEqual(done.report["check"]["digest"], done.report["check"]["peer_digest"])
        self.assertContent(self.path("b"), b"old")
        self.assertOnly("a", "b")

    def test_a_stream_that_is_cut_leaves_the_old_file(self):
        receiver = self.receive()
        sender, near, far = self.through(receiver, most=MIB)
        far.close()
        near.close()
        self.assertStatus(sender.finish(), 1)
        done = receiver.finish()
        self.assertStatus(done, 1, "ended before everything had come")
        self.assertContent(self.path("b"), b"old")
        self.assertOnly("a", "b")

    def test_bytes_behind_the_trailer(self):
        receiver = self.receive()
        done = self.finish_through(*self.through(receiver, lambda data: data + b"x"))
        self.assertStatus(done, 1, "receiver")
        self.assertStatus(receiver.finish(), 1, "sent more than it should")
        self.assertContent(self.path("b"), b"old")

    def test_a_full_disk_is_told_to_the_sender(self):
        if not tool.own_mounts():
            self.skipTest("no mounts of one's own")
        place = self.make_folder("full")
        tool.subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", place], check=True)
        self.addCleanup(tool.subprocess.run, ["umount", place])
        receiver = self.receive(file=os.path.join(place, "b"))
        done = self.send(receiver).finish()
        self.assertStatus(done, 1, "receiver: No space left on device")
        self.assertEqual(done.report["check"]["answer"], "failed")
        received = receiver.finish()
        self.assertStatus(received, 1, "No space left on device")
        self.assertIn(f"the receiver had written {received.report['bytes']} bytes",
                      " ".join(done.report["notes"]))
        self.assertEqual(os.listdir(place), [])

    def test_what_cannot_be_written_is_refused_before_anybody_waits(self):
        done = self.run_tool("receive", "--checked", "127.0.0.1:0", self.path("none", "b"))
        self.assertStatus(done, 1, "none")
        self.assertNotIn("listening", done.err)

    def test_a_target_that_goes_away_is_told_to_the_sender(self):
        fifo = self.make_fifo("f")
        receiver = self.receive(file=fifo)
        where = receiver.address()
        os.unlink(fifo)
        done = self.run_tool("send", "--checked", self.path("a"), where)
        self.assertStatus(done, 1, "receiver: No such file or directory")
        self.assertStatus(receiver.finish(), 1, fifo, "No such file or directory")
        self.assertOnly("a", "b")

    def test_what_an_interrupted_run_left_is_named_and_stays(self):
        left = os.path.realpath(self.make(".b.headrace-000001", b"half of it"))
        receiver = self.receive()
        self.assertStatus(self.send(receiver).finish(), 0)
        received = receiver.finish()
        self.assertStatus(received, 0)
        self.assertIn(f"left by an interrupted run: {left}; remove it", received.report["notes"])
        self.assertContent(left, b"half of it")

    def test_killed_sender(self):
        receiver = self.receive()
        sender = self.send(receiver, "--limit-rate", "1MB")
        receiver.line_with("listening")
        tool.until(lambda: moved_to(receiver), "bytes arrive")
        sender.signal(signal.SIGKILL)
        self.assertStatus(sender.finish(), 137)
        self.assertStatus(receiver.finish(), 1)
        self.assertContent(self.path("b"), b"old")
        self.assertOnly("a", "b")

    def test_killed_receiver(self):
        receiver = self.receive()
        sender = self.send(receiver, "--limit-rate", "1MB")
        tool.until(lambda: moved_to(receiver), "bytes arrive")
        receiver.signal(signal.SIGKILL)
        self.assertStatus(receiver.finish(), 137)
        self.assertStatus(sender.finish(), 1)
        self.assertContent(self.path("b"), b"old")
        self.assertOnly("a", "b")

    def test_interrupted_sides(self):
        for number in (0, 1):
            with self.subTest(number):
                receiver = self.receive()
                sender = self.send(receiver, "--limit-rate", "1MB")
                tool.until(lambda: moved_to(receiver), "bytes arrive")
                sides = [sender, receiver]
                sides[number].signal(signal.SIGINT)
                self.assertStatus(sides[number].finish(tool.WATCHDOG), 130)
                self.assertStatus(sides[1 - number].finish(), 1)
                self.assertContent(self.path("b"), b"old")
                self.assertOnly("a", "b")

    def test_a_promise_of_more_than_there_can_be(self):
        receiver = self.receive()
        peer = self.connect(receiver.port())
        tool_exactly(peer, GREETING)
        peer.sendall(FRAMES["huge"] + b"hello")
        peer.shutdown(socket.SHUT_WR)
        done = receiver.finish()
        self.assertStatus(done, 1, "ended before everything had come", "after 5 of 9223372036854775808")
        self.assertContent(self.path("b"), b"old")
        self.assertOnly("a", "b")

    @tool.needs("strace")
    def test_a_promise_takes_no_space(self):
        trace = self.path("report-trace")
        receiver = self.receive(wrap=["strace", "-f", "-qq", "-e", "trace=fallocate", "-o", trace])
        peer = self.connect(receiver.port())
        tool_exactly(peer, GREETING)
        peer.sendall(FRAMES["huge"] + b"hello")
        peer.shutdown(socket.SHUT_WR)
        self.assertStatus(receiver.finish(), 1)
        with open(trace, encoding="utf-8") as file:
            self.assertEqual(file.read(), "")

    def test_a_source_that_changes_under_a_guard(self):
        receiver = self.receive()
        sender = self.send(receiver, "--guarded", "--limit-rate", "2MB")
        tool.until(lambda: moved_to(receiver), "bytes arrive")
        with open(self.path("a"), "r+b") as file:
            file.write(b"other")
        self.assertStatus(sender.finish(), 4)
        self.assertStatus(receiver.finish(), 1)
        self.assertContent(self.path("b"), b"old")
        self.assertOnly("a", "b")

    def test_a_full_disk_is_told_before_a_slow_pipe_ends(self):
        if not tool.own_mounts():
            self.skipTest("no mounts of one's own")
        place = self.make_folder("full")
        tool.subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", place], check=True)
        self.addCleanup(tool.subprocess.run, ["umount", place])
        reader, writer = self.pipe()
        receiver = self.receive(file=os.path.join(place, "b"))
        sender = self.send(receiver, source="-", stdin=reader)
        os.close(reader)
        os.write(writer, DATA[:65536])
        os.write(writer, DATA[65536:65536 + 60000])  # and then nothing: the pipe stays open
        self.assertStatus(receiver.finish(), 1, "No space left on device")
        self.assertStatus(sender.finish(), 1, "receiver: No space left on device")

    def test_a_silent_sender(self):
        receiver = self.receive("--idle-timeout", "0.2")
        peer = self.connect(receiver.port())
        tool_exactly(peer, GREETING)
        self.assertStatus(receiver.finish(), 1, "timed out")
        self.assertContent(self.path("b"), b"old")


def moved_to(receiver):
    """The receiver has put bytes into a file."""
    for where, status in tool.open_files(receiver.pid).values():
        if status.st_size and "deleted" in where:
            return True
    return False


class Strangers(Checked):
    """A peer that does not speak --checked is told so, on both sides, and nobody hangs."""

    def test_raw_send_to_a_checked_receive(self):
        for data in (b"x", DATA):
            with self.subTest(len(data)):
                receiver = self.receive()
                sender = self.run_tool("send", self.make("a", data), receiver.address())
                self.assertStatus(receiver.finish(), 1, "the peer does not speak --checked")
                self.assertStatus(sender, 1)
                self.assertOnly("a")

    def test_checked_send_to_a_raw_receive(self):
        receiver = self.start("receive", "127.0.0.1:0", self.path("b"))
        sender = self.start("send", "--checked", "--idle-timeout", "0.3", self.make("a", DATA),
                            receiver.address())
        self.assertStatus(sender.finish(), 1, "the peer does not speak --checked")
        self.assertStatus(receiver.finish(), 1, "reset")
        self.assertContent(self.path("b"), b"")

    def test_two_receivers_and_two_senders(self):
        receiver = self.receive()
        other = self.receive("--connect", where=receiver.address(), file=self.path("c"))
        self.one_says_it(receiver, other)
        sender = self.start("send", "--checked", "--idle-timeout", "0.3", "--listen",
                            self.make("a", DATA), "127.0.0.1:0")
        other = self.start("send", "--checked", "--idle-timeout", "0.3", self.path("a"),
                           sender.address())
        self.one_says_it(sender, other)
        self.assertOnly("a")

    def one_says_it(self, one, other):
        """Both fail; the second to look may find the connection reset by the first."""
        both = [one.finish(), other.finish()]
        for done in both:
            self.assertStatus(done, 1)
        self.assertIn("the peer does not speak --checked", both[0].err + both[1].err)

    def test_a_browser(self):
        receiver = self.receive()
        peer = self.connect(receiver.port())
        peer.sendall(b"GET / HTTP/1.1\r\n\r\n")
        self.assertStatus(receiver.finish(), 1, "header: the peer does not speak --checked")


if __name__ == "__main__":
    tool.main()
