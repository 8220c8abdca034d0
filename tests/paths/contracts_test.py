# labels: strace
"""What --live, --stable and --require do to the choice of the path."""

import unittest

import expected
import pairs
import tool
from auto_test import lost_paths

SIZE = pairs.SIZES[-1]
SHARING = ["sendfile", "splice", "splice_pipe"]  # methods that give pages of the file away


def all_pairs(*wishes, method="auto", may_refuse=False):
    return [pairs.Case(source, destination, SIZE, method, wishes, may_refuse)
            for source, destination in pairs.pairs()]


def from_pages(cases):
    return [case for case in cases if case.source in expected.PAGES]


class Contracts(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(pairs.block_device())

    def carry_out(self, cases):
        self.assertNotEqual(cases, [])
        outcomes = pairs.carry_out_all(cases)
        self.assertEqual(pairs.told(outcomes), "")
        return outcomes

    def test_live_takes_the_kernels_path_into_a_pipe(self):
        cases = [case for case in from_pages(all_pairs("--live"))
                 if case.destination in expected.TO_PIPES]
        self.assertEqual(lost_paths(self.carry_out(cases), live=True), "")

    def test_stable_gives_no_pages_away(self):
        wanted = expected.TO_PIPES | expected.TO_SOCKETS
        cases = [case for case in from_pages(all_pairs("--stable")) if case.destination in wanted]
        for outcome in self.carry_out(cases):
            self.assertEqual(outcome.run.report["contract"]["name"], "stable", outcome.case)
            self.assertFalse(set(tool.moved_by(outcome.run.report)) & set(SHARING), outcome.case)

    def test_stable_and_a_method_that_shares_pages_contradict_each_other(self):
        for method in SHARING:
            cases = [case for case in from_pages(all_pairs("--stable", method=method))
                     if expected.must_serve(method, case.source, case.destination)
                     and case.destination in expected.TO_PIPES | expected.TO_SOCKETS]
            for outcome in self.carry_out(cases):
                if not outcome.run.report["source"]["may_clone"]:  # else a clone is sent
                    self.assertEqual(outcome.run.status, pairs.REFUSED, outcome.case)

    def test_required_kernel_paths_are_taken_or_refused_before_a_byte_moves(self):
        outcomes = self.carry_out(all_pairs("--require", "kernel", may_refuse=True))
        for outcome in outcomes:
            case = outcome.case
            if outcome.served:
                self.assertIn(outcome.run.report["class"], ["kernel", "shared"], case)
            fast = expected.fast_methods(case.source, case.destination, live=True)
            if fast and case.source != "/dev/zero":  # which older kernels do not offer
                self.assertTrue(outcome.served, f"{case}: {outcome.run.report['refused']}")


if __name__ == "__main__":
    pairs.leave_if_blind()
    tool.main()
