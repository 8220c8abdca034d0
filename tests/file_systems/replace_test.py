"""The old file or the new one, never a part of it: replacing on each file system."""
# labels: strace

import contextlib
import os
import re
import signal
import sys

import deny
import file_systems
import tool
from tool import ToolTest, content

DATA = content(2 << 20)
OLD = content(3000, 2)


def has_unnamed_files(folder):
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
    except OSError:
        return False
    return True


class Replacing(ToolTest):
    def setUp(self):
        super().setUp()
        self.source = self.make("a", DATA)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.disks = file_systems.available(stack)
        self.stack = stack

    def each(self):
        """Each file system with an old file b in an otherwise empty folder."""
        for kind, disk in self.disks.items():
            self.there = os.path.join(disk, "d", "b")
            os.makedirs(os.path.dirname(self.there), exist_ok=True)
            with open(self.there, "wb") as file:
                file.write(OLD)
            yield kind, os.path.dirname(self.there)

    def test_puts_a_new_file_in_the_old_ones_place(self):
        for kind, folder in self.each():
            with self.subTest(kind), open(self.there, "rb") as reader:
                before = os.stat(self.there).st_ino
                self.assertStatus(self.run_tool("copy", self.source, self.there), 0)
                self.assertContent(self.there, DATA)
                self.assertNotEqual(os.stat(self.there).st_ino, before)
                self.assertSameBytes(reader.read(), OLD)  # who had it open keeps what it was
                self.assertOnly("b", folder=folder)

    def test_shows_the_old_file_until_it_is_complete(self):
        for kind, folder in self.each():
            with self.subTest(kind):
                started = self.start("copy", "--limit-rate", "64KiB", self.source, self.there)
                tool.until_writing(started, folder)
                self.assertContent(self.there, OLD)
                hidden = [name for name in os.listdir(folder) if name != "b"]
                if has_unnamed_files(folder):
                    self.assertEqual(hidden, [])
                else:
                    print(f"{kind} has no unnamed files: a hidden name instead", file=sys.stderr)
                    self.assertRegex(" ".join(hidden), r"^\.b\.headrace-\S+$")
                started.signal(signal.SIGTERM)
                self.assertStatus(started.finish(tool.WATCHDOG), 143)
                self.assertContent(self.there, OLD)
                self.assertOnly("b", folder=folder)

    def test_leaves_the_old_file_when_something_fails(self):
        if reason := deny.why_not():
            self.skipTest(reason)
        denials = {"a read": deny.Denial("pread64", error="EIO", at=2, under=self.source),
                   "putting in place": deny.Denial("renameat", error="EIO"),
                   "putting in place, newer": deny.Denial("renameat2", error="EIO"),
                   "linking": deny.Denial("linkat", error="EIO")}
        told = self.path("report-told")
        for kind, folder in self.each():
            failed = set()
            for what, denial in denials.items():
                with self.subTest(kind=kind, what=what):
                    done = self.run_tool("copy", "--method", "read_write", self.source, self.there,
                                         wrap=deny.run(denial, told=told))
                    if deny.counts(told)[0].answered == 0:  # this way in is not taken here
                        self.assertStatus(done, 0)
                        self.make_old()
                        continue
                    failed.add(what.split(",")[0])
                    self.assertStatus(done, 1, "Input/output error")
                    self.assertContent(self.there, OLD)
                    self.assertOnly("b", folder=folder)
            self.assertGreaterEqual(failed, {"a read", "putting in place"})

    def make_old(self):
        with open(self.there, "wb") as file:
            file.write(OLD)

    def test_on_an_overlay_leaves_the_lower_layer_alone(self):
        try:
            disk = self.stack.enter_context(file_systems.overlay(lower={"b": OLD}))
        except file_systems.Unavailable as reason:
            self.skipTest(str(reason))
        there = os.path.join(disk, "b")
        for options in ([], ["--in-place"]):
            with self.subTest(options):
                self.assertStatus(self.run_tool("copy", *options, self.source, there), 0)
                self.assertContent(there, DATA)
                self.assertOnly("b", folder=disk)
                self.assertContent(os.path.join(lower_of(disk), "b"), OLD)


def lower_of(overlay):
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        line = next(line for line in mounts if line.split()[1] == overlay)
    return re.search(r"lowerdir=([^,]*)", line)[1]


if __name__ == "__main__":
    if reason := file_systems.why_not():
        print("skipped: " + reason, file=sys.stderr)
        sys.exit(77)
    tool.main()
