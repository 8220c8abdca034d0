"""Holes: kept, filled, or made of zeros, as --sparse says; on each file system that can be had."""
# labels: strace

import contextlib
import os

import file_systems
import tool
import witness
from tool import HEADRACE, ToolTest, content

BLOCK = 4096
MIB = 1 << 20
GIB = 1 << 30
REFUSED = 3
SLACK = 64 * 1024  # what a file system needs to say where the blocks are

# {what: (size, {offset: bytes})}
SHAPES = {
    "empty": (0, {}),
    "dense": (MIB + 5, {0: content(MIB + 5)}),
    "one hole": (MIB, {}),
    "one hole that ends within a block": (MIB + 7, {}),
    "a leading hole": (MIB + 100, {MIB: content(100)}),
    "a trailing hole": (MIB + 100, {0: content(BLOCK)}),
    "a hole in the middle": (2 * MIB, {0: content(BLOCK), 2 * MIB - BLOCK: content(BLOCK, 2)}),
    "one byte far out": (64 * MIB + 1, {64 * MIB: b"x"}),
    "every other block": (256 * BLOCK, {n * BLOCK: content(BLOCK, n) for n in range(0, 256, 2)}),
}


def data_of(path):
    """[(begin, end)] of what lseek(2) calls data."""
    found, at = [], 0
    with open(path, "rb") as file, contextlib.suppress(OSError):  # ENXIO: no more data
        while True:
            begin = os.lseek(file.fileno(), at, os.SEEK_DATA)
            at = os.lseek(file.fileno(), begin, os.SEEK_HOLE)
            found.append((begin, at))
    return found


def allocated(path):
    return os.stat(path).st_blocks * 512


def size_of_data(path):
    return sum(end - begin for begin, end in data_of(path))


def read(path):
    with open(path, "rb") as file:
        return file.read()


class SparseTest(ToolTest):
    def copy(self, *arguments, **options):
        done = self.run_tool("copy", *arguments, json_report=True, **options)
        self.assertStatus(done, 0)
        report = done.report
        expected = report["expected"] or 0  # a size of 0 is not believed: nothing is expected
        self.assertEqual(report["bytes"] + report["holes"], expected, report)
        return report

    def assertHasBlocksFor(self, path, size):  # noqa: N802
        self.assertLessEqual(allocated(path), size + SLACK)

    def assertSameHoles(self, source, destination):  # noqa: N802
        self.assertSameBytes(read(destination), read(source))
        self.assertEqual(data_of(destination), data_of(source))
        self.assertHasBlocksFor(destination, size_of_data(source))


