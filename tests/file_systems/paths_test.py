"""copy within and between file systems: the bytes, the path taken, the report against strace."""
# labels: strace

import concurrent.futures
import contextlib
import os
import sys
import unittest

import file_systems
import tool
import witness

SIZE = (3 << 20) + 17
DATA = tool.content(SIZE)
LIMIT = 60
REFUSED = 3


class Pairs(unittest.TestCase):
    """Every pair is tried by every method once; the tests look at what came of it."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        cls.folders = file_systems.available(stack)
        # A second one of the same kind: what may be shared within a file system is not across two.
        second = file_systems.available(stack, [kind for kind in cls.folders if kind != "overlay"])
        cls.folders |= {f"second {kind}": folder for kind, folder in second.items()}
        for folder in cls.folders.values():
            with open(os.path.join(folder, "a"), "wb") as file:
                file.write(DATA)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.outcomes = dict(pool.map(cls.carry_out, enumerate(cls.cases())))

    @classmethod
    def cases(cls):
        for source in cls.folders:
            for destination in cls.folders:
                if "second" in source or ("second" in destination and source not in destination):
                    continue
                for method in ("auto", *tool.all_methods()):
                    yield source, destination, method

    @classmethod
    def carry_out(cls, numbered):
        """(the case, its run, its faults)"""
        number, case = numbered
        source, destination, method = case
        start = os.path.join(cls.folders[source], "a")
        folder = os.path.join(cls.folders[destination], str(number))
        os.mkdir(folder)
        end, report = os.path.join(folder, "b"), folder + ".report"
        wishes = [] if method == "auto" else ["--method", method]
        run = witness.run([tool.HEADRACE, "copy", *wishes, "--quiet", "--report", "json",
                           "--report-file", report, start, end], report_file=report, timeout=LIMIT)
        faults = list(cls.judge(method, run, start, folder))
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        return case, (run, faults)

    @classmethod
    def judge(cls, method, run, start, folder):
        if run.timed_out or run.report is None or run.status not in (0, REFUSED):
            yield f"status {run.status}, hangs: {run.timed_out}: {run.stderr.decode().strip()}"
            return
        if run.status == REFUSED:
            if method == "auto" or run.report["bytes"] or os.listdir(folder):
                yield f"refused with {run.report['bytes']} bytes moved, {os.listdir(folder)} left"
            return
        yield from witness.check_report(run, witness.path(start), witness.inside(folder))
        with open(os.path.join(folder, "b"), "rb") as file:
            if file.read() != DATA:
                yield "the bytes are not those of the source"
        if run.report["bytes"] != SIZE:
            yield f"the report says {run.report['bytes']} bytes of {SIZE}"
        if method != "auto" and {leg["method"] for leg in run.report["legs"]} != {method}:
            yield f"{run.report['legs']} instead of {method}"

    def served(self, *, method):
        return {case[:2]: run for case, (run, _) in self.outcomes.items()
                if case[2] == method and run.status == 0}

    def test_each_moves_all_or_refuses_and_leaves_nothing(self):
        self.assertEqual([f"{case}: {fault}" for case, (_, faults) in self.outcomes.items()
                          for fault in faults], [])

    def test_auto_shares_extents_where_the_file_system_can(self):
        shared = {kind for (kind, to), run in self.served(method="auto").items()
                  if kind == to and tool.moved_by(run.report) == {"reflink": SIZE}}
        self.assertEqual(shared, set(file_systems.CLONING) & set(self.folders))
        for kind in shared:
            run = self.outcomes[kind, kind, "auto"][0]
            self.assertEqual((run.report["class"], run.report["legs"][0]["calls"]), ("shared", 1))

    def test_auto_stays_in_the_kernel_everywhere_else(self):
        for pair, run in self.served(method="auto").items():
            if pair[0] != pair[1] or pair[0] not in file_systems.CLONING:
                with self.subTest(pair):
                    self.assertEqual(run.report["class"], "kernel", run.report["legs"])

    def test_what_only_trying_tells_is_a_refused_leg(self):
        seen = 0
        for (source, destination), run in self.served(method="auto").items():
            if destination != f"second {source}" or source not in file_systems.CLONING:
                continue
            with self.subTest((source, destination)):
                first, *others = run.report["legs"]
                self.assertEqual((first["method"], first["ending"], first["bytes"]),
                                 ("reflink", "refused", 0))
                self.assertEqual(first["error"]["text"], os.strerror(18))  # EXDEV
                self.assertTrue(others)
                given_up = [one for one in run.report["refused"] if one["method"] == "reflink"]
                self.assertEqual(given_up[0]["reason"], "refused-when-tried")
                seen += 1
        self.assertEqual(seen, len(set(file_systems.CLONING) & set(self.folders)))

    def test_each_method_serves_the_pairs_that_it_can(self):
        within = {(kind, kind) for kind in self.folders if "second" not in kind}
        everywhere = {case[:2] for case in self.outcomes}
        for method, least in (("reflink", {(kind, kind) for kind in file_systems.CLONING
                                           if kind in self.folders}),
                              ("copy_file_range", within - {("overlay", "overlay")}),
                              ("sendfile", everywhere), ("splice_pipe", everywhere),
                              ("read_write", everywhere)):
            with self.subTest(method):
                self.assertEqual(least - set(self.served(method=method)), set())


if __name__ == "__main__":
    if reason := witness.why_not() or file_systems.why_not():
        print("skipped: " + reason, file=sys.stderr)
        sys.exit(77)
    tool.main()
