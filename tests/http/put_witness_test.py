# labels: strace
"""What the reports of `put` say, held against the system calls that were made."""

import unittest

import tool
import witness
from calls import READS, WRITES
from putting import PutTest
from tool import HEADRACE, content

SIZE = 16 << 20


@unittest.skipIf(witness.why_not(), witness.why_not())
class Calls(PutTest):
    def traced(self, data, *options, source=None, **popen):
        """(request, run, {(call, from the file, to the socket): what it moved})"""
        server, requests = self.serve_answers((201,))
        source = source or self.make("f", data)
        report = self.path("report.json")
        run = witness.run([HEADRACE, "put", *options, source, server.url(), "--report", "json",
                           "--report-file", report], report_file=report, **popen)
        self.assertEqual(run.status, 0, run.stderr)
        self.assertSameBytes(requests[0].body, data)
        file = witness.path(self.path("f"))
        # That an empty file is empty only a read tells, before there is a transfer.
        if source != "-" and data:
            self.assertEqual(witness.check_report(run, file, witness.any_socket), [])
        return run, witness.bytes_by_call(run, file, witness.any_socket)

    def moved(self, sums, names, taken, given):
        return sum(sums[key].bytes for key in sums
                   if key[0] in names and key[1:] == (taken, given))

    def test_move_all_of_a_body_in_the_kernel(self):
        for options in ((), ("--method", "sendfile"), ("--method", "splice_pipe"), ("--live",),
                        ("--require", "kernel", "--limit-rate", "200MB"),
                        ("--require", "kernel", "--expect", "never", "--progress", "always")):
            run, sums = self.traced(content(SIZE), *options)
            self.assertEqual(run.report["class"], "kernel")
            self.assertEqual(self.moved(sums, READS, True, False), 0)
            self.assertEqual(self.moved(sums, WRITES, False, True), run.report["head_bytes"])
            by_kernel = (self.moved(sums, ["sendfile"], True, True) +
                         self.moved(sums, ["splice"], False, True))
            self.assertEqual(by_kernel, SIZE)

    def test_send_a_small_body_with_its_head_at_once(self):
        for size in (1, 1000, 64 << 10):
            run, sums = self.traced(content(size))
            writes = [moved for (name, _, given), moved in sums.items()
                      if name in WRITES and given]
            self.assertEqual(sum(moved.calls for moved in writes), 1)
            self.assertEqual(sum(moved.bytes for moved in writes),
                             size + run.report["head_bytes"])
            self.assertEqual(run.report["class"], "user")

    def test_send_an_empty_body_by_its_head_alone(self):
        run, sums = self.traced(b"")
        self.assertEqual(self.moved(sums, WRITES, False, True), run.report["head_bytes"])

    def test_count_content_and_not_the_framing_of_chunks(self):
        data = content(3 << 20)
        with open(self.make("fed", data), "rb") as file:
            feeder = self.program("cat", stdin=file)
            run, sums = self.traced(data, "--expect", "never", source="-",
                                    stdin=feeder.process.stdout)
        sent = self.moved(sums, WRITES, False, True)
        self.assertEqual(run.report["bytes"], len(data))
        framing = sent - len(data) - run.report["head_bytes"]
        self.assertGreater(framing, 0)
        self.assertLess(framing, len(data) // 100)


if __name__ == "__main__":
    tool.main()
