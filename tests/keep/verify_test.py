"""`copy --verify`: both ends are read again before the new file takes its place."""
# labels: strace

import os
import unittest

import file_systems
import stepping
import tool
from tool import HEADRACE, ToolTest, content, needs, strace

NEW = content(300_000)
OLD = b"the old content"
FSYNC = {"x86_64": 74, "aarch64": 82}.get(os.uname().machine)
# A kernel that says it wrote what it did not.
LIE = ("-e", "trace=write,pwritev2", "-e", "inject=write,pwritev2:retval=4096:when=2")


class Verify(ToolTest):
    def copy(self, *arguments, **options):
        return self.run_tool("copy", "--verify", *arguments, json_report=True, **options)

    def test_says_what_was_compared_and_how(self):
        done = self.copy(self.make("a", b"abc"), self.path("b"))
        self.assertStatus(done, 0)
        found = done.report["verification"]
        self.assertEqual((found["algorithm"], found["bytes"]), ("xxh3-128", 3))
        # What `xxhsum -H2` prints for it.
        self.assertEqual(set(found["digests"].values()), {"06b05ab6733a618578af5f94892f3950"})
        self.assertContent(self.path("b"), b"abc")

    def test_text_says_where_the_bytes_came_from(self):
        done = self.run_tool("copy", "--verify", self.make("a", NEW), self.path("b"))
        self.assertStatus(done, 0, "verified", "293KiB read again", "source from", "destination from")

    def test_without_it_nothing_is_read_again(self):
        done = self.run_tool("copy", self.make("a", NEW), self.path("b"), json_report=True)
        self.assertIsNone(done.report["verification"])

    @needs("strace")
    def test_finds_bytes_that_did_not_arrive_and_keeps_the_old_file(self):
        source, destination = self.make("a", NEW), self.make("b", OLD)
        options = ("--method", "read_write", "--buffer", "4096", "--sparse", "never")
        done = self.copy(*options, source, destination, wrap=strace(*LIE))
        self.assertStatus(done, 6, "is what it was")
        self.assertEqual(done.report["outcome"], "mismatched")
        self.assertIn("the ends differ from byte 4096 on", done.report["notes"])
        self.assertEqual(len(set(done.report["verification"]["digests"].values())), 2)
        self.assertContent(destination, OLD)
        self.assertOnly("a", "b")
        # The same without a second look: nobody notices.
        self.assertStatus(self.run_tool("copy", *options, source, destination, wrap=strace(*LIE)), 0)

    @needs("strace")
    def test_finds_it_in_place_too(self):
        done = self.copy("--in-place", "--method", "read_write", "--buffer", "4096",
                         self.make("a", NEW), self.make("b", OLD), wrap=strace(*LIE))
        self.assertStatus(done, 6)

    @unittest.skipUnless(FSYNC, "the number of fsync(2) on this machine is not known here")
    def test_a_source_that_changed_meanwhile_is_no_corruption(self):
        source, destination = os.path.realpath(self.make("a", NEW)), self.make("b", OLD)
        os.utime(source, ns=(0, 0))
        for options in ([], ["--live"]):
            try:
                run = stepping.Stepped([HEADRACE, "copy", "--verify", *options, source, destination])
            except stepping.NotTraced as why:
                self.skipTest(f"no ptrace here: {why}")
            # The bytes have moved and the source was compared: verifying begins with the disk.
            while run.step() and run.at_call() != FSYNC:
                pass
            with open(source, "r+b") as file:
                file.write(b"other bytes")
            status, said = run.finish()
            self.assertEqual(status, 4, said)
            self.assertIn("overwritten", said)
            self.assertIn("is what it was", said)
            self.assertContent(destination, OLD)
            self.assertOnly("a", "b")
            self.make("a", NEW)
            os.utime(source, ns=(0, 0))

    def test_compares_the_range_that_was_asked_for(self):
        done = self.copy("--range", "1000:5000", self.make("a", NEW), self.path("b"))
        self.assertStatus(done, 0)
        self.assertEqual(done.report["verification"]["bytes"], 5000)
        self.assertContent(self.path("b"), NEW[1000:6000])

    def test_compares_from_where_standard_input_stood(self):
        with open(self.make("a", NEW), "rb", buffering=0) as source:
            source.seek(777)
            done = self.copy("-", self.path("b"), stdin=source)
        self.assertStatus(done, 0)
        self.assertEqual(done.report["verification"]["bytes"], len(NEW) - 777)

    def test_holes_count(self):
        source = self.make_sparse("a", 8_000_000, {0: b"x", 5_000_000: b"y"})
        done = self.copy(source, self.path("b"))
        self.assertStatus(done, 0)
        self.assertEqual(done.report["verification"]["bytes"], 8_000_000)

    def test_an_empty_file_is_equal(self):
        done = self.copy(self.make("a"), self.path("b"))
        self.assertStatus(done, 0)
        self.assertEqual(done.report["verification"]["bytes"], 0)

    def test_ends_that_cannot_be_read_again_are_status_2(self):
        source = self.make("a", NEW)
        reader, writer = self.pipe()
        for ends, popen in (((source, "/dev/null"), {}), ((source, "-"), {"stdout": writer}),
                            (("/proc/version", self.path("b")), {}), (("-", self.path("b")), {"stdin": reader})):
            with self.subTest(ends):
                self.assertStatus(self.run_tool("copy", "--verify", *ends, **popen), 2, "--verify")
                self.assertOnly("a")


class WhereTheBytesCameFrom(ToolTest):
    """The kernel's count of bytes read from a device, on file systems whose answer is certain."""

    def from_disk(self, folder):
        source, destination = os.path.join(folder, "a"), os.path.join(folder, "b")
        with open(source, "wb") as file:
            file.write(NEW)
            os.fsync(file.fileno())
        done = self.run_tool("copy", "--verify", source, destination, json_report=True)
        self.assertStatus(done, 0)
        return done.report["verification"]["from_disk"]

    def test_is_the_disk_where_there_is_one(self):
        try:
            with file_systems.mounted("ext4") as folder:
                found = self.from_disk(folder)
        except file_systems.Unavailable as why:
            self.skipTest(str(why))
        self.assertGreaterEqual(found["destination"], len(NEW))
        self.assertGreaterEqual(found["source"], len(NEW))

    def test_is_the_disk_for_a_file_with_holes_too(self):
        try:
            with file_systems.mounted("ext4") as folder:
                source = os.path.join(folder, "a")
                with open(source, "wb") as file:
                    file.write(NEW)
                    file.seek(8_000_000)
                    file.write(NEW)
                    os.fsync(file.fileno())
                done = self.run_tool("copy", "--verify", source, os.path.join(folder, "b"))
        except file_systems.Unavailable as why:
            self.skipTest(str(why))
        self.assertStatus(done, 0, "source from disk, destination from disk")

    def test_is_memory_on_tmpfs(self):
        try:
            with file_systems.mounted("tmpfs", size=8 * file_systems.MIB) as folder:
                found = self.from_disk(folder)
        except file_systems.Unavailable as why:
            self.skipTest(str(why))
        self.assertEqual(found, {"source": 0, "destination": 0})


if __name__ == "__main__":
    tool.main()
