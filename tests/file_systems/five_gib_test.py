"""Five gibibytes on a disk, of holes and of data, by the default path."""
# labels: slow

import os
import shutil
import subprocess
import tempfile

import tool
from tool import ToolTest

GIB = 1 << 30
LONG = 400


class FiveGib(ToolTest):
    size = 5 * GIB

    def setUp(self):
        super().setUp()
        self.disk = tempfile.mkdtemp(prefix="headrace-large-", dir=os.environ.get("TMPDIR", "/var/tmp"))
        self.addCleanup(shutil.rmtree, self.disk, ignore_errors=True)
        if shutil.disk_usage(self.disk).free < 2 * self.size + GIB:
            self.skipTest("not enough free space")
        self.source, self.end = os.path.join(self.disk, "a"), os.path.join(self.disk, "b")

    def is_copied(self):
        done = self.run_tool("copy", self.source, self.end, timeout=LONG, json_report=True)
        self.assertStatus(done, 0)
        same = subprocess.run(["cmp", self.source, self.end], timeout=LONG, capture_output=True)
        self.assertEqual((same.returncode, same.stdout), (0, b""))

    def test_of_holes(self):
        with open(self.source, "wb") as file:
            file.truncate(self.size)
            for offset in range(0, self.size, self.size // 7):
                os.pwrite(file.fileno(), b"here", offset)
        self.is_copied()

    def test_of_data(self):
        block = 64 << 20
        data = bytearray(tool.content(block))
        with open(self.source, "wb", buffering=0) as file:
            for number in range(self.size // block):
                data[:8] = number.to_bytes(8, "big")  # no two blocks are the same
                self.assertEqual(file.write(data), block)
        self.is_copied()


if __name__ == "__main__":
    tool.main()
