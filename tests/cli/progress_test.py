"""The progress bar: on a terminal, on standard error, gone at the end."""

import os
import re

import tool
from tool import ToolTest

MIB = 1 << 20


class Progress(ToolTest):
    def slow(self, *options, stderr, size=MIB):
        source = self.make_sparse("a", size)
        return self.start("copy", "--sparse", "never", "--limit-rate", "4MiB", *options, source, self.path("b"),
                          stderr=stderr)

    def on_a_terminal(self, *options, columns=100, size=MIB):
        terminal = tool.Terminal(columns)
        self.addCleanup(terminal.close)
        done = self.slow(*options, stderr=terminal.slave, size=size).finish()
        self.assertEqual(done.status, 0)
        self.assertEqual(done.out, b"")
        terminal.close()
        return terminal.screen.decode()

    def test_a_bar_with_bytes_rate_and_time_left(self):
        screen = self.on_a_terminal()
        self.assertRegex(screen, r"\[#* *\] +\d+%  [\d.]+\w+ of 1MiB  [\d.]+\w+/s  [\d:?]+ left")

    def test_it_is_removed_before_the_report(self):
        screen = self.on_a_terminal()
        last = screen[screen.rindex("left"):]
        self.assertIn("\r\x1b[K", last)
        self.assertIn("copied 1MiB", last.split("\x1b[K", 1)[1])

    def test_it_fits_into_the_terminal(self):
        for columns in (20, 40, 200):
            with self.subTest(columns):
                screen = self.on_a_terminal("--report", "none", columns=columns)
                lines = re.split(r"\r|\n|\x1b\[K", screen)
                self.assertTrue(any(lines))
                self.assertLess(max(map(len, lines)), columns)

    def test_a_length_that_is_not_known_has_no_bar(self):
        terminal = tool.Terminal()
        self.addCleanup(terminal.close)
        reader, writer = self.pipe()
        os.write(writer, bytes(40_000))
        os.close(writer)
        started = self.start("copy", "--limit-rate", "100KiB", "-", self.path("b"), stdin=reader,
                             stderr=terminal.slave)
        self.assertEqual(started.finish().status, 0)
        terminal.close()
        self.assertRegex(terminal.screen.decode(), r"\d+[.\d]*\w+  [\d.]+\w+/s")
        self.assertNotIn("left", terminal.screen.decode())

    def test_off_on_request(self):
        for option in (["--progress", "never"], ["--quiet"]):
            with self.subTest(option):
                self.assertNotIn("\x1b", self.on_a_terminal(*option))

    def test_off_where_there_is_no_terminal(self):
        done = self.slow(stderr=tool.subprocess.PIPE).finish()
        self.assertStatus(done, 0)
        self.assertNotIn("\x1b", done.err)

    def test_forced_where_there_is_no_terminal(self):
        done = self.slow("--progress", "always", stderr=tool.subprocess.PIPE).finish()
        self.assertStatus(done, 0, "left", "\x1b[K")

    def test_gone_after_an_interruption_too(self):
        terminal = tool.Terminal()
        self.addCleanup(terminal.close)
        started = self.slow(stderr=terminal.slave, size=64 * MIB)
        tool.until(lambda: b"left" in terminal.screen, "the bar is drawn")
        started.signal(tool.signal.SIGINT)
        self.assertEqual(started.finish(tool.WATCHDOG).status, 130)
        terminal.close()
        self.assertIn("\x1b[K", terminal.screen.decode().rsplit("left", 1)[1])


if __name__ == "__main__":
    tool.main()
