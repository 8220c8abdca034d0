"""Ctrl-C ends every wait: at once, with status 130."""

import os
import signal
import socket

import tool
from tool import ToolTest, content


class CtrlC(ToolTest):
    def ends(self, started, number=signal.SIGINT):
        """The tool waits; the signal ends it."""
        tool.until_asleep(started)
        started.signal(number)
        done = started.finish(tool.WATCHDOG)
        self.assertEqual(done.status, 128 + number, done)
        return done

    def big(self):
        return self.make_sparse("big", 64 << 20)

    def test_a_fifo_without_a_writer(self):
        self.ends(self.start("copy", self.make_fifo("p"), self.path("b")))
        self.assertOnly("p")

    def test_a_fifo_without_a_reader(self):
        source = self.make("a", b"x")
        self.ends(self.start("copy", source, self.make_fifo("p")))

    def test_a_fifo_whose_writer_is_silent(self):
        fifo = self.make_fifo("p")
        started = self.start("copy", fifo, self.path("b"))
        writer = os.open(fifo, os.O_WRONLY)
        self.addCleanup(os.close, writer)
        os.write(writer, b"a little")
        self.ends(started)
        self.assertOnly("p")

    def test_a_fifo_for_explain(self):
        # It looks and does not wait at all.
        done = self.run_tool("explain", self.make_fifo("p"), "/dev/null")
        self.assertStatus(done, 0)

    def test_standard_input_that_is_silent(self):
        reader, _ = self.pipe()
        self.ends(self.start("copy", "-", self.path("b"), stdin=reader))
        self.assertOnly()

    def test_a_terminal_as_standard_input(self):
        terminal = tool.Terminal()
        self.addCleanup(terminal.close)
        self.ends(self.start("copy", "-", self.path("b"), stdin=terminal.slave))
        self.assertOnly()

    def test_a_terminal_that_nobody_reads(self):
        master, slave = tool.pty.openpty()
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, slave)
        self.ends(self.start("copy", self.big(), "-", stdout=slave))

    def test_a_full_pipe_with_every_method(self):
        source = self.big()
        for options in ([], ["--live"], ["--method", "splice"], ["--method", "read_write"],
                        ["--limit-rate", "1GiB"]):
            with self.subTest(options):
                reader, writer = self.pipe()
                started = self.start("copy", *options, source, "-", stdout=writer)
                os.close(writer)
                self.ends(started)
                os.close(reader)

    def test_a_full_pipe_behind_a_pipe(self):
        reader, writer = self.pipe()
        source, feed = self.pipe()
        os.set_blocking(feed, False)
        for options in ([], ["--method", "splice"], ["--method", "read_write"]):
            with self.subTest(options):
                started = self.start("copy", *options, "-", "-", stdin=source, stdout=writer)
                try:
                    while True:
                        os.write(feed, bytes(65536))
                except BlockingIOError:
                    pass
                self.ends(started)

    def test_a_full_socket_as_standard_output(self):
        ours, its = socket.socketpair()
        self.addCleanup(ours.close)
        self.addCleanup(its.close)
        source = self.big()
        for options in ([], ["--method", "read_write"]):
            with self.subTest(options):
                self.ends(self.start("copy", *options, source, "-", stdout=its))

    def test_listening_without_a_peer(self):
        source = self.make("a", b"x")
        for command in (["receive", "127.0.0.1:0", self.path("b")],
                        ["receive", "unix:" + self.path("s"), self.path("b")],
                        ["send", "--listen", source, "127.0.0.1:0"]):
            with self.subTest(command):
                started = self.start(*command)
                started.address()
                self.ends(started)
                self.assertOnly("a")  # neither a file nor a socket stays behind

    def test_a_sender_that_is_silent(self):
        receiver = self.start("receive", "127.0.0.1:0", self.path("b"))
        self.connect(receiver.port())
        tool.until(lambda: os.path.exists(self.path("b")), "the connection is taken")
        self.ends(receiver)

    def test_a_receiver_that_stalls(self):
        source = self.big()
        for method in ("sendfile", "splice_pipe", "read_write"):
            with self.subTest(method):
                server = self.listener(receive_buffer=8192)
                sender = self.start("send", "--method", method, source,
                                    "127.0.0.1:%d" % server.getsockname()[1])
                self.accept(server)
                self.ends(sender)

    def test_a_receiver_that_keeps_the_connection_after_the_end(self):
        server = self.listener(receive_buffer=8192)
        sender = self.start("send", self.make("a", content(300_000)),
                            "127.0.0.1:%d" % server.getsockname()[1])
        self.accept(server)  # and reads nothing: the last bytes are never acknowledged
        self.ends(sender)

    def test_a_limited_rate(self):
        self.make_folder("d")
        started = self.start("copy", "--limit-rate", "1KiB", self.make("a", content(50_000)),
                             self.path("d/b"))
        self.ends(started)
        self.assertOnly(folder=self.path("d"))

    def test_a_termination_is_143(self):
        self.ends(self.start("copy", self.make_fifo("p"), self.path("b")), signal.SIGTERM)

    def test_a_hang_up_is_129(self):
        self.ends(self.start("copy", self.make_fifo("p"), self.path("b")), signal.SIGHUP)

    def test_a_hang_up_that_nohup_ignores_is_ignored(self):
        fifo = self.make_fifo("p")
        started = self.start("copy", fifo, self.path("b"),
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        tool.until_asleep(started)
        started.signal(signal.SIGHUP)
        with open(fifo, "wb") as writer:
            writer.write(b"still here")
        self.assertStatus(started.finish(), 0)
        self.assertContent(self.path("b"), b"still here")

    def test_by_the_keyboard(self):
        terminal = tool.Terminal()
        self.addCleanup(terminal.close)

        def take_terminal():
            os.setsid()
            tool.fcntl.ioctl(0, 0x540E, 0)  # TIOCSCTTY

        started = self.start("copy", "-", self.path("b"), stdin=terminal.slave,
                             preexec_fn=take_terminal)
        tool.until_asleep(started)
        terminal.type(b"\x03")
        self.assertEqual(started.finish(tool.WATCHDOG).status, 130)


class BrokenPipe(ToolTest):
    """SIGPIPE never kills: the failing call tells."""

    def test_a_reader_that_takes_one_byte(self):
        source = self.make_sparse("big", 64 << 20)
        for options in ([], ["--live"], ["--method", "splice"], ["--method", "read_write"],
                        ["--method", "sendfile", "--live"]):
            with self.subTest(options):
                reader, writer = self.pipe()
                started = self.start("copy", *options, source, "-", stdout=writer, json_report=True)
                os.close(writer)
                os.read(reader, 1)
                os.close(reader)
                done = started.finish()
                if done.status == 3:  # this method does not write to a pipe that may block
                    self.assertIn("destination-blocks", done.err)
                    continue
                self.assertStatus(done, 1, "Broken pipe", "reader went away")
                self.assertLess(done.report["bytes"], 64 << 20)

    def test_in_a_shell(self):
        source = self.make_sparse("big", 64 << 20)
        shell = self.program("bash", "-c", '"$0" copy "$1" - | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}',
                             tool.HEADRACE, source)
        self.assertStatus(shell.finish(), 1, "Broken pipe")


if __name__ == "__main__":
    tool.main()
