"""Sizes around every block and buffer, and random ranges, by every method on every file system."""
# labels: slow

import contextlib
import os
import random
import sys

import file_systems
import tool
from tool import ToolTest, content

SIZES = (0, 1, 4095, 4096, 4097, 65535, 65536, 65537)
SEED = 20061101
RANGES = 6  # for each method and file system
REFUSED = 3


def methods():
    for method in ("auto", *tool.all_methods()):
        yield method, [] if method == "auto" else ["--method", method]


class Sizes(ToolTest):
    def setUp(self):
        super().setUp()
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.disks = file_systems.available(stack)
        self.served = set()

    def source(self, disk, data):
        path = os.path.join(disk, "a")
        with open(path, "wb") as file:
            file.write(data)
        return path

    def is_whole(self, done, data, method, got):
        """All of `data` arrived, which `got()` reads; or the method does not serve this pair."""
        if done.status == REFUSED and method != "auto":
            self.assertEqual(done.report["bytes"], 0)
            return
        self.assertStatus(done, 0)
        self.assertEqual((done.report["bytes"], done.report["stranded"]), (len(data), 0))
        self.assertSameBytes(got(), data)
        self.served.add(method)

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def to_file(self, disk, data, method, options, source):
        end = os.path.join(disk, "b")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(end)
        done = self.run_tool("copy", *options, source, end, json_report=True)
        self.is_whole(done, data, method, lambda: self.read(end))
        self.assertEqual(os.path.exists(end), done.status == 0)

    def to_pipe(self, data, method, options, source):
        done = self.run_tool("copy", *options, source, "-", json_report=True)
        self.is_whole(done, data, method, lambda: done.out)

    def from_pipe(self, disk, data, method, options):
        end = os.path.join(disk, "b")
        reader, writer = self.pipe(size=1 << 17)  # holds the largest of the sizes
        os.write(writer, data)
        os.close(writer)
        done = self.run_tool("copy", *options, "-", end, stdin=reader, json_report=True)
        os.close(reader)
        self.is_whole(done, data, method, lambda: self.read(end))

    def test_between_files(self):
        for kind, disk in self.disks.items():
            for size in SIZES:
                data = content(size, size)
                source = self.source(disk, data)
                for method, options in methods():
                    with self.subTest(kind=kind, size=size, method=method):
                        self.to_file(disk, data, method, options, source)
        self.assertGreaterEqual(self.served, {"auto", "copy_file_range", "sendfile", "read_write"})

    def test_to_and_from_a_pipe(self):
        for kind in {"ext4", "btrfs"} & set(self.disks):
            disk = self.disks[kind]
            for size in SIZES:
                data = content(size, size)
                source = self.source(disk, data)
                for method, options in methods():
                    with self.subTest(kind=kind, size=size, method=method):
                        self.to_pipe(data, method, options, source)
                        self.from_pipe(disk, data, method, options)
        self.assertGreaterEqual(self.served, {"auto", "splice", "read_write"})

    def test_through_a_socket(self):
        disk = self.path()
        for size in SIZES:
            data = content(size, size)
            source, end = self.source(disk, data), self.path("b")
            for where in ("127.0.0.1:0", "unix:" + self.path("s")):
                for method, options in methods():
                    for send, receive in ((options, []), ([], options)):
                        with self.subTest(where=where, size=size, method=method, send=send):
                            receiver = self.start("receive", *receive, where, end, json_report=True)
                            sent = self.run_tool("send", *send, source, receiver.address(),
                                                 json_report=True)
                            received = receiver.finish()
                            receiver.close()
                            done = sent if send else received
                            self.is_whole(done, data, method, lambda: self.read(end))
        self.assertGreaterEqual(self.served, {"auto", "sendfile", "splice_pipe", "read_write"})

    def test_random_ranges(self):
        drawn = random.Random(SEED)
        data = content(300_000)
        edges = [0, 1, 4095, 4096, 4097, 65536, 131072, len(data)]
        for kind, disk in self.disks.items():
            source = self.source(disk, data)
            for method, options in methods():
                for _ in range(RANGES):
                    start, end = sorted(drawn.choice((drawn.choice(edges), drawn.randint(0, len(data))))
                                        for _ in range(2))
                    wish = f"{start}:{end - start}" if end < len(data) else f"{start}:"
                    with self.subTest(kind=kind, method=method, range=wish):
                        ranged = [*options, "--range", wish]
                        self.to_file(disk, data[start:end], method, ranged, source)
                        self.to_pipe(data[start:end], method, ranged, source)
        self.assertGreaterEqual(self.served, {"auto", "copy_file_range", "sendfile", "read_write"})


if __name__ == "__main__":
    if reason := file_systems.why_not():
        print("not tried: file systems of our own: " + reason, file=sys.stderr)
        sys.exit(77)
    tool.main()
