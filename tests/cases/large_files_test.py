"""Files beyond what one call moves and beyond 32 bits are whole."""
# labels: slow

import os
import shutil
import tempfile

import tool
from tool import ToolTest

GIB = 1 << 30


class Large(ToolTest):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.mkdtemp(prefix="headrace-large-", dir=os.environ.get("TMPDIR", "/var/tmp"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def source(self, size):
        """Marks at the start, across every limit, and at the end."""
        if shutil.disk_usage(self.folder).free < size + 5 * GIB:
            self.skipTest("not enough free space")
        marks = {0: b"first", size - 4: b"last"}
        for limit in (0x7ffff000, 2 * GIB, 4 * GIB):
            if limit + 3 < size - 4:
                marks[limit - 3] = b"across"
        return self.make_sparse("a", size, marks), marks

    def whole(self, path, size, marks):
        self.assertEqual(os.path.getsize(path), size)
        with open(path, "rb") as file:
            for offset, data in marks.items():
                file.seek(offset)
                self.assertEqual(file.read(len(data)), data, offset)

    def copies(self, size, *options):
        source, marks = self.source(size)
        done = self.run_tool("copy", *options, source, self.path("b"), timeout=280, json_report=True)
        self.assertStatus(done, 0)
        self.assertEqual(done.report["bytes"] + done.report["holes"], size)
        self.assertGreaterEqual(done.report["bytes"], sum(map(len, marks.values())))
        self.whole(self.path("b"), size, marks)
        os.unlink(self.path("b"))
        return done.report

    def test_of_more_than_2_gib(self):
        self.copies(2 * GIB + (5 << 20))

    def test_of_more_than_2_gib_by_sendfile(self):
        size = 2 * GIB + (5 << 20)  # whole, which is more than one call moves
        report = self.copies(size, "--method", "sendfile", "--sparse", "never")
        self.assertEqual(report["bytes"], size)

    def test_of_more_than_4_gib(self):
        self.copies(4 * GIB + 5)

    def test_of_more_than_4_gib_over_a_socket(self):
        size = 4 * GIB + 5
        source, _ = self.source(size)
        receiver = self.start("receive", "127.0.0.1:0", "/dev/null", json_report=True)
        sent = self.run_tool("send", source, receiver.address(), timeout=280, json_report=True)
        received = receiver.finish(280)
        for done in (sent, received):
            self.assertStatus(done, 0)
            self.assertEqual(done.report["bytes"], size)
        self.assertEqual(sent.report["acknowledged"], size)

    def test_a_range_beyond_4_gib(self):
        size = 4 * GIB + 100
        source, _ = self.source(size)
        done = self.run_tool("copy", "--range", f"{4 * GIB - 3}:6", source, "-")
        self.assertEqual(done.out, b"across")


if __name__ == "__main__":
    tool.main()
