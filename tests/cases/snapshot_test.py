"""Bytes given to a pipe by reference change with the file: so a copy to a pipe does not do that."""

import os

import tool
from tool import ToolTest

SIZE = 32768  # fits into a pipe, so that the copy ends before anybody reads


class Snapshot(ToolTest):
    def read_after_change(self, *options, change):
        """What the reader gets when the source is changed between the end of copy and the read."""
        source = self.make("a", b"A" * SIZE)
        reader, writer = self.pipe(1 << 20)
        done = self.run_tool("copy", *options, source, "-", stdout=writer, json_report=True)
        os.close(writer)
        if done.status == 0:
            with open(source, "r+b") as file:
                change(file)
        return done, tool.read_all(reader)

    def test_a_reader_sees_the_bytes_as_they_were(self):
        changes = {"overwritten": lambda file: file.write(b"B" * SIZE),
                   "cut": lambda file: file.truncate(0)}
        for name, change in changes.items():
            with self.subTest(name):
                done, there = self.read_after_change(change=change)
                self.assertStatus(done, 0, )
                self.assertEqual(there, b"A" * SIZE)
                self.assertEqual(done.report["contract"]["name"], "stable")

    def test_stable_holds_for_every_method_that_accepts_it(self):
        for method in tool.all_methods():
            with self.subTest(method):
                done, there = self.read_after_change("--stable", "--method", method,
                                                     change=lambda file: file.write(b"B" * SIZE))
                if done.status == 3:
                    self.assertEqual(there, b"")
                else:
                    self.assertStatus(done, 0)
                    self.assertEqual(there, b"A" * SIZE)

    def test_who_asks_for_pages_is_warned(self):
        done, there = self.read_after_change("--live", change=lambda file: file.write(b"B" * SIZE))
        self.assertStatus(done, 0)
        self.assertEqual(len(there), SIZE)
        self.assertEqual(done.report["contract"], done.report["contract"]
                         | {"name": "live", "exposure": "peer-memory"})

    def test_the_warning_is_in_the_text_too(self):
        done = self.run_tool("copy", "--live", self.make("a", b"A" * SIZE), "-")
        self.assertStatus(done, 0, "peer-memory")


class Append(ToolTest):
    """No fast call serves a file that appends; the copy takes the plain way and says so."""

    def test_old_and_new_content(self):
        data = tool.content(200_000)
        for options in ([], ["--live"], ["--stable"]):
            with self.subTest(options):
                log = self.make("log", b"OLD\n")
                with open(log, "ab") as output:
                    done = self.run_tool("copy", *options, self.make("a", data), "-", stdout=output,
                                         json_report=True)
                self.assertStatus(done, 0)
                self.assertContent(log, b"OLD\n" + data)
                self.assertEqual(done.report["class"], "user")
                self.assertIn("destination-appends",
                              [refusal["reason"] for refusal in done.report["refused"]])

    def test_the_flag_may_come_by_fcntl_only(self):
        log = self.make("log", b"OLD\n")
        with open(log, "r+b") as output:
            tool.fcntl.fcntl(output, tool.fcntl.F_SETFL, os.O_APPEND)
            self.assertStatus(self.run_tool("copy", self.make("a", b"new"), "-", stdout=output), 0)
        self.assertContent(log, b"OLD\nnew")

    def test_by_its_name_in_dev(self):
        log = self.make("log", b"OLD\n")
        with open(log, "ab") as output:
            done = self.run_tool("copy", self.make("a", b"new"), "/dev/stdout", stdout=output)
        self.assertStatus(done, 0)
        self.assertContent(log, b"OLD\nnew")

    def test_from_a_pipe(self):
        log = self.make("log", b"OLD\n")
        reader, writer = self.pipe()
        os.write(writer, b"piped")
        os.close(writer)
        with open(log, "ab") as output:
            self.assertStatus(self.run_tool("copy", "-", "-", stdin=reader, stdout=output), 0)
        self.assertContent(log, b"OLD\npiped")


if __name__ == "__main__":
    tool.main()
