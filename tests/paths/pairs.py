"""One transfer from one kind of source to one kind of destination, judged from outside."""

import collections
import concurrent.futures
import contextlib
import dataclasses
import fcntl
import os
import re
import sys
import tempfile

import tool
import witness
from destinations import DESTINATIONS
from sources import SOURCES, BlockDevice

SIZES = [0, 1, 4097, 300 * 1024]  # nothing, a byte, over a page, over every default buffer
DEVICE_SIZE = 600 * 512
REFUSED = 3
LIMIT = 60  # seconds until a command counts as hung


@dataclasses.dataclass(frozen=True)
class Case:
    source: str
    destination: str
    size: int
    method: str = "auto"
    wishes: tuple[str, ...] = ()  # more options, e.g. ("--require", "kernel")
    may_refuse: bool = False  # with these wishes; a method by name always may

    def __str__(self):
        words = " ".join([self.method, *self.wishes])
        return f"{self.source} -> {self.destination}, {self.size} bytes, {words}"


@dataclasses.dataclass
class Outcome:
    case: Case
    run: witness.Run
    faults: list[str]

    @property
    def served(self):
        return self.run.status == 0


def is_possible(source, destination):
    """`receive` reads from an address, `send` writes to one; no command does both."""
    to = DESTINATIONS[destination]
    return not (SOURCES[source].address and (to.address or to.only_copy))


def pairs():
    return [(source, destination) for source in SOURCES for destination in DESTINATIONS
            if is_possible(source, destination) and not unavailable(source, destination)]


def unavailable(source, destination):
    return SOURCES[source].unavailable or DESTINATIONS[destination].unavailable


def missing():
    """What cannot be tried here, with the reasons."""
    return [f"{name}: {kind.unavailable}" for kinds in (SOURCES, DESTINATIONS)
            for name, kind in kinds.items() if kind.unavailable]


@contextlib.contextmanager
def block_device(seed=5):
    """Makes the source kind available where a loop device can be had."""
    with tempfile.TemporaryDirectory(prefix="headrace-test-") as folder:
        BlockDevice.set_up(folder, tool.content(DEVICE_SIZE, seed))
        try:
            yield
        finally:
            BlockDevice.tear_down()


def carry_out(case):
    """Runs the command under strace; gives the `Outcome`."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="headrace-test-"))
        source = SOURCES[case.source](folder, tool.content(case.size, case.size))
        stack.callback(source.close)
        destination = DESTINATIONS[case.destination](folder)
        stack.callback(destination.close)
        report = os.path.join(folder, "report.json")
        traced = witness.Traced(command(case, source, destination, report),
                                report_file=report, **standard(source, destination))
        stack.callback(reap, traced)
        lent = _lent(source, destination)
        source.begin()
        destination.begin()
        run = traced.finish(LIMIT)
        faults = [f"the flags of standard {name} are changed" for name, flags in lent.items()
                  if _lent(source, destination)[name] != flags]
        faults += _judge(case, run, source, destination)
    return Outcome(case, run, faults)


def _lent(source, destination):
    """The flags of the descriptors that are not the command's own."""
    ends = {"input": source.stdin, "output": destination.stdout}
    return {name: fcntl.fcntl(end, fcntl.F_GETFL) for name, end in ends.items() if end is not None}


def reap(traced):
    if traced.process.poll() is None:
        traced.finish(timeout=0)


def command(case, source, destination, report):
    name = "receive" if source.address else "send" if destination.address else "copy"
    wishes = [] if case.method == "auto" else ["--method", case.method]
    return [tool.HEADRACE, name, source.argument, destination.argument, *source.options,
            *destination.options, *wishes, *case.wishes, "--quiet", "--report", "json", "--report-file", report]


def standard(source, destination):
    given = {}
    if source.stdin is not None:
        given["stdin"] = source.stdin
    if destination.stdout is not None:
        given["stdout"] = destination.stdout
    return given


# --- Judging --------------------------------------------------------------------------------------


def _judge(case, run, source, destination):
    if run.timed_out:
        return [f"hangs (killed after {LIMIT} s); its last call: {_last(run)}"]
    if run.report is None:
        return [f"status {run.status} and no report: {run.stderr.decode(errors='replace').strip()}"]
    if run.status == 0:
        return _judge_transfer(case, run, source, destination)
    if run.status == REFUSED and (case.may_refuse or case.method != "auto"):
        return _judge_refusal(case, run, source, destination)
    return [f"status {run.status}: {run.stderr.decode(errors='replace').strip()}"]


def _last(run):
    return run.calls[-1].text if run.calls else "none that moves bytes"


def _judge_transfer(case, run, source, destination):
    got, moved = destination.received(), run.report["bytes"]
    faults = witness.check_report(run, source.witness, destination.witness)
    if got is not None and not source.looks_right(got):
        faults.append(_difference(got, source.data))
    if source.data is not None and moved != len(source.data):
        faults.append(f"the report says {moved} bytes, the source has {len(source.data)}")
    if got is not None and moved != len(got):
        faults.append(f"the report says {moved} bytes, {len(got)} arrived")
    if case.method != "auto":
        others = {leg["method"] for leg in run.report["legs"]} - {case.method}
        faults += [f"{name} took part, which was not asked for" for name in others]
    return faults + source.faults(moved) + destination.faults(moved)


def _difference(got, wanted):
    if wanted is None:
        return f"not what the source holds: {got[:80]!r}"
    at = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), min(len(got), len(wanted)))
    return f"{len(got)} bytes arrived of {len(wanted)}, different from offset {at} on"


def _judge_refusal(case, run, source, destination):
    report = run.report
    faults = [f"{call.name} moved {call.moved} bytes in spite of the refusal" for call in run.calls
              if call.moved and call.destination in destination.witness]
    if report["bytes"] or report["stranded"]:
        faults.append(f"refused with {report['bytes']} bytes moved, {report['stranded']} stranded")
    reasons = {one["method"]: one["reason"] for one in report["refused"]}
    for method in tool.all_methods() if case.method == "auto" else [case.method]:
        reason = reasons.get(method, "none")
        if not re.fullmatch(r"[a-z]+(-[a-z]+)+", reason) or reason == "not-named":
            faults.append(f"no reason for the refusal of {method}: {report['refused']}")
    if case.method == "auto":
        return faults + source.faults(0) + destination.untouched()
    faults += [f"{leg['method']} took part, which was not asked for" for leg in report["legs"]
               if leg["method"] != case.method]
    return faults + source.faults(0) + destination.untouched()


# --- Many -----------------------------------------------------------------------------------------


def carry_out_all(cases):
    """All outcomes, in the order of the cases, two at a time."""
    def one(case):
        try:
            return carry_out(case)
        except Exception as error:  # what the test itself could not do names its case, too
            raise RuntimeError(f"{case}: {error!r}") from error

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, cases))


def told(outcomes):
    """The faults as lines, the most frequent first."""
    lines = collections.Counter()
    for outcome in outcomes:
        for fault in outcome.faults:
            lines[f"{outcome.case}: {fault}"] += 1
    return "\n".join(line for line, _ in lines.most_common())


def leave_if_blind():
    """Ends with 77 where nothing can be watched; says aloud which kinds are missing."""
    if reason := witness.why_not():
        print("skipped: " + reason, file=sys.stderr)
        sys.exit(77)
