"""copy puts a new file in place of the old one only when it is complete."""

import os
import signal
import subprocess
import unittest

import tool
from tool import IS_ROOT, NOBODY, ToolTest, content

OLD = b"the old content\n"
NEW = content(300_000)


class Replacing(ToolTest):
    def test_makes_a_file_that_was_not_there(self):
        done = self.run_tool("copy", self.make("a", NEW), self.path("b"))
        self.assertStatus(done, 0, "copied 293KiB")
        self.assertContent(self.path("b"), NEW)
        self.assertOnly("a", "b")

    def test_gives_the_name_to_a_new_file(self):
        old = self.make("b", OLD)
        before = os.stat(old)
        with open(old, "rb") as reader:  # who has the old one open keeps it
            self.assertStatus(self.run_tool("copy", self.make("a", NEW), old), 0)
            self.assertEqual(reader.read(), OLD)
        self.assertNotEqual(os.stat(old).st_ino, before.st_ino)
        self.assertContent(old, NEW)
        self.assertOnly("a", "b")

    def test_replaces_a_long_file_by_a_short_one(self):
        self.assertStatus(self.run_tool("copy", self.make("a", b"x"), self.make("b", NEW)), 0)
        self.assertContent(self.path("b"), b"x")

    def test_keeps_mode_and_times(self):
        source = self.make("a", NEW, mode=0o751)
        os.utime(source, ns=(1_000_000_000_123_456_789, 1_100_000_000_987_654_321))
        self.assertStatus(self.run_tool("copy", source, self.path("b")), 0)
        status = os.stat(self.path("b"))
        self.assertEqual(status.st_mode & 0o7777, 0o751)
        self.assertEqual(status.st_mtime_ns, 1_100_000_000_987_654_321)

    def test_no_preserve_takes_the_umask_and_the_present(self):
        source = self.make("a", NEW, mode=0o751)
        os.utime(source, (1_000_000_000, 1_000_000_000))
        done = self.run_tool("copy", "--no-preserve", source, self.path("b"), umask=0o027)
        self.assertStatus(done, 0)
        status = os.stat(self.path("b"))
        self.assertEqual(status.st_mode & 0o7777, 0o640)
        self.assertGreater(status.st_mtime, 1_500_000_000)

    def test_a_pipe_as_source_gives_an_ordinary_mode(self):
        reader, writer = self.pipe()
        os.write(writer, b"piped")
        os.close(writer)
        done = self.run_tool("copy", "-", self.path("b"), stdin=reader, umask=0o022)
        self.assertStatus(done, 0)
        self.assertContent(self.path("b"), b"piped")
        self.assertEqual(os.stat(self.path("b")).st_mode & 0o7777, 0o644)


class Links(ToolTest):
    def test_a_symbolic_link_stays_and_its_target_is_replaced(self):
        self.make_folder("d")
        target = self.make("d/target", OLD)
        os.symlink("d/target", self.path("link"))
        self.assertStatus(self.run_tool("copy", self.make("a", NEW), self.path("link")), 0)
        self.assertEqual(os.readlink(self.path("link")), "d/target")
        self.assertContent(target, NEW)
        self.assertOnly("target", folder=self.path("d"))

    def test_a_chain_of_links_is_followed(self):
        self.make("target", OLD)
        os.symlink("target", self.path("one"))
        os.symlink("one", self.path("two"))
        self.assertStatus(self.run_tool("copy", self.make("a", NEW), self.path("two")), 0)
        self.assertContent(self.path("target"), NEW)
        self.assertTrue(os.path.islink(self.path("one")) and os.path.islink(self.path("two")))

    def test_a_dangling_link_gets_its_target(self):
        os.symlink("nowhere", self.path("link"))
        self.assertStatus(self.run_tool("copy", self.make("a", NEW), self.path("link")), 0)
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertContent(self.path("nowhere"), NEW)

    def test_a_link_as_source_is_followed(self):
        self.make("a", NEW)
        os.symlink("a", self.path("link"))
        self.assertStatus(self.run_tool("copy", self.path("link"), self.path("b")), 0)
        self.assertFalse(os.path.islink(self.path("b")))
        self.assertContent(self.path("b"), NEW)

    def test_a_circle_of_links_is_refused(self):
        os.symlink("two", self.path("one"))
        os.symlink("one", self.path("two"))
        done = self.run_tool("copy", self.make("a", NEW), self.path("one"))
        self.assertStatus(done, 1, "one", "symbolic links")


