"""`copy --preallocate`, `--reflink` and `--sparse`: which blocks the new file has, and gets first."""

import contextlib
import os

import file_systems
import tool
from tool import ToolTest, content

NEW = content(4 * file_systems.MIB)
OLD = b"the old content"


class Preallocate(ToolTest):
    @contextlib.contextmanager
    def small(self, kind, size):
        try:
            with file_systems.mounted(kind, size=size) as folder:
                yield folder
        except file_systems.Unavailable as why:
            self.skipTest(str(why))

    def on_a_full_disk(self, kind, size, source, *options):
        with self.small(kind, size) as folder:
            destination = os.path.join(folder, "b")
            with open(destination, "wb") as file:
                file.write(OLD)
            free = os.statvfs(folder).f_bfree
            before = set(os.listdir(folder))
            done = self.run_tool("copy", *options, source, destination, json_report=True)
            self.assertStatus(done, 1, "No space left on device")
            self.assertEqual(set(os.listdir(folder)), before)
            with open(destination, "rb") as file:
                there = file.read()
            self.assertGreaterEqual(os.statvfs(folder).f_bfree, free - 8, "blocks were left behind")
            return done, there

    def test_a_full_disk_is_found_before_a_byte_moves(self):
        source = self.make("a", NEW)
        done, there = self.on_a_full_disk("tmpfs", 2 * file_systems.MIB, source, "--preallocate")
        self.assertSameBytes(there, OLD)
        self.assertEqual((done.report["bytes"], done.report["error"]["call"]), (0, "fallocate"))
        # Without it, it is found when the disk is full.
        done, there = self.on_a_full_disk("tmpfs", 2 * file_systems.MIB, source)
        self.assertSameBytes(there, OLD)
        self.assertGreater(done.report["bytes"], 0)

    def test_in_place_the_old_content_stays(self):
        done, there = self.on_a_full_disk("tmpfs", 2 * file_systems.MIB, self.make("a", NEW),
                                          "--preallocate", "--in-place")
        self.assertSameBytes(there, OLD)
        self.assertEqual(done.report["bytes"], 0)

    def test_on_ext4(self):
        source = self.make("a", content(40 * file_systems.MIB))
        done, there = self.on_a_full_disk("ext4", 16 * file_systems.MIB, source, "--preallocate")
        self.assertSameBytes(there, OLD)
        self.assertEqual(done.report["bytes"], 0)

    def test_leaves_no_holes_and_no_blocks_behind_the_end(self):
        source = self.make_sparse("a", file_systems.MIB, {500_000: b"x"})
        for options in ([], ["--in-place"]):
            self.make("b", OLD)
            self.assertStatus(self.run_tool("copy", "--preallocate", *options, source, self.path("b")), 0)
            there = os.stat(self.path("b"))
            self.assertEqual(there.st_size, file_systems.MIB)
            self.assertGreaterEqual(there.st_blocks * 512, file_systems.MIB)
            self.assertLess(there.st_blocks * 512, file_systems.MIB + 65536)

    def test_needs_a_file_and_a_length(self):
        source = self.make("a", NEW)
        reader, _ = self.pipe()
        self.assertStatus(self.run_tool("copy", "--preallocate", source, "/dev/null"), 2, "--preallocate")
        self.assertStatus(self.run_tool("copy", "--preallocate", "-", self.path("b"), stdin=reader), 2,
                          "--range")
        self.assertOnly("a")


class Contradictions(ToolTest):
    def test_are_status_2(self):
        source = self.make("a", NEW)
        for options in (["--reflink", "always", "--require", "kernel"],
                        ["--reflink", "never", "--require", "kernel"],
                        ["--reflink", "never", "--require", "shared"],
                        ["--reflink", "always", "--sparse", "never"],
                        ["--reflink", "always", "--sparse", "always"],
                        ["--reflink", "always", "--preallocate"],
                        ["--preallocate", "--sparse", "auto"],
                        ["--guarded", "--stable"], ["--guarded", "--live"], ["--live", "--stable"]):
            with self.subTest(options):
                done = self.run_tool("copy", *options, source, self.path("b"))
                self.assertStatus(done, 2, options[0])
                self.assertOnly("a")


class Reflink(ToolTest):
    def test_always_that_fails_leaves_nothing(self):
        with file_systems.mounted("tmpfs", size=16 * file_systems.MIB) as folder:
            source = os.path.join(folder, "a")
            with open(source, "wb") as file:
                file.write(NEW)
            done = self.run_tool("copy", "--reflink", "always", source, os.path.join(folder, "b"),
                                 json_report=True)
            self.assertStatus(done, 3, "reflink", "was made")
            self.assertEqual(done.report["bytes"], 0)
            self.assertOnly("a", folder=folder)

    def test_never_reads_and_writes(self):
        done = self.run_tool("copy", "--reflink", "never", self.make("a", NEW), self.path("b"),
                             json_report=True)
        self.assertStatus(done, 0)
        self.assertEqual([leg["method"] for leg in done.report["legs"]], ["read_write"])

    def test_always_shares_and_never_does_not_where_the_file_system_can(self):
        try:
            with file_systems.mounted("xfs") as folder:
                source, destination = os.path.join(folder, "a"), os.path.join(folder, "b")
                with open(source, "wb") as file:
                    file.write(NEW)
                for how, shared in (("always", True), ("auto", True), ("never", False)):
                    done = self.run_tool("copy", "--reflink", how, source, destination, json_report=True)
                    self.assertStatus(done, 0)
                    self.assertEqual(done.report["class"] == "shared", shared, how)
                    with open(destination, "rb") as file:
                        self.assertSameBytes(file.read(), NEW)
        except file_systems.Unavailable as why:
            self.skipTest(str(why))


class Sparse(ToolTest):
    def test_auto_keeps_holes_and_never_writes_them(self):
        source = self.make_sparse("a", 8 * file_systems.MIB, {0: b"x"})
        for options, holes in (([], True), (["--sparse", "auto"], True), (["--sparse", "never"], False)):
            done = self.run_tool("copy", *options, source, self.path("b"), json_report=True)
            self.assertStatus(done, 0)
            self.assertEqual(os.stat(self.path("b")).st_blocks * 512 < file_systems.MIB, holes, options)

    def test_always_makes_zeros_holes(self):
        source = self.make("a", bytes(file_systems.MIB) + b"x" * 4096)
        self.assertStatus(self.run_tool("copy", "--sparse", "always", source, self.path("b")), 0)
        self.assertLess(os.stat(self.path("b")).st_blocks * 512, file_systems.MIB // 2)
        self.assertContent(self.path("b"), bytes(file_systems.MIB) + b"x" * 4096)


if __name__ == "__main__":
    tool.main()