class Auto(SparseTest):
    """The default: what is a hole stays one."""

    def test_keeps_every_shape(self):
        for shape, (size, marks) in SHAPES.items():
            with self.subTest(shape):
                source = self.make_sparse("a", size, marks)
                self.copy(source, self.path("b"))
                self.assertSameHoles(source, self.path("b"))

    def test_keeps_them_by_every_method(self):
        size, marks = SHAPES["every other block"]
        source = self.make_sparse("a", size, marks)
        carried = set()
        for method in tool.all_methods():
            done = self.run_tool("copy", "--method", method, source, self.path(method))
            if done.status == REFUSED:
                continue
            with self.subTest(method):
                self.assertStatus(done, 0)
                self.assertSameHoles(source, self.path(method))
                carried.add(method)
        self.assertLessEqual({"copy_file_range", "sendfile", "read_write", "splice_pipe"}, carried)

    def test_the_report_tells_holes_apart_from_bytes_moved(self):
        source = self.make_sparse("a", 3 * MIB, {MIB: content(2 * BLOCK)})
        report = self.copy("--method", "copy_file_range,read_write", source, self.path("b"))
        moved = size_of_data(source)
        self.assertEqual((report["bytes"], report["holes"]), (moved, 3 * MIB - moved))
        self.assertEqual(sum(leg["bytes"] for leg in report["legs"]), moved)

    def test_a_range_within_a_hole_is_a_hole(self):
        source = self.make_sparse("a", 4 * MIB, {0: content(BLOCK)})
        report = self.copy("--range", f"{MIB + 17}:{MIB}", source, self.path("b"))
        self.assertSameBytes(read(self.path("b")), bytes(MIB))
        self.assertEqual(report["holes"], MIB)
        self.assertHasBlocksFor(self.path("b"), 0)

    def test_a_range_may_begin_and_end_anywhere(self):
        size, marks = SHAPES["every other block"]
        source = self.make_sparse("a", size, marks)
        for begin, length in ((1, BLOCK), (BLOCK - 1, 2), (BLOCK + 5, 9 * BLOCK), (3, size - 7)):
            with self.subTest(range=(begin, length)):
                self.copy("--range", f"{begin}:{length}", source, self.path("b"))
                self.assertSameBytes(read(self.path("b")), read(source)[begin:begin + length])

    def test_the_source_is_read_from_its_position_and_left_at_its_end(self):
        source = self.make_sparse("a", 3 * MIB, {MIB: content(BLOCK)})
        with open(source, "rb", buffering=0) as file:
            file.seek(BLOCK + 1)
            self.copy("-", self.path("b"), stdin=file)
            self.assertEqual(file.tell(), 3 * MIB)
        self.assertSameBytes(read(self.path("b")), read(source)[BLOCK + 1:])
        self.assertHasBlocksFor(self.path("b"), 2 * BLOCK)

    def test_five_gib_of_holes_take_no_room(self):
        source = self.make_sparse("a", 5 * GIB, {0: b"first", 4 * GIB + 5: b"second"})
        report = self.copy("--method", "copy_file_range,read_write", source, self.path("b"))
        self.assertEqual(os.path.getsize(self.path("b")), 5 * GIB)
        self.assertEqual(data_of(self.path("b")), data_of(source))
        self.assertLessEqual(report["bytes"], SLACK)
        for begin, end in data_of(source):
            with open(source, "rb") as one, open(self.path("b"), "rb") as other:
                self.assertSameBytes(os.pread(other.fileno(), end - begin, begin),
                                     os.pread(one.fileno(), end - begin, begin))

    def test_thousands_of_holes(self):
        marks = {n * BLOCK: b"%d" % n for n in range(1, 6000, 2)}
        source = self.make_sparse("a", 6000 * BLOCK, marks)
        self.copy(source, self.path("b"))
        self.assertSameHoles(source, self.path("b"))


class Destinations(SparseTest):
    """Where old content stands, or no hole can be made."""

    def setUp(self):
        super().setUp()
        self.source = self.make_sparse("a", 2 * MIB, {MIB: content(BLOCK)})

    def test_old_content_gives_way_to_holes_in_place(self):
        destination = self.make("b", content(3 * MIB, 2))
        before = os.stat(destination).st_ino
        self.copy("--in-place", self.source, destination)
        self.assertEqual(os.stat(destination).st_ino, before)
        self.assertSameHoles(self.source, destination)

    def test_holes_are_punched_into_what_standard_output_holds(self):
        old = content(3 * MIB, 2)
        destination = self.make("b", old)
        with open(destination, "r+b", buffering=0) as file:
            file.seek(BLOCK)
            self.copy(self.source, "-", stdout=file)
            self.assertEqual(file.tell(), 2 * MIB + BLOCK)
        self.assertSameBytes(read(destination),
                             old[:BLOCK] + read(self.source) + old[2 * MIB + BLOCK:])
        self.assertHasBlocksFor(destination, MIB + BLOCK)

    def test_what_is_appended_to_gets_zeros(self):
        destination = self.make("b", b"old")
        with open(destination, "ab") as file:
            report = self.copy(self.source, "-", stdout=file)
        self.assertSameBytes(read(destination), b"old" + read(self.source))
        self.assertEqual(report["holes"], 0)

    def test_a_pipe_gets_zeros(self):
        done = self.run_tool("copy", self.source, "-")
        self.assertStatus(done, 0)
        self.assertSameBytes(done.out, read(self.source))


class Never(SparseTest):
    def test_fills_every_hole(self):
        for shape, (size, marks) in SHAPES.items():
            with self.subTest(shape):
                source = self.make_sparse("a", size, marks)
                report = self.copy("--sparse", "never", source, self.path("b"))
                self.assertSameBytes(read(self.path("b")), read(source))
                self.assertGreaterEqual(allocated(self.path("b")), size)
                self.assertEqual((report["bytes"], report["holes"]), (size, 0))