class InPlace(ToolTest):
    """What cannot be replaced without breaking something is refused, and the message says how."""

    def refused_then_in_place(self, destination, *words, **options):
        source = self.path("a")
        before = os.stat(destination).st_ino
        done = self.run_tool("copy", source, destination, **options)
        self.assertStatus(done, 1, "--in-place", destination, *words)
        self.assertContent(destination, OLD)
        self.assertStatus(self.run_tool("copy", "--in-place", source, destination, **options), 0)
        self.assertContent(destination, NEW)
        self.assertEqual(os.stat(destination).st_ino, before)

    def test_hard_links_stay_together(self):
        self.make("a", NEW)
        destination = self.make("b", OLD)
        os.link(destination, self.path("other"))
        self.refused_then_in_place(destination, "hard links")
        self.assertContent(self.path("other"), NEW)

    @unittest.skipUnless(IS_ROOT, "mounting needs root")
    def test_a_mount_point_stays_mounted(self):
        if not tool.own_mounts():
            self.skipTest("this sandbox has no mount namespaces")
        self.make("a", NEW)
        below, destination = self.make("below", OLD), self.make("b", b"")
        subprocess.run(["mount", "--bind", below, destination], check=True)
        self.addCleanup(subprocess.run, ["umount", destination], check=True)
        self.refused_then_in_place(destination, "mount point")
        self.assertContent(below, NEW)

    def test_a_directory_that_takes_no_new_file(self):
        self.make("a", NEW, mode=0o644)
        folder = self.make_folder("d")
        destination = self.make("d/b", OLD)
        if IS_ROOT:
            os.chown(destination, NOBODY, NOBODY)
        os.chmod(folder, 0o555)
        self.addCleanup(os.chmod, folder, 0o755)
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if IS_ROOT else {}
        self.refused_then_in_place(destination, "directory", **user)

    def test_takes_the_mode_of_the_source_unless_told_otherwise(self):
        source = self.make("a", NEW, mode=0o600)
        destination = self.make("b", OLD, mode=0o664)
        done = self.run_tool("copy", "--in-place", "--no-preserve", source, destination)
        self.assertStatus(done, 0)
        self.assertEqual(os.stat(destination).st_mode & 0o7777, 0o664)
        self.assertStatus(self.run_tool("copy", "--in-place", source, destination), 0)
        self.assertEqual(os.stat(destination).st_mode & 0o7777, 0o600)

    def test_keeps_its_mode_where_the_source_is_no_file(self):
        destination = self.make("b", OLD, mode=0o664)
        for source in ("-", self.make_fifo("p"), "/dev/null"):
            with self.subTest(source):
                started = self.start("copy", "--in-place", source, destination,
                                     stdin=tool.subprocess.PIPE)
                if source == "-":
                    started.process.stdin.write(NEW)
                    started.process.stdin.close()
                elif source != "/dev/null":
                    with open(source, "wb") as writer:
                        writer.write(NEW)
                self.assertStatus(started.finish(), 0)
                self.assertContent(destination, b"" if source == "/dev/null" else NEW)
                self.assertEqual(os.stat(destination).st_mode & 0o7777, 0o664)

    def test_makes_a_file_that_is_not_there(self):
        done = self.run_tool("copy", "--in-place", self.make("a", NEW), self.path("b"))
        self.assertStatus(done, 0)
        self.assertContent(self.path("b"), NEW)

    def test_cuts_a_longer_file(self):
        done = self.run_tool("copy", "--in-place", self.make("a", b"short"), self.make("b", NEW))
        self.assertStatus(done, 0)
        self.assertContent(self.path("b"), b"short")


class StoppedInTheMiddle(ToolTest):
    """Until the copy is complete the old file is what everybody sees; a stop leaves nothing else."""

    def stopped(self, number, old, source="a"):
        self.make_folder("d")
        source = self.make_sparse(source, 64 << 20)
        destination = self.path("d/b")
        if old:
            self.make("d/b", OLD)
        started = self.start("copy", "--sparse", "never", "--limit-rate", "2MiB", source, destination,
                             json_report=True)
        tool.until_writing(started, self.path("d"))
        if old:
            self.assertContent(destination, OLD)
        else:
            self.assertFalse(os.path.exists(destination))
        started.signal(number)
        done = started.finish(tool.WATCHDOG)
        self.assertEqual(done.status, 128 + number, done)
        if number != signal.SIGKILL:
            self.assertIn("is what it was" if old else "was made", done.err)
        if old:
            self.assertContent(destination, OLD)
        self.assertOnly(*(["b"] if old else []), folder=self.path("d"))
        return done

    def test_by_ctrl_c(self):
        done = self.stopped(signal.SIGINT, old=True)
        self.assertEqual(done.report["outcome"], "interrupted")
        self.assertLess(done.report["bytes"], 64 << 20)
        self.assertIn("interrupted", done.err)

    def test_by_a_termination(self):
        self.assertEqual(self.stopped(signal.SIGTERM, old=True).report["outcome"], "interrupted")

    def test_by_a_hang_up(self):
        self.stopped(signal.SIGHUP, old=True)

    def test_by_a_kill(self):
        self.stopped(signal.SIGKILL, old=True)

    def test_before_there_was_an_old_one(self):
        self.stopped(signal.SIGINT, old=False)

    def test_killed_before_there_was_an_old_one(self):
        self.stopped(signal.SIGKILL, old=False)


if __name__ == "__main__":
    tool.main()
