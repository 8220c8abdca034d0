"""One transfer of a source that changes, and what its contract says about the outcome.

A `Trial` names everything; `carry_out` runs it; `faults` gives a line for each broken promise.
"""

import contextlib
import dataclasses
import os

import mutation
import tool

COMMANDS = ("file", "pipe", "send")  # copy to a file, copy to a pipe, send to a TCP peer
CONTRACTS = ("live", "guarded", "stable")
OLD_FILE = b"what the destination held before\n"
PIECE = 16 << 10  # what the peer takes at a time
RECEIVE_BUFFER = 64 << 10
LAST_PIECE = 64 << 10  # withheld under guarded, at most
# What may be on its way to the reader: in the pipe, or in a receive buffer, which the kernel doubles.
IN_FLIGHT = {"pipe": 64 << 10, "send": 2 * RECEIVE_BUFFER}

EVIDENCE = {"live": {None}, "guarded": {"lease", "times"}, "stable": {"read", "clone", "sealed"}}
CHANGES = {"overwrite": {"overwritten"}, "punch": {"overwritten"}, "touch": {"overwritten"},
           "chmod": {"touched"}, "grow": {"grew"}, "shrink": {"shrank"}, "replace": {"replaced"}}
REFUSED, CHANGED = 3, 4


@dataclasses.dataclass(frozen=True)
class Trial:
    command: str
    contract: str
    method: str  # or "auto"
    mutation: mutation.Mutation
    size: int

    def __str__(self):
        return (f"{self.command} --{self.contract} --method {self.method}, {self.size} bytes, "
                f"{self.mutation}")


@dataclasses.dataclass
class Outcome:
    done: tool.Done
    got: bytes  # what the peer has, or the file at the destination
    record: mutation.Record
    reset: bool = False

    @property
    def report(self):
        return self.done.report


def arguments(trial, source, destination):
    wishes = [f"--{trial.contract}"]
    if trial.method != "auto":
        wishes += ["--method", trial.method]
    if trial.command == "send":
        return ["send", source, destination, *wishes]
    # Slowed down, a copy takes several turns: twenty a second.
    slowly = ["--limit-rate", "3MiB"] if trial.command == "file" else []
    return ["copy", source, destination, *wishes, *slowly]


def carry_out(test, trial):
    """`test`: the ToolTest that owns the folder and the processes."""
    source = test.make("source", tool.content(trial.size, trial.mutation.seed))
    with mutation.Mutator(trial.mutation, source) as mutator:
        mutator.begin()
        carry = {"file": _to_file, "pipe": _to_pipe, "send": _to_peer}[trial.command]
        done, got, reset = carry(test, trial, source, mutator)
        mutator.end()
        if trial.command == "file":
            with open(got, "rb") as file:
                got = file.read()
        return Outcome(done, got, mutator.record, reset)


def _to_file(test, trial, source, mutator):
    folder = test.path("d")
    os.makedirs(folder, exist_ok=True)
    destination = test.make("d/destination", OLD_FILE)
    started = test.start(*arguments(trial, source, destination), json_report=True)
    with tool.ended(started.process) as ended:
        while not ended.poll(1):  # a look each millisecond until then
            mutator.arrived(_written(started.pid, os.path.realpath(folder) + "/"))
    done = started.finish()
    started.close()
    test.assertOnly("destination", folder=folder)
    return done, destination, False


def _written(pid, folder):
    files = tool.open_files(pid).values()
    return max((status.st_size for where, status in files if where.startswith(folder)), default=0)


def _to_pipe(test, trial, source, mutator):
    started = test.start(*arguments(trial, source, "-"), json_report=True)
    reader = started.process.stdout.fileno()
    got = bytearray()
    while piece := os.read(reader, PIECE):
        got += piece
        mutator.arrived(len(got))
    done = started.finish()
    started.close()
    return done, bytes(got), False


def _to_peer(test, trial, source, mutator):
    server = test.listener(receive_buffer=RECEIVE_BUFFER)
    address = f"127.0.0.1:{server.getsockname()[1]}"
    started = test.start(*arguments(trial, source, address), json_report=True)
    got, reset = bytearray(), False
    peer = _accept(server, started)
    if peer:
        try:
            while piece := peer.recv(PIECE):
                got += piece
                mutator.arrived(len(got))
        except ConnectionResetError:
            reset = True
        peer.close()
    server.close()
    done = started.finish()
    started.close()
    return done, bytes(got), reset


