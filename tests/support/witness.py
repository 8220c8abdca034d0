"""A witness for reports: runs a command under strace and holds its report against what it did.

    run = witness.run([headrace, "copy", "a", "b", "--report", "json", "--report-file", "r"],
                      report_file="r")
    for fault in witness.check_report(run, witness.path("a"), witness.inside("folder of b")):
        print(fault)

The parsing of strace's lines is in `calls.py`. Where strace is too slow, CALL_LOG names a library to
be preloaded (tests/vm/call_log.cpp) that writes the same lines.
"""

import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile

from calls import CLONES, MOVERS, NAMING, READS, WRITES, Call, count, parse

WAITS = ["?poll", "ppoll", "?select", "pselect6", "?epoll_wait", "epoll_pwait", "nanosleep",
         "clock_nanosleep"]
CALL_LOG = os.environ.get("CALL_LOG")
END_BY_READ = "end confirmed by a read"  # the note of a leg whose end a plain read decided


# --- The ends of a transfer, as strace shows them -------------------------------------------------


@dataclasses.dataclass(frozen=True)
class End:
    """Knows a descriptor by the decoration that strace gives it."""

    pattern: str

    def __contains__(self, descriptor):
        return descriptor is not None and re.fullmatch(self.pattern, descriptor.name) is not None


def path(name):
    """A file, FIFO or device, by the path it was opened with."""
    return End(re.escape(os.path.realpath(name)))


def inside(folder):
    """Any file in that folder, named or not: a copy is complete before it gets its name."""
    return End(re.escape(os.path.realpath(folder)) + r"/[^/]*")


def descriptor(number):
    """Whatever an open descriptor of this process is: a pipe, a socket, a file."""
    return End(re.escape(os.readlink(f"/proc/self/fd/{number}")))


def matching(pattern):
    return End(pattern)


any_socket = End(r"(socket|TCP|TCPv6|UNIX(-STREAM)?):.*")


# --- Running --------------------------------------------------------------------------------------


@dataclasses.dataclass
class Run:
    status: int  # as the shell says it: 128 + N for signal N
    stdout: bytes
    stderr: bytes
    calls: list[Call]
    report: dict | None  # None when no report was written
    timed_out: bool = False
    waits: int = 0  # calls that wait or ask for readiness


def why_not():
    """The reason why nothing can be witnessed here, or None."""
    if CALL_LOG:
        return None
    if shutil.which("strace") is None:
        return "strace is not installed"
    done = subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True)
    return None if done.returncode == 0 else "strace does not work here: " + done.stderr.decode()


def sanitizers_under_strace():
    """LeakSanitizer traces its own process, which strace already does."""
    given = os.environ.get("ASAN_OPTIONS")
    return {"ASAN_OPTIONS": (given + ":" if given else "") + "detect_leaks=0"}


