"""A copy that cannot be completed: the old file is whole, nothing else is left, the reason is told."""
# labels: strace

import errno
import os
import resource
import subprocess
import unittest

import tool
from tool import IS_ROOT, ToolTest, content

OLD = b"the old content\n"
MIB = 1 << 20


def limited_to(size):
    """For preexec_fn: no file may grow beyond `size`."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Failing(ToolTest):
    def setUp(self):
        super().setUp()
        self.source = self.make("a", content(3 * MIB))
        self.make_folder("d")
        self.old = self.make("d/b", OLD)

    def fails(self, done, *words, number=None, left=("b",)):
        self.assertStatus(done, 1, *words)
        self.assertOnly(*left, folder=self.path("d"))
        if "b" in left:
            self.assertContent(self.old, OLD)
        if number and done.report:
            told = [leg["error"] for leg in done.report["legs"] if leg["error"]]
            self.assertEqual(told[-1]["errno"], number)
        return done

    @unittest.skipUnless(IS_ROOT, "mounting needs root")
    def test_a_full_disk(self):
        if not tool.own_mounts():
            self.skipTest("this sandbox has no mount namespaces")
        disk = self.make_folder("disk")
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        for old in (False, True):
            if old:
                self.make("disk/b", OLD)
            with self.subTest(old=old):
                done = self.run_tool("copy", self.source, self.path("disk/b"))
                self.assertStatus(done, 1, "No space left on device", "tmpfs is full")
                self.assertOnly(*(["b"] if old else []), folder=disk)
                # All of the space is back.
                self.make("disk/c", bytes(MIB - 8192))
                os.unlink(self.path("disk/c"))
        self.assertContent(self.path("disk/b"), OLD)

    @unittest.skipUnless(IS_ROOT, "mounting needs root")
    def test_a_full_disk_in_place_counts_what_came(self):
        if not tool.own_mounts():
            self.skipTest("this sandbox has no mount namespaces")
        disk = self.make_folder("disk")
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        there = self.make("disk/b", OLD)
        done = self.run_tool("copy", "--in-place", self.source, there, json_report=True)
        self.assertStatus(done, 1)
        self.assertEqual(os.path.getsize(there), done.report["bytes"])
        with open(there, "rb") as file:
            self.assertSameBytes(file.read(), content(3 * MIB)[:done.report["bytes"]])

    def test_a_file_size_limit(self):
        done = self.run_tool("copy", self.source, self.old, preexec_fn=limited_to(MIB))
        self.fails(done, "File too large", "ulimit -f", "after 1048576 of 3145728 bytes")

    def test_a_file_size_limit_before_there_was_a_file(self):
        os.unlink(self.old)
        done = self.run_tool("copy", self.source, self.old, preexec_fn=limited_to(MIB))
        self.fails(done, "File too large", left=())

    def test_a_file_size_limit_for_each_method(self):
        for method in ("copy_file_range", "sendfile", "splice_pipe", "read_write"):
            with self.subTest(method):
                done = self.run_tool("copy", "--method", method, self.source, self.old,
                                     preexec_fn=limited_to(MIB), json_report=True)
                self.fails(done, "File too large", number=errno.EFBIG)
                self.assertEqual(done.report["bytes"], MIB)

    @tool.needs("strace")
    def test_a_disk_quota(self):
        wrap = tool.strace("-e", "trace=write", "-e", "inject=write:error=EDQUOT:when=2")
        done = self.run_tool("copy", "--method", "read_write", "--buffer", "64KiB", self.source,
                             self.old, wrap=wrap, json_report=True)
        self.fails(done, "Disk quota exceeded", "quota is used up", number=errno.EDQUOT)
        self.assertEqual(done.report["bytes"], 64 << 10)

    @tool.needs("strace")
    def test_a_broken_source(self):
        wrap = tool.strace("-P", self.source, "-e", "trace=pread64", "-e", "inject=pread64:error=EIO:when=3")
        done = self.run_tool("copy", "--method", "read_write", "--buffer", "64KiB", self.source,
                             self.old, wrap=wrap, json_report=True)
        self.fails(done, "Input/output error", "source's device", number=errno.EIO)
        self.assertEqual(done.report["bytes"], 128 << 10)

    @tool.needs("strace")
    def test_a_rename_that_fails(self):
        calls = "/^rename"
        wrap = tool.strace("-e", f"trace={calls}", "-e", f"inject={calls}:error=EIO")
        done = self.run_tool("copy", self.source, self.old, wrap=wrap)
        self.fails(done, "Input/output error", self.old)

    @tool.needs("strace")
    def test_in_place_a_write_error_that_only_closing_tells(self):
        wrap = tool.strace("-P", self.old, "-e", "trace=close", "-e", "inject=close:error=EIO")
        done = self.run_tool("copy", "--in-place", self.source, self.old, wrap=wrap,
                             json_report=True)
        self.assertStatus(done, 1, "close: Input/output error")
        self.assertEqual(done.report["outcome"], "failed")
        self.assertEqual(done.report["error"]["call"], "close")
        self.assertEqual(done.report["bytes"], 3 * MIB)

    @tool.needs("strace")
    def test_through_a_link_of_proc_a_write_error_that_only_closing_tells(self):
        with open(self.old, "r+b") as file:
            wrap = tool.strace("-P", self.old, "-e", "trace=close", "-e", "inject=close:error=EIO")
            done = self.run_tool("copy", self.source, f"/proc/{os.getpid()}/fd/{file.fileno()}",
                                 wrap=wrap)
        self.assertStatus(done, 1, "close: Input/output error")

    @tool.needs("strace")
    def test_a_wait_for_the_other_end_of_a_fifo_that_fails(self):
        fifo = self.make_fifo("p")
        for pair, words in (((fifo, self.old), "writer"), ((self.source, fifo), "reader")):
            trace = self.path("trace")
            wrap = ["strace", "-qq", "-o", trace, "-e", "trace=ppoll,poll", "-e",
                    "inject=ppoll,poll:error=ENOMEM"]
            with self.subTest(words):
                done = self.run_tool("copy", *pair, wrap=wrap, timeout=tool.WATCHDOG)
                self.fails(done, f"cannot wait for a {words} of '{fifo}'", "Cannot allocate memory")
                with open(trace, encoding="utf-8") as lines:
                    self.assertEqual(lines.read().count("poll("), 1)  # no second try, no busy loop

    def test_a_report_file_on_a_full_disk(self):
        for form in ("text", "json"):
            done = self.run_tool("copy", "--report", form, "--report-file", "/dev/full", self.source,
                                 self.old)
            self.assertStatus(done, 1, "/dev/full", "write: No space left on device")
            self.assertContent(self.old, content(3 * MIB))

    @tool.needs("strace")
    def test_a_report_file_whose_write_error_only_closing_tells(self):
        there = self.make("report-r")
        wrap = tool.strace("-P", there, "-e", "trace=close", "-e", "inject=close:error=EDQUOT")
        done = self.run_tool("copy", "--report-file", there, self.source, self.old, wrap=wrap)
        self.assertStatus(done, 1, there, "close: Disk quota exceeded")

    def test_a_report_that_cannot_be_written(self):
        done = self.run_tool("copy", "--report-file", self.path("none/r"), self.source, self.old)
        self.assertStatus(done, 1, self.path("none/r"), "No such file")
        self.assertContent(self.old, content(3 * MIB))


class ChangingSource(ToolTest):
    """The source is changed while a slow copy is known to run."""

    def slow_copy(self, size, change, *options):
        source = self.make_sparse("a", size)
        self.make_folder("d")
        destination = self.make("d/b", OLD)
        started = self.start("copy", "--sparse", "never", "--limit-rate", "1MiB", *options, source,
                             destination, json_report=True)
        tool.until_writing(started, self.path("d"))
        with open(source, "r+b") as file:
            change(file)
        return destination, started.finish()

    def test_that_shrinks_is_status_4_and_the_old_file_stays(self):
        destination, done = self.slow_copy(8 * MIB, lambda file: file.truncate(4096))
        self.assertStatus(done, 4, "incomplete")
        self.assertContent(destination, OLD)
        self.assertOnly("b", folder=self.path("d"))
        self.assertEqual(done.report["outcome"], "source-changed")
        self.assertEqual(done.report["expected"], 8 * MIB)
        self.assertLess(done.report["bytes"], 8 * MIB)

    def test_that_grows_is_status_4_and_the_old_file_stays(self):
        destination, done = self.slow_copy(2 * MIB, lambda file: file.truncate(3 * MIB))
        self.assertStatus(done, 4, "grew by 1048576 bytes", "is what it was")
        self.assertContent(destination, OLD)
        self.assertOnly("b", folder=self.path("d"))

    def test_that_grows_is_copied_as_it_was_with_a_note_where_that_is_enough(self):
        destination, done = self.slow_copy(2 * MIB, lambda file: file.truncate(3 * MIB), "--live")
        self.assertStatus(done, 0)
        self.assertEqual(os.path.getsize(destination), 2 * MIB)
        self.assertTrue(any("grew by 1048576 bytes" in note for note in done.report["notes"]),
                        done.report["notes"])


if __name__ == "__main__":
    tool.main()