class Always(SparseTest):
    def test_keeps_every_shape(self):
        for shape, (size, marks) in SHAPES.items():
            with self.subTest(shape):
                source = self.make_sparse("a", size, marks)
                self.copy("--sparse", "always", source, self.path("b"))
                self.assertSameHoles(source, self.path("b"))

    def test_makes_holes_of_blocks_of_zeros(self):
        source = self.make("a", content(BLOCK) + bytes(20 * MIB) + content(BLOCK, 2) + bytes(MIB))
        report = self.copy("--sparse", "always", source, self.path("b"))
        self.assertSameBytes(read(self.path("b")), read(source))
        self.assertHasBlocksFor(self.path("b"), 2 * BLOCK)
        self.assertEqual((report["bytes"], report["holes"]), (2 * BLOCK, 21 * MIB))
        self.assertTrue(any("read to find zeros" in note for note in report["notes"]), report)

    def test_auto_leaves_written_zeros_alone(self):
        source = self.make("a", bytes(MIB))
        report = self.copy(source, self.path("b"))
        self.assertEqual((report["bytes"], report["holes"]), (MIB, 0))
        self.assertGreaterEqual(allocated(self.path("b")), MIB)

    def test_less_than_a_block_of_zeros_stays(self):
        data = b"x" + bytes(2 * BLOCK - 2) + b"x"
        self.copy("--sparse", "always", self.make("a", data), self.path("b"))
        self.assertContent(self.path("b"), data)
        self.assertGreaterEqual(allocated(self.path("b")), 2 * BLOCK)


    @tool.needs("strace")
    def test_a_signal_ends_the_search_for_zeros(self):
        source = self.make("a", bytes(64 * MIB))
        wrap = tool.strace("-e", "trace=pread64", "-e", "inject=pread64:signal=SIGINT:when=3")
        done = self.run_tool("copy", "--sparse", "always", source, self.path("b"), wrap=wrap,
                             env=dict(os.environ) | witness.sanitizers_under_strace())
        self.assertStatus(done, 130)
        self.assertOnly("a")


class FileSystems(SparseTest):
    """The same shapes, from each file system to each."""

    @classmethod
    def setUpClass(cls):
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        cls.folders = file_systems.available(stack)

    def setUp(self):
        super().setUp()
        if not self.folders:
            self.skipTest(file_systems.why_not() or "no file system can be mounted here")

    def on_each_pair(self, check):
        for kind, folder in self.folders.items():
            for shape in ("a hole in the middle", "a trailing hole", "every other block"):
                source = self.make_sparse(os.path.join(folder, "a"), *SHAPES[shape])
                for other, place in self.folders.items():
                    with self.subTest(f"{kind} to {other}: {shape}"):
                        check(source, os.path.join(place, "b"))

    def test_keep_holes(self):
        def check(source, destination):
            self.copy(source, destination)
            self.assertSameHoles(source, destination)

        self.on_each_pair(check)

    def test_keep_holes_where_they_are_copied_not_cloned(self):
        def check(source, destination):
            self.copy("--reflink", "never", source, destination)
            self.assertSameHoles(source, destination)

        self.on_each_pair(check)

    def test_never_fills_them(self):
        def check(source, destination):
            report = self.copy("--sparse", "never", "--reflink", "never", source, destination)
            self.assertSameBytes(read(destination), read(source))
            self.assertEqual(report["holes"], 0)

        self.on_each_pair(check)


class Witnessed(SparseTest):
    """Bytes moved are those that the calls moved; no call moved a hole."""

    def test_the_calls_moved_what_the_report_says(self):
        if reason := witness.why_not():
            self.skipTest(reason)
        size, marks = SHAPES["every other block"]
        source = self.make_sparse("a", size, marks)
        for method in ("copy_file_range", "sendfile", "splice_pipe", "read_write"):
            with self.subTest(method):
                folder = self.make_folder(method)
                report = self.path(f"{method}.json")
                run = witness.run([HEADRACE, "copy", "--method", method, source,
                                   os.path.join(folder, "b"), "--report", "json",
                                   "--report-file", report], report_file=report)
                self.assertEqual(run.status, 0, run.stderr)
                self.assertEqual(
                    witness.check_report(run, witness.path(source), witness.inside(folder)), [])
                self.assertEqual(run.report["bytes"], size_of_data(source))


def setUpModule():  # noqa: N802
    """Mounts are made before any thread is; a folder without holes proves nothing."""
    file_systems.why_not()


if __name__ == "__main__":
    tool.main()
