# labels: strace
"""Peers that hesitate: what is there is passed on at once, and waiting costs no calls."""

import os
import tempfile
import time
import unittest

import pairs
import tool
import witness
from destinations import DESTINATIONS
from sources import SOURCES
from workers import feed

PIECES = [1, 100, 4097, 60]
SILENCE = 0.2  # seconds; a spin makes thousands of calls in it, a wait a few
FEW_CALLS = 15  # for each piece: tries, waits and the moving itself

FROM = ["FIFO", "standard input pipe", "standard input TCP", "standard input unix", "TCP", "unix",
        "terminal"]
TO = ["FIFO", "standard output pipe", "standard output TCP", "standard output unix", "TCP", "unix",
      "standard output terminal", "terminal"]


class Hesitant:
    """A transfer whose next piece is sent when the last one has arrived."""

    def __init__(self, stack, source, destination):
        folder = stack.enterContext(tempfile.TemporaryDirectory(prefix="headrace-test-"))
        self.source = SOURCES[source](folder, tool.content(sum(PIECES)))
        stack.addCleanup(self.source.close)
        self.destination = DESTINATIONS[destination](folder)
        stack.addCleanup(self.destination.close)
        self.arrived = []
        report = os.path.join(folder, "report.json")
        self.case = pairs.Case(source, destination, sum(PIECES))
        self.traced = witness.Traced(
            pairs.command(self.case, self.source, self.destination, report), report_file=report,
            **pairs.standard(self.source, self.destination))
        stack.addCleanup(pairs.reap, self.traced)

    def run(self):
        self.source.feed = self.feed_in_pieces
        self.destination.begin()
        self.source.begin()
        return self.traced.finish(pairs.LIMIT)

    def feed_in_pieces(self, worker, descriptor, data):
        sent = 0
        for piece in PIECES:
            feed(worker, descriptor, data[sent:sent + piece])
            if self.case.source == "terminal" and data[sent + piece - 1:sent + piece] != b"\n":
                feed(worker, descriptor, b"\x04")  # hands over the line so far
            sent += piece
            tool.until(lambda: len(self.destination.worker.data) >= sent, f"{sent} bytes arrive",
                       pairs.LIMIT / 2)
            self.arrived.append(sent)
        time.sleep(SILENCE)  # not to wait for anything: this is the silence that is looked at
        feed(worker, descriptor, data[sent:])


class Hesitation(unittest.TestCase):
    maxDiff = None

    def test_pieces_arrive_one_by_one_and_waiting_is_cheap(self):
        for source in FROM:
            for destination in TO:
                if pairs.is_possible(source, destination):
                    with self.subTest(source=source, destination=destination):
                        self.hesitate(source, destination)

    def hesitate(self, source, destination):
        transfer = Hesitant(self, source, destination)
        run = transfer.run()
        self.assertFalse(run.timed_out, f"only {transfer.arrived} bytes arrived")
        self.assertEqual(run.status, 0, run.stderr)
        self.assertEqual(len(transfer.arrived), len(PIECES))
        calls = run.waits + sum(leg["calls"] for leg in run.report["legs"])
        pieces = len(PIECES) + (transfer.source.data.count(b"\n") if source == "terminal" else 0)
        self.assertLess(calls, FEW_CALLS * (pieces + 2))  # a terminal hands over lines
        self.assertEqual(witness.check_report(run, transfer.source.witness,
                                              transfer.destination.witness), [])


if __name__ == "__main__":
    pairs.leave_if_blind()
    tool.main()