class Traced:
    """A command that runs under strace; `finish` waits for it and gives the `Run`."""

    def __init__(self, command, report_file=None, env=None, stdin=subprocess.DEVNULL,
                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, **popen):
        handle, self._trace = tempfile.mkstemp(prefix="headrace-trace-")
        os.close(handle)
        self._report_file = report_file
        traced, watching = self._watched([*map(str, command)])
        environment = dict(os.environ if env is None else env) | watching
        self.process = subprocess.Popen(traced, stdin=stdin, stdout=stdout, stderr=stderr,
                                        env=environment, start_new_session=True, **popen)

    def _watched(self, command):
        """The command and what it needs in its environment to be watched."""
        if CALL_LOG:
            return command, {"LD_PRELOAD": CALL_LOG, "CALL_LOG_FILE": self._trace}
        names = "trace=" + ",".join(MOVERS + NAMING + WAITS)
        return ["strace", "-f", "-y", "-qq", "-s", "0", "-e", names, "-e", "signal=none",
                "-o", self._trace, *command], sanitizers_under_strace()

    def finish(self, timeout=60):
        timed_out = False
        try:
            out, err = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
            os.killpg(self.process.pid, signal.SIGKILL)  # a session of its own: strace and command
            out, err = self.process.communicate()
        code = self.process.returncode
        with open(self._trace, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.readlines()
        os.unlink(self._trace)
        return Run(code if code >= 0 else 128 - code, out or b"", err or b"", parse(lines),
                   self._read_report(), timed_out,
                   count(lines, [name.lstrip("?") for name in WAITS]))

    def _read_report(self):
        try:
            with open(self._report_file, encoding="utf-8") as file:
                return json.load(file)
        except (TypeError, FileNotFoundError, json.JSONDecodeError):
            return None


def run(command, timeout=60, **options):
    """Runs a command to its end under strace."""
    return Traced(command, **options).finish(timeout)


# --- Holding the report against the calls ---------------------------------------------------------


@dataclasses.dataclass
class Moved:
    """What one kind of call did between two ends."""

    calls: int = 0
    bytes: int = 0
    restarted: int = 0  # of the calls: may be the same call of the program, seen twice

    def add(self, call):
        self.calls += 1
        self.bytes += call.moved
        self.restarted += call.restarted

    def __add__(self, other):
        return Moved(self.calls + other.calls, self.bytes + other.bytes,
                     self.restarted + other.restarted)


def bytes_by_call(run, source, destination):
    """{(name, taken, given): Moved} of all calls that touch one of the ends.

    `taken`: the call took from the source; `given`: it gave to the destination.
    """
    sums = {}
    for call in run.calls:
        key = (call.name, call.source in source, call.destination in destination)
        if key[1] or key[2] or call.name == "vmsplice":  # that one fills a pipe in between
            sums.setdefault(key, Moved()).add(call)
    return sums


def _total(sums, names, taken, given):
    return sum((sums.get((name, taken, given), Moved()) for name in names), Moved())


_ONE_CALL = {name: [name] for name in ("sendfile", "copy_file_range", "splice")}
_TWO_HALVES = {"splice_pipe": (["splice"], ["splice"]), "read_write": (READS, WRITES),
               "send_zerocopy": (READS, WRITES), "vmsplice": (READS, ["splice"])}
# The other half makes no call: a mapping is one of the two ends.
_TO_DESTINATION = {"mmap_write": WRITES}
_FROM_SOURCE = {"mmap_read": READS}


def _witnessed(method, sums):
    """(bytes taken from the source, bytes given to the destination, all calls) of a method."""
    if method == "reflink":
        return None, None, _total(sums, CLONES, True, True)
    if method in _ONE_CALL:
        both = _total(sums, _ONE_CALL[method], True, True)
        return both.bytes, both.bytes, both
    if method in _TO_DESTINATION:
        given = _total(sums, _TO_DESTINATION[method], False, True)
        return None, given.bytes, given
    if method in _FROM_SOURCE:
        taken = _total(sums, _FROM_SOURCE[method], True, False)
        return taken.bytes, None, taken
    first, second = _TWO_HALVES[method]
    taken, given = _total(sums, first, True, False), _total(sums, second, False, True)
    between = _total(sums, ["vmsplice"], False, False) if method == "vmsplice" else Moved()
    return taken.bytes, given.bytes, taken + between + given


def _ends_read(run, source):
    return sum(1 for call in run.calls
               if call.name in READS and call.source in source and call.result == 0)


def check_report(run, source, destination):
    """The faults of a report, as sentences; an empty list when it is true."""
    if run.report is None:
        return ["there is no report"]
    sums = bytes_by_call(run, source, destination)
    _leave_out_head(sums, run.report.get("head_bytes", 0))
    by_method = {}
    for leg in run.report["legs"]:
        by_method.setdefault(leg["method"], []).append(leg)
    faults = [f"{key[0]} moved {moved.bytes} bytes, of which no leg tells"
              for key, moved in sums.items()
              if moved.bytes and not any(_belongs(key, method) for method in by_method)]
    if sum(leg["bytes"] for leg in run.report["legs"]) != run.report["bytes"]:
        faults.append(f"the legs do not add up to {run.report['bytes']} bytes")
    for method, legs in by_method.items():
        faults += _check_method(run, source, sums, method, legs)
    return faults


def _leave_out_head(sums, head_bytes):
    """Bytes before the body are no leg's. Alone they went by one call, which is none of a leg's."""
    for key, moved in sums.items():
        if head_bytes and key[0] in WRITES and key[2] and moved.bytes >= head_bytes:
            moved.bytes -= head_bytes
            moved.calls -= moved.bytes == 0
            return


def _belongs(key, method):
    name, taken, given = key
    if method in ("read_write", "send_zerocopy"):
        return name in READS + WRITES
    if method == "vmsplice":
        return name == "vmsplice" or name in READS and taken or name == "splice" and not taken
    if method == "splice_pipe":
        return name == "splice" and taken != given
    if method == "reflink":
        return name in CLONES
    if method in _TO_DESTINATION:
        return name in _TO_DESTINATION[method] and given
    if method in _FROM_SOURCE:
        return name in _FROM_SOURCE[method] and taken
    return name == method and taken and given


def _check_method(run, source, sums, method, legs):
    reported = sum(leg["bytes"] for leg in legs)
    calls = sum(leg["calls"] for leg in legs)
    taken, given, seen = _witnessed(method, sums)
    faults = []
    stranded = run.report.get("stranded", 0) if legs[-1] is run.report["legs"][-1] else 0
    if taken is not None and taken != reported + stranded:
        faults.append(f"{method} took {taken} bytes, its legs say {reported} + {stranded} stranded")
    if given is not None and given != reported:
        faults.append(f"{method} gave {given} bytes, its legs say {reported}")
    # The read that decides about the end is made between the legs, by none of them.
    noted = any(END_BY_READ in note for leg in run.report["legs"] for note in leg["notes"])
    extra = 1 if noted and method == "read_write" and _ends_read(run, source) else 0
    if not seen.calls - extra - seen.restarted <= calls <= seen.calls:
        faults.append(f"{method} made {seen.calls} calls, its legs say {calls}")
    return faults
