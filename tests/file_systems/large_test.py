"""Around 2 GiB and 4 GiB, where counts and offsets of 32 bits end: every method, to the last byte.

The sources are holes of a tmpfs with a few marks: to read them costs neither memory nor a disk. What
only counts goes to /dev/null; what is looked at goes to memory, or is shared with its source.
"""
# labels: slow

import contextlib
import os
import sys

import file_systems
import tool
from tool import ToolTest

GIB = 1 << 30
SIZES = (2 * GIB - 1, 2 * GIB, 2 * GIB + 1, 4 * GIB - 1, 4 * GIB, 4 * GIB + 1)
LOOKED_AT = SIZES[-1]  # takes as much memory, twice where the source is mapped
LIMITS = (0x7ffff000, 2 * GIB, 4 * GIB)  # the first is the most that Linux moves in one call
LONG = 240
REFUSED = 3


def available_memory():
    with open("/proc/meminfo", encoding="ascii") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("MemAvailable:"))


class Large(ToolTest):
    def setUp(self):
        super().setUp()
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.memory = stack.enter_context(file_systems.mounted("tmpfs"))
        self.source = os.path.join(self.memory, "a")

    def needs_memory(self, size):
        if available_memory() < size + 2 * GIB:
            self.skipTest(f"less than {size + 2 * GIB} bytes of memory to spare")

    def make_source(self, size, path=None):
        """{offset: bytes} of what is not zero: across every limit, at the start and the end."""
        marks = {0: b"first", size - 4: b"last"}
        marks |= {limit - 3: b"across" for limit in LIMITS if limit + 3 < size - 4}
        with open(path or self.source, "wb") as file:
            file.truncate(size)
            for offset, data in marks.items():
                os.pwrite(file.fileno(), data, offset)
        return marks

    def is_whole(self, path, size, marks):
        self.assertEqual(os.path.getsize(path), size)
        with open(path, "rb") as file:
            for offset, data in marks.items():
                file.seek(max(0, offset - 1))
                before = b"" if offset == 0 else b"\0"
                self.assertEqual(file.read(len(before + data)), before + data, offset)

    # -- The ways from one end to the other; each gives what the command of the method says --

    def file_to(self, end, options):
        return self.run_tool("copy", "--sparse", "never", *options, self.source, end, timeout=LONG,
                             json_report=True)

    def file_to_kept_holes(self, end, options):
        return self.run_tool("copy", *options, self.source, end, timeout=LONG, json_report=True)

    def pipe_to(self, end, options):
        reader, writer = self.pipe()
        feeder = self.start("copy", self.source, "-", stdout=writer)
        os.close(writer)
        done = self.run_tool("copy", *options, "-", end, stdin=reader, timeout=LONG, json_report=True)
        os.close(reader)
        feeder.finish(LONG)
        feeder.close()
        return done

    def socket_to(self, end, options):
        receiver = self.start("receive", *options, "127.0.0.1:0", end, json_report=True)
        sender = self.start("send", self.source, receiver.address())
        done = receiver.finish(LONG)
        sender.finish(LONG)
        for one in (receiver, sender):
            one.close()
        return done

    def file_to_socket(self, end, options):
        receiver = self.start("receive", "127.0.0.1:0", end)
        done = self.run_tool("send", *options, self.source, receiver.address(), timeout=LONG,
                             json_report=True)
        receiver.finish(LONG)
        receiver.close()
        return done

    def way_of(self, options, end):
        """The first of the ways that a method serves, tried with little; None where there is none."""
        self.make_source(1 << 20)
        for way in (self.file_to, self.file_to_socket, self.pipe_to, self.socket_to):
            if way(end, options).status == 0:
                return way
        return None

    def each_method(self):
        for method in ("auto", *tool.all_methods()):
            yield method, [] if method == "auto" else ["--method", method]

    def counts(self, done, size, method):
        self.assertStatus(done, 0)
        self.assertEqual((done.report["bytes"], done.report["stranded"]), (size, 0))
        if method != "auto":
            self.assertEqual(tool.moved_by(done.report), {method: size})
        self.assertEqual(sum(leg["bytes"] for leg in done.report["legs"]), size)

    # -- The tests --

    def test_every_size_by_every_method_that_needs_no_file_to_write_to(self):
        served = set()
        for method, options in self.each_method():
            way = self.way_of(options, "/dev/null")
            for size in SIZES if way else ():
                with self.subTest(method=method, size=size):
                    self.make_source(size)
                    self.counts(way("/dev/null", options), size, method)
                    served.add(method)
        self.assertGreaterEqual(served, {"auto", "sendfile", "splice", "splice_pipe", "read_write"})

    def test_every_size_by_every_method_that_may_share(self):
        served = set()
        for kind in file_systems.CLONING:
            with contextlib.ExitStack() as stack:
                try:
                    disk = stack.enter_context(file_systems.mounted(kind, 6 * GIB))
                except file_systems.Unavailable as reason:
                    print(f"not tried: {kind}: {reason}", file=sys.stderr)
                    continue
                self.source, end = os.path.join(disk, "a"), os.path.join(disk, "b")
                for method in ("auto", "reflink", "copy_file_range"):
                    for size in SIZES:
                        with self.subTest(kind=kind, method=method, size=size):
                            marks = self.make_source(size)
                            options = [] if method == "auto" else ["--method", method]
                            self.counts(self.file_to(end, options), size, method)
                            self.is_whole(end, size, marks)
                            served.add(method)
        if not served:
            self.skipTest("no file system with shared extents")

    def test_every_size_between_files_by_every_method(self):
        """The holes are kept, so that every method writes on both sides of every limit at once."""
        end, served = os.path.join(self.memory, "b"), set()
        for method, options in self.each_method():
            for size in SIZES:
                with self.subTest(method=method, size=size):
                    marks = self.make_source(size)
                    done = self.file_to_kept_holes(end, options)
                    if done.status == REFUSED:
                        continue
                    self.assertStatus(done, 0)
                    self.assertEqual(done.report["bytes"] + done.report["holes"], size)
                    self.is_whole(end, size, marks)
                    served.add(method)
        self.assertGreaterEqual(served, {"auto", "copy_file_range", "sendfile", "read_write"})

    def test_the_bytes_by_methods_that_need_a_file_to_write_to(self):
        self.needs_memory(LOOKED_AT)
        end = os.path.join(self.memory, "b")
        for method, options in self.each_method():
            if method != "auto" and self.way_of(options, "/dev/null"):
                continue  # moves its gibibytes elsewhere
            way = self.way_of(options, end)
            with self.subTest(method=method):
                if way:
                    os.unlink(end)
                    marks = self.make_source(LOOKED_AT)
                    self.counts(way(end, options), LOOKED_AT, method)
                    self.is_whole(end, LOOKED_AT, marks)
                    os.unlink(end)
                else:
                    self.assertEqual(method, "reflink")  # which a tmpfs does not have

    def test_ranges_across_the_limits_by_every_method(self):
        marks = self.make_source(SIZES[-1])
        end, served = self.path("b"), set()
        for method, options in self.each_method():
            for limit in LIMITS[:2]:
                for start, length in ((limit - 5000, 10_000), (limit, 4096), (limit - 3, 6)):
                    with self.subTest(method=method, start=start, length=length):
                        done = self.file_to(end, [*options, "--range", f"{start}:{length}"])
                        if done.status == REFUSED:
                            continue
                        self.counts(done, length, method)
                        wanted = bytearray(length)
                        for offset, data in marks.items():
                            for at, byte in enumerate(data, offset - start):
                                if 0 <= at < length:
                                    wanted[at] = byte
                        self.assertContent(end, bytes(wanted))
                        served.add(method)
        self.assertGreaterEqual(served, {"auto", "sendfile", "read_write"})


if __name__ == "__main__":
    if reason := file_systems.why_not():
        print("not tried: file systems of our own: " + reason, file=sys.stderr)
        sys.exit(77)
    tool.main()
