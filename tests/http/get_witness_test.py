"""What `get` reports, held against the system calls it made."""
# labels: strace

import unittest

import tool
import witness
from getting import TAG, GetTest, cut, head, rest, whole
from tool import HEADRACE, content
from witness import READS, WRITES

DATA = content(16 << 20)


@unittest.skipIf(witness.why_not(), witness.why_not())
class Witnessed(GetTest):
    def get_traced(self, *options):
        report = self.path("report.json")
        command = [HEADRACE, "get", *options, self.url, self.there, "--report", "json",
                   "--report-file", report]
        run = witness.run(command, report_file=report)
        self.assertEqual(run.status, 0, run.stderr)
        self.assertContent(self.there, DATA)
        return run

    def given(self, run, names):
        """Bytes that these calls wrote into FILE.part."""
        sums = witness.bytes_by_call(run, witness.any_socket, witness.path(self.part))
        return sum(moved.bytes for (name, _, given), moved in sums.items() if name in names and given)

    def taken(self, run, names):
        sums = witness.bytes_by_call(run, witness.any_socket, witness.path(self.part))
        return sum(moved.bytes for (name, taken, _), moved in sums.items() if name in names and taken)

    def reported(self, run, method):
        return sum(leg["bytes"] for leg in run.report["legs"] if leg["method"] == method)

    def test_all_but_what_came_with_the_head_is_spliced(self):
        self.serve(whole(DATA))
        run = self.get_traced("--require", "kernel")
        spliced = self.reported(run, "splice_pipe")
        self.assertEqual(run.report["class"], "kernel")
        self.assertEqual(self.given(run, ["splice"]), spliced)
        self.assertEqual(self.taken(run, ["splice"]), spliced)
        self.assertEqual(self.given(run, WRITES), self.reported(run, "memory"))
        self.assertEqual(self.given(run, ["splice", *WRITES]), len(DATA))
        # One read takes the head, with whatever of the content came together with it.
        self.assertLess(self.taken(run, READS), 1 << 17)

    def test_a_rest_is_all_that_is_written(self):
        have = 10 << 20
        self.serve(rest(DATA, have))
        self.leave_part(DATA[:have], len(DATA))
        run = self.get_traced("--resume")
        self.assertEqual(self.given(run, ["splice", *WRITES]), len(DATA) - have)
        self.assertEqual(run.report["bytes"], len(DATA) - have)
        self.assertEqual(self.given(run, ["splice"]), self.reported(run, "splice_pipe"))

    def test_chunks_are_read_and_written(self):
        size = 1 << 16
        chunks = (b"%x\r\n%s\r\n" % (size, DATA[at:at + size]) for at in range(0, len(DATA), size))
        start = f"HTTP/1.1 200 OK\r\nETag: {TAG}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        self.serve(cut(start, b"".join(chunks) + b"0\r\n\r\n"))
        run = self.get_traced()
        self.assertEqual(self.given(run, WRITES), len(DATA))
        self.assertEqual(self.reported(run, "chunked_receive"), len(DATA))

    def test_a_named_method_is_the_one_that_is_used(self):
        self.serve(cut(head(len(DATA)), DATA))
        run = self.get_traced("--method", "read_write")
        self.assertEqual(self.given(run, ["splice"]), 0)
        self.assertEqual(self.given(run, WRITES), len(DATA))


if __name__ == "__main__":
    tool.main()
