# labels: strace
"""Without wishes: every pair moves the right bytes by its fast path, and the report is true."""

import sys
import unittest

import expected
import pairs
import tool
from sources import SOURCES


def cases():
    return [pairs.Case(source, destination, size) for source, destination in pairs.pairs()
            for size in ([pairs.SIZES[-1]] if SOURCES[source].fixed else pairs.SIZES)]


def lost_paths(outcomes, live=False):
    """A fast path that is not taken must have been tried, and its refusal told as a leg."""
    lines = []
    for outcome in outcomes:
        case, report = outcome.case, outcome.run.report
        fast = expected.fast_methods(case.source, case.destination, live)
        if not fast or report is None or not report["bytes"]:
            continue
        moved = set(tool.moved_by(report))
        refused = {leg["method"] for leg in report["legs"] if leg["ending"] == "refused"}
        if not moved <= fast and not refused & fast:
            lines.append(f"{case}: moved by {sorted(moved)} instead of {sorted(fast)}")
    return "\n".join(lines)


class Auto(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(pairs.block_device())
        for line in pairs.missing():
            print("not tried: " + line, file=sys.stderr)
        cls.outcomes = pairs.carry_out_all(cases())

    def test_every_pair_moves_the_right_bytes_and_tells_the_truth(self):
        self.assertEqual(pairs.told(self.outcomes), "")

    def test_no_fast_path_is_lost(self):
        self.assertEqual(lost_paths(self.outcomes), "")


if __name__ == "__main__":
    pairs.leave_if_blind()
    tool.main()
