"""What copy does not do: onto itself, from or into directories, from what cannot be read."""

import os

import tool
from tool import IS_ROOT, NOBODY, ToolTest, content

DATA = content(100_000)


def as_nobody():
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if IS_ROOT else {}


class SameFile(ToolTest):
    def setUp(self):
        super().setUp()
        self.source = self.make("f", DATA)

    def refused(self, *arguments, **options):
        done = self.run_tool("copy", *arguments, **options)
        self.assertStatus(done, 1, "source itself")
        self.assertContent(self.source, DATA)
        return done

    def test_the_same_path(self):
        self.refused(self.source, self.source)

    def test_the_same_path_in_place(self):
        self.refused("--in-place", self.source, self.source)

    def test_another_spelling(self):
        self.refused(self.source, self.path(".", "f"))
        self.refused("f", "./f", cwd=self.folder)

    def test_a_symbolic_link(self):
        os.symlink("f", self.path("s"))
        self.refused(self.source, self.path("s"))
        self.refused(self.path("s"), self.source)
        self.refused("--in-place", self.path("s"), self.source)

    def test_a_hard_link(self):
        os.link(self.source, self.path("h"))
        self.refused(self.source, self.path("h"))
        self.refused("--in-place", self.path("h"), self.source)

    def test_standard_output(self):
        with open(self.source, "ab") as output:
            self.refused(self.source, "-", stdout=output)

    def test_standard_output_by_its_other_name(self):
        with open(self.source, "r+b") as output:
            self.refused(self.source, "/dev/stdout", stdout=output)

    def test_standard_input(self):
        with open(self.source, "rb") as source:
            self.refused("-", self.source, stdin=source)
            self.refused("--in-place", "-", self.source, stdin=source)

    def test_a_fifo(self):
        fifo = self.make_fifo("p")
        # Open at both ends, so that nobody has to wait.
        keeper = os.open(fifo, os.O_RDWR)
        self.addCleanup(os.close, keeper)
        os.write(keeper, b"x")
        done = self.run_tool("copy", fifo, fifo)
        self.assertStatus(done, 1, "source itself")


class NotCopied(ToolTest):
    def test_a_directory_as_source(self):
        done = self.run_tool("copy", self.folder, self.path("b"))
        self.assertStatus(done, 1, self.folder, "directory")
        self.assertOnly()

    def test_a_directory_as_destination_names_the_file_in_it(self):
        folder = self.make_folder("d")
        for spelling in (folder, folder + "/"):
            done = self.run_tool("copy", self.make("a", DATA), spelling)
            self.assertStatus(done, 1, "directory", folder + "/a")
        self.assertOnly(folder=folder)

    def test_a_name_with_a_slash_behind_it(self):
        done = self.run_tool("copy", self.make("a", DATA), self.path("new/"))
        self.assertStatus(done, 1, "new/")
        self.assertOnly("a")

    def test_a_source_that_is_not_there(self):
        done = self.run_tool("copy", self.path("none"), self.path("b"))
        self.assertStatus(done, 1, self.path("none"), "No such file", "check the path")
        self.assertOnly()

    def test_an_old_destination_survives_a_missing_source(self):
        old = self.make("b", b"old")
        self.assertStatus(self.run_tool("copy", self.path("none"), old), 1)
        self.assertContent(old, b"old")

    def test_a_destination_in_a_missing_directory(self):
        done = self.run_tool("copy", self.make("a", DATA), self.path("none/b"))
        self.assertStatus(done, 1, "directory", self.path("none"), "does not exist")

    def test_a_destination_below_a_file(self):
        done = self.run_tool("copy", self.make("a", DATA), self.path("a/b"))
        self.assertStatus(done, 1, "is not a directory")

    def test_an_empty_name(self):
        self.assertStatus(self.run_tool("copy", "", self.path("b")), 1, "''")
        self.assertStatus(self.run_tool("copy", self.make("a", DATA), ""), 1, "empty")

    def test_a_source_that_may_not_be_read(self):
        source = self.make("a", DATA, mode=0o000)
        folder = self.make_folder("d")
        os.chmod(folder, 0o777)
        done = self.run_tool("copy", source, self.path("d/b"), **as_nobody())
        self.assertStatus(done, 1, source, "Permission denied", "permissions")
        self.assertOnly(folder=folder)

    def test_a_directory_that_takes_nothing(self):
        folder = self.make_folder("d")
        os.chmod(folder, 0o555)
        self.addCleanup(os.chmod, folder, 0o755)
        source = self.make("a", DATA, mode=0o644)
        done = self.run_tool("copy", source, self.path("d/b"), **as_nobody())
        self.assertStatus(done, 1, self.path("d/b"), "Permission denied")

    def test_a_write_protected_destination(self):
        folder = self.make_folder("d")
        os.chmod(folder, 0o777)
        source, destination = self.make("a", DATA, mode=0o644), self.make("d/b", b"old", mode=0o444)
        done = self.run_tool("copy", source, destination, **as_nobody())
        self.assertStatus(done, 1, destination, "write-protected")
        self.assertContent(destination, b"old")

    def test_a_socket_names_send(self):
        self.listener(tool.socket.AF_UNIX, self.path("s"))
        done = self.run_tool("copy", self.make("a", DATA), self.path("s"))
        self.assertStatus(done, 1, "headrace send", "unix:" + self.path("s"))
        done = self.run_tool("copy", self.path("s"), self.path("b"))
        self.assertStatus(done, 1, self.path("s"), "socket")

    def test_standard_input_that_is_closed(self):
        done = self.run_tool("copy", "-", self.path("b"), wrap=["sh", "-c", 'exec "$@" <&-', "sh"])
        self.assertStatus(done, 1, "standard input")
        self.assertOnly()

    def test_standard_output_that_is_closed(self):
        done = self.run_tool("copy", self.make("a", DATA), "-",
                             wrap=["sh", "-c", 'exec "$@" >&-', "sh"])
        self.assertStatus(done, 1, "standard output")

    def test_standard_input_that_is_open_for_writing_only(self):
        with open(self.path("w"), "wb") as output:
            done = self.run_tool("copy", "-", self.path("b"), stdin=output)
        self.assertStatus(done, 1, "standard input", "not open for reading")

    def test_standard_output_that_is_open_for_reading_only(self):
        with open(self.make("r"), "rb") as output:
            done = self.run_tool("copy", self.make("a", DATA), "-", stdout=output)
        self.assertStatus(done, 1, "Bad file descriptor")

    def test_a_report_never_takes_the_place_of_what_was_written(self):
        done = self.run_tool("copy", "--report-file", self.path("b"), self.make("a", DATA),
                             self.path("b"))
        self.assertStatus(done, 1, "one of the two ends", self.path("b"))
        self.assertContent(self.path("b"), DATA)
        with open(self.path("out"), "wb") as output:
            done = self.run_tool("copy", "--report-file", self.path("out"), self.path("a"), "-",
                                 stdout=output)
        self.assertStatus(done, 1, "one of the two ends")
        self.assertContent(self.path("out"), DATA)

    def test_a_fifo_that_nobody_opens_ends_by_the_idle_timeout(self):
        tool.os.mkfifo(self.path("fifo"))
        for ends in (("fifo", "b"), ("a", "fifo")):
            self.make("a", DATA)
            done = self.run_tool("copy", "--idle-timeout", "0.2", *map(self.path, ends))
            self.assertStatus(done, 1, self.path("fifo"), "ETIMEDOUT")


if __name__ == "__main__":
    tool.main()
