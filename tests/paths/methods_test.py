# labels: strace
"""Each method by name: it serves a pair whole and alone, or refuses it with a reason, untouched."""

import sys
import unittest

import expected
import pairs
import tool

SIZE = pairs.SIZES[-1]


class Methods(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(pairs.block_device())
        for line in pairs.missing():
            print("not tried: " + line, file=sys.stderr)
        cls.outcomes = pairs.carry_out_all(
            [pairs.Case(source, destination, SIZE, method) for source, destination in pairs.pairs()
             for method in tool.all_methods()])

    def test_each_moves_all_or_refuses_with_a_reason(self):
        self.assertEqual(pairs.told(self.outcomes), "")

    def test_each_serves_what_the_kernel_offers(self):
        missed = [f"{one.case}: {one.run.report and one.run.report['refused']}"
                  for one in self.outcomes if not one.served and
                  expected.must_serve(one.case.method, one.case.source, one.case.destination)]
        self.assertEqual("\n".join(missed), "")


if __name__ == "__main__":
    pairs.leave_if_blind()
    tool.main()
