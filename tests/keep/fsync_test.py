"""`copy --fsync`: what waits for the disk, in which order, and what a disk that fails does."""
# labels: strace

import os
import re

import tool
from tool import ToolTest, content, needs, strace

NEW = content(100_000)
OLD = b"the old content"


@needs("strace")
class Fsync(ToolTest):
    def setUp(self):
        super().setUp()
        self.source = self.make("a", NEW)
        self.log = self.path("report-calls")

    def calls_of(self, *arguments):
        """The names of the calls that order file and name, as they came."""
        done = self.run_tool("copy", *arguments, wrap=[
            "strace", "-qq", "-y", "-o", self.log, "-e", "trace=fsync,rename,renameat,renameat2,linkat"])
        self.assertStatus(done, 0)
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return [(line.split("(")[0], line) for line in log]

    def failing(self, when, *arguments):
        return self.run_tool("copy", "--fsync", *arguments, wrap=strace(
            "-e", "trace=fsync", "-e", f"inject=fsync:error=EIO:when={when}"))

    def test_content_comes_before_the_name_and_the_name_before_the_end(self):
        self.make("b", OLD)
        calls = self.calls_of("--fsync", self.source, self.path("b"))
        self.assertEqual([name for name, _ in calls if name != "linkat"], ["fsync", "renameat", "fsync"])
        folder = re.escape(os.path.realpath(self.folder))
        self.assertRegex(calls[-1][1], rf"fsync\(\d+<{folder}>\)")
        self.assertContent(self.path("b"), NEW)

    def test_a_new_file_gets_both(self):
        calls = self.calls_of("--fsync", self.source, self.path("b"))
        self.assertEqual([name for name, _ in calls], ["fsync", "linkat", "fsync"])

    def test_in_place_the_name_is_there_already(self):
        self.make("b", OLD)
        calls = self.calls_of("--fsync", "--in-place", self.source, self.path("b"))
        self.assertEqual([name for name, _ in calls], ["fsync"])

    def test_nobody_waits_who_did_not_ask(self):
        calls = self.calls_of(self.source, self.path("b"))
        self.assertNotIn("fsync", [name for name, _ in calls])

    def test_content_that_does_not_reach_the_disk_leaves_the_old_file(self):
        self.make("b", OLD)
        done = self.failing(1, self.source, self.path("b"))
        self.assertStatus(done, 1, "fsync", "Input/output error", "is what it was")
        self.assertContent(self.path("b"), OLD)
        self.assertOnly("a", "b")

    def test_a_name_that_does_not_reach_the_disk_is_told(self):
        self.make("b", OLD)
        done = self.failing(2, self.source, self.path("b"))
        self.assertStatus(done, 1, "in place, whole", "power cut", "destination-not-durable")
        self.assertNotIn("is what it was", done.err)
        self.assertContent(self.path("b"), NEW)

    def test_in_place_a_failing_disk_is_status_1(self):
        self.make("b", OLD)
        done = self.failing(1, "--in-place", self.source, self.path("b"))
        self.assertStatus(done, 1, "fsync")

    def test_a_directory_that_cannot_be_opened_is_told_before_a_byte_moves(self):
        folder = self.make_folder("d")
        os.chmod(folder, 0o333)
        if tool.IS_ROOT:
            os.chown(folder, tool.NOBODY, tool.NOBODY)
            os.chmod(self.folder, 0o755)
        who = {"user": tool.NOBODY, "group": tool.NOBODY, "extra_groups": []} if tool.IS_ROOT else {}
        done = self.run_tool("copy", "--fsync", self.source, f"{folder}/b", **who)
        self.assertStatus(done, 1, "synchronised", "Permission denied")
        os.chmod(folder, 0o755)
        self.assertOnly(folder=folder)

    def test_what_is_no_file_is_status_2(self):
        reader, writer = self.pipe()
        for destination, popen in (("/dev/null", {}), ("-", {"stdout": writer})):
            done = self.run_tool("copy", "--fsync", self.source, destination, **popen)
            self.assertStatus(done, 2, "--fsync")
        os.close(reader)

    def test_standard_output_may_be_a_file(self):
        with open(self.path("b"), "wb") as file:
            self.assertStatus(self.run_tool("copy", "--fsync", self.source, "-", stdout=file), 0)
        self.assertContent(self.path("b"), NEW)


if __name__ == "__main__":
    tool.main()
