"""A file system without room: the message says what and where, the counts hold, the old file too."""

import contextlib
import errno
import os
import sys
import unittest

import file_systems
import tool
from file_systems import MIB
from tool import ToolTest, content

DATA = content(12 * MIB)
OLD = content(3000, 2)
ROOM = 4 * MIB  # at most: file systems want some of it for themselves


@contextlib.contextmanager
def full(kind):
    """(a folder on a file system with a little room, the errno of too much)"""
    if kind == "btrfs qgroup":
        with file_systems.limited_btrfs(ROOM) as folder:
            yield folder, errno.EDQUOT
    elif kind == "overlay":
        with file_systems.overlay(size=ROOM) as folder:
            yield folder, errno.ENOSPC
    else:
        size = {"tmpfs": ROOM, "ext4": 16 * MIB}.get(kind)
        with file_systems.mounted(kind, size) as folder:
            if kind != "tmpfs":
                file_systems.fill(folder, leave=ROOM)
            yield folder, errno.ENOSPC


KINDS = (*file_systems.KINDS, "btrfs qgroup")


class Full(ToolTest):
    def setUp(self):
        super().setUp()
        self.source = self.make("a", DATA)

    def each_kind(self):
        """Folders without room; what this machine lacks is said aloud."""
        tried = 0
        for kind in KINDS:
            try:
                with full(kind) as (disk, number):
                    self.disk, self.number = os.path.join(disk, "d"), number
                    os.mkdir(self.disk)
                    self.there = os.path.join(self.disk, "b")
                    yield kind
                    tried += 1
            except file_systems.Unavailable as reason:
                print(f"not tried: {kind}: {reason}", file=sys.stderr)
        self.assertGreater(tried, 0)

    def each(self):
        for kind in self.each_kind():
            for method in ("auto", *tool.all_methods()):
                yield kind, method, [] if method == "auto" else ["--method", method]

    def old(self):
        if os.path.exists(self.there):
            os.unlink(self.there)
        file_systems.settle(self.disk)
        with open(self.there, "wb") as file:
            file.write(OLD)

    def copy(self, *options):
        return self.run_tool("copy", *options, self.source, self.there, json_report=True)

    def is_told(self, done, verb="copy"):
        """Status, call, file, reason and advice; exactly so many bytes as the report says."""
        advice = "quota" if self.number == errno.EDQUOT else "free space"
        self.assertStatus(done, 1, f"headrace {verb}: ", self.there, os.strerror(self.number), advice)
        report = done.report
        errors = [error for error in (report["legs"][-1]["error"], report["error"]) if error]
        self.assertEqual(report["outcome"], "failed")
        self.assertEqual({error["errno"] for error in errors}, {self.number})
        self.assertTrue(any(error["call"] + ": " in done.err for error in errors), done)
        self.assertLess(report["bytes"], len(DATA))
        self.assertIn(f"after {report['bytes']} ", done.err)
        self.assertEqual(sum(leg["bytes"] for leg in report["legs"]), report["bytes"])

    def served(self, done):
        """False: the method does not serve this pair and has left it alone."""
        if done.status == 3:
            self.assertEqual(done.report["bytes"], 0)
        return done.status != 3

    def test_a_new_file_is_not_left_behind(self):
        served = set()
        for kind, method, options in self.each():
            with self.subTest(kind=kind, method=method):
                done = self.copy(*options)
                if self.served(done):
                    self.is_told(done)
                    served.add(method)
                self.assertOnly(folder=self.disk)
        self.assertGreaterEqual(served, {"auto", "sendfile", "read_write"})

    def test_the_room_is_given_back(self):
        for kind in self.each_kind():
            with self.subTest(kind):
                half = self.make("half", DATA[:MIB])
                self.is_told(self.copy())
                self.assertStatus(self.run_tool("copy", half, self.there), 0)
                os.unlink(self.there)

    def test_an_old_file_stays_whole(self):
        for kind, method, options in self.each():
            with self.subTest(kind=kind, method=method):
                self.old()
                done = self.copy(*options)
                if self.served(done):
                    self.is_told(done)
                self.assertContent(self.there, OLD)
                self.assertOnly("b", folder=self.disk)

    def test_in_place_holds_what_is_counted(self):
        for kind, method, options in self.each():
            with self.subTest(kind=kind, method=method):
                self.old()
                done = self.copy("--in-place", *options)
                if not self.served(done):
                    self.assertContent(self.there, OLD)
                    continue
                self.is_told(done)
                self.assertContent(self.there, DATA[:done.report["bytes"]])

    def test_receive_holds_what_is_counted(self):
        served = set()
        for kind, method, options in self.each():
            with self.subTest(kind=kind, method=method):
                self.old()
                receiver = self.start("receive", *options, "127.0.0.1:0", self.there,
                                      json_report=True)
                sent = self.run_tool("send", self.source, receiver.address(), json_report=True)
                done = receiver.finish()
                if not self.served(done):
                    continue
                self.is_told(done, "receive")
                self.assertContent(self.there, DATA[:done.report["bytes"]])
                self.assertStatus(sent, 1, "the peer")  # which did not get everything
                served.add(method)
        self.assertGreaterEqual(served, {"auto", "read_write", "splice_pipe"})


@unittest.skipIf(tool.shutil.which("mkfs.ext4", path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None,
                 "not installed: mkfs.ext4")
class WithoutInodes(ToolTest):
    def test_it_is_told_before_a_byte_moves(self):
        with file_systems.mounted("ext4") as disk:
            with contextlib.suppress(OSError):
                for number in range(1 << 20):
                    os.mknod(os.path.join(disk, str(number)))
            there = os.path.join(disk, "b")
            done = self.run_tool("copy", self.make("a", b"x"), there)
            self.assertStatus(done, 1, there, "No space left on device", "inodes")
            self.assertFalse(os.path.exists(there))


if __name__ == "__main__":
    if reason := file_systems.why_not():
        print("skipped: " + reason, file=sys.stderr)
        sys.exit(77)
    tool.main()
