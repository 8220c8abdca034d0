"""Lent files are left standing behind the last byte moved, however the transfer ends."""

import os

import tool

BEFORE = b"before."  # read by somebody else, earlier
DATA = tool.content(300 * 1024)
MOVERS = ["auto", "copy_file_range", "sendfile", "splice_pipe", "read_write"]  # file to file


def wishes(method):
    return [] if method == "auto" else ["--method", method]


class Offsets(tool.ToolTest):
    def standard_input(self, start=len(BEFORE)):
        descriptor = os.open(self.make("in", BEFORE + DATA), os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        os.lseek(descriptor, start, os.SEEK_SET)
        return descriptor

    def standard_output(self, flags=0):
        descriptor = os.open(self.path("out"), os.O_RDWR | os.O_CREAT | os.O_TRUNC | flags)
        self.addCleanup(os.close, descriptor)
        return descriptor

    def assertStands(self, descriptor, offset):  # noqa: N802
        self.assertEqual(os.lseek(descriptor, 0, os.SEEK_CUR), offset)

    def test_commands_that_share_an_output_write_one_after_the_other(self):
        one, other = self.make("one", DATA[:100001]), self.make("other", DATA[100001:])
        for method in MOVERS:
            for flags in [0] + [os.O_APPEND] * (method in ["auto", "read_write"]):
                with self.subTest(method, flags=flags):
                    out = self.standard_output(flags)
                    for source in (one, other):
                        done = self.run_tool("copy", source, "-", *wishes(method), stdout=out)
                        self.assertStatus(done, 0)
                    self.assertContent(self.path("out"), DATA)
                    self.assertStands(out, len(DATA))

    def test_commands_that_share_an_input_read_one_after_the_other(self):
        for method in MOVERS:
            with self.subTest(method):
                given, out = self.standard_input(), self.standard_output()
                for _ in range(2):  # the second finds the end at once
                    done = self.run_tool("copy", "-", "-", *wishes(method), stdin=given, stdout=out)
                    self.assertStatus(done, 0)
                    self.assertStands(given, len(BEFORE + DATA))
                    self.assertStands(out, len(DATA))
                self.assertContent(self.path("out"), DATA)

    def test_a_range_leaves_the_input_where_it_was(self):
        for method in MOVERS:
            with self.subTest(method):
                given, out = self.standard_input(start=3), self.standard_output()
                done = self.run_tool("copy", "--range", "7:100000", "-", "-", *wishes(method),
                                     stdin=given, stdout=out)
                self.assertStatus(done, 0)
                self.assertStands(given, 3)
                self.assertStands(out, 100000)
                self.assertContent(self.path("out"), DATA[:100000])

    @tool.needs("prlimit")
    def test_a_full_output_leaves_both_behind_the_last_byte_moved(self):
        limit = 100 * 1024
        for method in MOVERS:
            with self.subTest(method):
                given, out = self.standard_input(), self.standard_output()
                done = self.run_tool("copy", "-", "-", *wishes(method), stdin=given, stdout=out,
                                     wrap=["prlimit", f"--fsize={limit}", "--"], json_report=True)
                self.assertStatus(done, 1)
                moved = done.report["bytes"]
                self.assertLessEqual(moved, limit)
                self.assertContent(self.path("out"), DATA[:moved])
                self.assertStands(given, len(BEFORE) + moved)
                self.assertStands(out, moved)

    def test_a_reader_that_goes_away_leaves_the_input_behind_the_last_byte_moved(self):
        for contract in ("--stable", "--live"):
            with self.subTest(contract):
                given, (reader, writer) = self.standard_input(), self.pipe()
                started = self.start("copy", contract, "-", "-", stdin=given, stdout=writer,
                                     json_report=True)
                os.close(writer)
                self.assertEqual(os.read(reader, 1000), DATA[:1000])
                os.close(reader)
                done = started.finish()
                self.assertStatus(done, 1)
                self.assertStands(given, len(BEFORE) + done.report["bytes"])


if __name__ == "__main__":
    tool.main()