def _accept(server, started):
    """The connection, or None where the tool ended without one."""
    server.settimeout(0.05)
    while True:
        with contextlib.suppress(TimeoutError):
            peer, _ = server.accept()
            peer.settimeout(tool.PATIENCE)
            return peer
        if started.process.poll() is not None:
            return None


# --- What the contracts say -----------------------------------------------------------------------


def faults(trial, outcome):
    """One line for each promise that was broken."""
    if outcome.done.status not in (0, CHANGED):
        return [f"status {outcome.done.status}: {outcome.done.err}"]
    told = list(_report_faults(trial, outcome))
    if not outcome.record.done or trial.mutation.moment.when != "during":
        return told + list(_undisturbed(trial, outcome))
    if outcome.done.status == CHANGED:
        return told + list(_incomplete(trial, outcome))
    return told + list(_complete(trial, outcome))


def _report_faults(trial, outcome):
    contract = outcome.report["contract"]
    if contract["name"] != trial.contract:
        yield f"the report says {contract['name']}"
    if contract["evidence"] not in EVIDENCE[trial.contract]:
        yield f"evidence {contract['evidence']}"
    if contract["evidence"] == "lease" and outcome.record.held_open:
        yield "a lease beside a writer"
    if trial.contract == "stable" and contract["exposure"]:
        yield f"exposure {contract['exposure']} under stable"


def _undisturbed(trial, outcome):
    """Nothing happened between the beginning and the end."""
    record = outcome.record
    wanted = record.new if trial.mutation.moment.when == "before" else record.old
    if outcome.done.status != 0:
        yield f"status {outcome.done.status} although nothing changed: {outcome.done.err}"
    elif outcome.got != wanted:
        yield f"{len(outcome.got)} bytes that are not the source: {record.verdict(outcome.got)}"


def _incomplete(trial, outcome):
    """Status 4: the right word, and nobody can take what came for the whole."""
    change = outcome.report["change"]
    if change and change["kind"] not in CHANGES[trial.mutation.kind]:
        yield f"the change is called {change}"
    if not change and trial.contract == "guarded":
        yield "no word for the change"
    if trial.command == "file" and outcome.got != OLD_FILE:
        yield "the old file is gone"
    elif not outcome.reset and len(outcome.got) >= len(outcome.record.old):
        yield f"all {len(outcome.got)} bytes came, and an orderly end"
    if trial.contract != "guarded" and trial.mutation.kind != "shrink":
        yield f"status 4 under {trial.contract} although no byte is missing"


def _complete(trial, outcome):
    """Status 0, and the source changed at some time between start and end."""
    record, got = outcome.record, outcome.got
    verdict = record.verdict(got)
    if len(got) != len(record.old) or verdict == "foreign":
        yield f"{len(got)} bytes, {verdict}"
    elif verdict != "old" and trial.mutation.kind == "replace":
        yield f"{verdict} bytes of a file that took the source's name later"
    if trial.contract == "guarded":
        yield from _not_seen(trial, outcome, verdict)
    if outcome.report["contract"]["evidence"] == "clone" and verdict != "old":
        yield f"{verdict} bytes from a clone"


def _not_seen(trial, outcome, verdict):
    """Guarded and complete: the change came after the comparison, or is one no times can show."""
    contract = outcome.report["contract"]
    if trial.mutation.by == "dirty-mapping":
        if contract["evidence"] != "times":
            yield "evidence lease beside a writable mapping"
        return
    if trial.mutation.kind == "chmod" and contract["evidence"] == "lease":
        return  # nobody wrote, and that is known: what moves ctime alone is no change
    if _surely_before_the_comparison(trial, outcome.record):
        yield f"a change at {outcome.record.arrived} bytes was not seen"
    if verdict != "old" and contract["exposure"] != "peer-memory":
        yield f"{verdict} bytes, and no exposure is told"


def _surely_before_the_comparison(trial, record):
    """So little had arrived that the withheld piece cannot have been sent."""
    if trial.command == "file":
        return False  # how far a copy is cannot be known from outside
    return record.arrived + IN_FLIGHT[trial.command] + LAST_PIECE < len(record.old)
