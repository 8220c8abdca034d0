"""`copy --fsync` and a power cut: what the disk holds at that moment is all that is left.

An ext4 on a loop device: its image is the disk, and what the kernel has not written into it is
lost. The copy is stopped at a random point, the image is copied as it is, and the copy of the image
is mounted, which plays its journal back, as the next start of a machine would.

HEADRACE_POWER_CUTS=N cuts N times instead of 200 (one takes some 0.1 s); the seed is fixed.
"""
# labels: strace

import contextlib
import os
import random
import shutil
import signal
import subprocess

import file_systems
import stepping
import tool
from tool import HEADRACE, ToolTest, content

CUTS = int(os.environ.get("HEADRACE_POWER_CUTS", "200"))
NEW = content(96 * 1024)
OLD = content(50_000, seed=2)
OPTIONS = ("--method", "read_write", "--buffer", "8KiB")


class Disk:
    """An ext4 whose image can be copied as a power cut would leave it."""

    def __init__(self, folder, lab):
        self.folder, self.lab = folder, lab
        device = os.stat(folder).st_dev
        with open(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/loop/backing_file",
                  encoding="utf-8") as file:
            self.image = file.read().strip()

    def after_a_power_cut(self):
        """{name: content} of the files that are there when the machine starts again."""
        copy, mount = os.path.join(self.lab, "image"), os.path.join(self.lab, "mount")
        shutil.copyfile(self.image, copy)
        os.makedirs(mount, exist_ok=True)
        subprocess.run(["mount", "-o", "loop", copy, mount], check=True, capture_output=True)
        try:
            found = {}
            for name in os.listdir(mount):
                path = os.path.join(mount, name)
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        found[name] = file.read()
            return found
        finally:
            subprocess.run(["umount", mount], check=True, capture_output=True)
            os.unlink(copy)

    def put_old(self, path, replaces):
        """The state before: `b` is the old file, safely on the disk, or is not there."""
        for name in os.listdir(self.folder):
            if name != "lost+found":
                os.unlink(os.path.join(self.folder, name))
        if replaces:
            with open(path, "wb") as file:
                file.write(OLD)
        os.sync()


class PowerCut(ToolTest):
    def setUp(self):
        super().setUp()
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        try:
            folder = stack.enter_context(file_systems.mounted("ext4", size=16 * file_systems.MIB))
            lab = stack.enter_context(file_systems.mounted("tmpfs", size=64 * file_systems.MIB))
        except file_systems.Unavailable as why:
            self.skipTest(str(why))
        self.disk = Disk(folder, lab)
        self.source = os.path.realpath(self.make("a", NEW))
        self.destination = os.path.join(folder, "b")

    def command(self, *options):
        return [HEADRACE, "copy", *OPTIONS, *options, self.source, self.destination]

    def cut_at_random(self, replaces, seed):
        command = self.command("--fsync")
        self.disk.put_old(self.destination, replaces)
        try:
            first, last = stepping.measure(command, self.source)
        except stepping.NotTraced as why:
            self.skipTest(f"no ptrace here: {why}")
        chance = random.Random(seed)
        for _ in range(max(CUTS // 2, 1)):
            point = chance.randrange(first, last)
            self.disk.put_old(self.destination, replaces)
            run = stepping.Stepped(command)
            run.step_to(point)
            found = self.disk.after_a_power_cut()
            run.finish(signal.SIGKILL)
            with self.subTest(point=point, of=(first, last)):
                data = found.pop("b", None)
                self.assertTrue(data == NEW or data == (OLD if replaces else None),
                                f"{len(data or b'')} bytes that are neither the old nor the new")
                found.pop("lost+found", None)
                self.assertLessEqual(set(found), {".b.headrace-000001"})

    def test_leaves_the_old_file_or_the_new_one(self):
        self.cut_at_random(True, seed=1)

    def test_leaves_no_file_or_the_new_one(self):
        self.cut_at_random(False, seed=2)

    def test_takes_nothing_back_once_the_copy_has_ended(self):
        for replaces in (True, False):
            self.disk.put_old(self.destination, replaces)
            done = self.run_tool(*self.command("--fsync")[1:])
            self.assertStatus(done, 0)
            self.assertSameBytes(self.disk.after_a_power_cut().get("b", b""), NEW)

    def test_without_fsync_shows_what_happens(self):
        """No promise, so nothing is asserted but that the machine starts: see docs/copy.md."""
        for replaces in (True, False):
            self.disk.put_old(self.destination, replaces)
            self.assertStatus(self.run_tool(*self.command()[1:]), 0)
            data = self.disk.after_a_power_cut().get("b")
            state = {None: "not there", NEW: "the new file", OLD: "the old file", b"": "empty"}
            print(f"without --fsync, {'replacing' if replaces else 'making'} a file: "
                  f"{state.get(data, 'something else')}")


if __name__ == "__main__":
    tool.main()
