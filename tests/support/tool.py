"""The headrace command as a test sees it: run it, start it, talk to it, wait for what it does.

Nothing here sleeps in order to be late enough: `until` looks for a condition and fails after a
bounded time, and ports come from the tool's own "listening on" line.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import pty
import random
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import watchdog

HEADRACE = os.environ.get("HEADRACE", "headrace")
PATIENCE = 60  # seconds; for what must happen at once on an idle machine
WATCHDOG = 10  # seconds; for the end after a signal
NOBODY = 65534
IS_ROOT = os.geteuid() == 0


def content(size, seed=1):
    """Bytes without repetition: one lost, doubled or moved is seen."""
    return random.Random(seed).randbytes(size)


def until(condition, what, patience=PATIENCE):
    """Looks again and again until `condition` answers something true; gives that."""
    end = time.monotonic() + patience
    while not (answer := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {patience} s")
        time.sleep(0.002)
    return answer


@contextlib.contextmanager
def ended(process):
    """A poll object that is ready once the process has ended; it is not reaped by that."""
    descriptor = os.pidfd_open(process.pid)
    try:
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        yield waiting
    finally:
        os.close(descriptor)


class Done:
    """A command that has ended."""

    def __init__(self, status, out, err, report=None):
        self.status = status  # as a shell says it: 128 + N for signal N
        self.out = out
        self.err = err.decode(errors="replace")
        self.report = report

    def __repr__(self):
        return f"status {self.status}, standard error:\n{self.err}"


class Started:
    """A command that runs. Standard error is read by a thread, so that it never fills up."""

    def __init__(self, command, report_file=None, **popen):
        settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(list(map(os.fspath, command)), **(settings | popen))
        self.pid = self.process.pid
        self.report_file = report_file
        self._err = bytearray()
        self._more = threading.Condition()
        self._reader = None
        if self.process.stderr:
            self._reader = threading.Thread(target=self._read_errors, daemon=True)
            self._reader.start()

    def _read_errors(self):
        while piece := os.read(self.process.stderr.fileno(), 65536):
            with self._more:
                self._err += piece
                self._more.notify_all()
        with self._more:
            self._reader_ended = True
            self._more.notify_all()

    _reader_ended = False

    def line_with(self, words, patience=PATIENCE):
        """The first whole line of standard error that has these words."""
        words = words.encode()

        def found():
            lines = bytes(self._err).split(b"\n")[:-1]
            return next((line for line in lines if words in line), None)

        with self._more:
            self._more.wait_for(lambda: found() or self._reader_ended, patience)
            line = found()
        if line is None:
            raise AssertionError(f"no line with {words!r} in {bytes(self._err)!r}")
        return line.decode()

    def address(self):
        """Where it listens, e.g. "127.0.0.1:43210"."""
        return self.line_with("listening on ").split("listening on ")[1].split(" ")[0]

    def port(self):
        return int(self.address().rsplit(":", 1)[1])

    def signal(self, number):
        self.process.send_signal(number)

    def finish(self, timeout=PATIENCE):
        """Waits for the end; one that does not come is killed and fails the test."""
        out = b""
        try:
            if self.process.stdout:
                out = _read_to_end(self.process.stdout, timeout)
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            where = asleep_in(self.pid)
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"did not end within {timeout} s (in {where}): "
                                 f"{bytes(self._err)!r}") from None
        if self._reader:
            self._reader.join(timeout)
        code = self.process.returncode
        return Done(code if code >= 0 else 128 - code, out, bytes(self._err), self._report())

    def _report(self):
        if not self.report_file or not os.path.exists(self.report_file):
            return None
        with open(self.report_file, encoding="utf-8") as file:
            return json.load(file)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self._reader:
            self._reader.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()


def _read_to_end(stream, timeout):
    end, pieces = time.monotonic() + timeout, []
    while True:
        left = end - time.monotonic()
        if left <= 0 or not select.select([stream], [], [], left)[0]:
            raise subprocess.TimeoutExpired("reading standard output", timeout)
        piece = os.read(stream.fileno(), 1 << 20)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


# --- What a process does, as /proc tells ----------------------------------------------------------


def asleep_in(pid):
    """The kernel function a process sleeps in; empty while it runs or where /proc does not say."""
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            if file.read().rsplit(")", 1)[1].split()[0] not in "SD":
                return ""
        with open(f"/proc/{pid}/wchan", encoding="ascii") as file:
            return file.read() or "?"
    return ""


def handles(pid, number):
    """The process has a handler for this signal."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        caught = next(line for line in file if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (number - 1) & 1


def until_asleep(started):
    """Returns when the tool handles SIGINT and waits for something."""
    def waits():
        if started.process.poll() is not None:
            raise AssertionError(f"ended instead of waiting: {started.finish()}")
        return handles(started.pid, signal.SIGINT) and asleep_in(started.pid)

    return until(waits, "the tool waits")


def open_files(pid):
    """{descriptor number: (where it leads, its status)} of what a process has open."""
    found = {}
    with contextlib.suppress(OSError):
        for number in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                link = f"/proc/{pid}/fd/{number}"
                found[int(number)] = (os.readlink(link), os.stat(link))
    return found


def until_writing(started, folder):
    """Returns when the tool has put bytes into a file that it holds open in `folder`."""
    folder = os.path.realpath(folder) + "/"

    def writes():
        if started.process.poll() is not None:
            raise AssertionError(f"ended before it was seen to write: {started.finish()}")
        for number, (where, status) in open_files(started.pid).items():
            if where.startswith(folder) and status.st_blocks and is_written(started.pid, number):
                return status.st_size
        return 0

    return until(writes, "the tool writes")


def is_written(pid, number):
    """The process has this descriptor open for writing."""
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/fdinfo/{number}", encoding="ascii") as file:
            flags = next(line for line in file if line.startswith("flags:"))
            return int(flags.split()[1], 8) & os.O_ACCMODE != os.O_RDONLY
    return False


# --- Tests ----------------------------------------------------------------------------------------


class ToolTest(unittest.TestCase):
    """A test with a folder of its own, in which everything it makes goes away with it."""

    maxDiff = 2000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="headrace-test-")
        os.chmod(self.folder, 0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def make(self, name, data=b"", mode=None):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(path, mode)
        return path

    def make_sparse(self, name, size, marks=None):
        """A file of holes with a few bytes at some offsets."""
        path = self.path(name)
        with open(path, "wb") as file:
            file.truncate(size)
            for offset, data in (marks or {}).items():
                file.seek(offset)
                file.write(data)
        return path

    def make_folder(self, name):
        path = self.path(name)
        os.mkdir(path)
        return path

    def make_fifo(self, name):
        path = self.path(name)
        os.mkfifo(path)
        return path

    # -- The tool --

    def start(self, *arguments, wrap=(), json_report=False, **popen):
        report_file = None
        arguments = [*wrap, HEADRACE, *arguments]
        if json_report:
            report_file = self.path(f"report-{random.getrandbits(40):x}.json")
            arguments += ["--report", "json", "--report-file", report_file]
        started = Started(arguments, report_file, **popen)
        self.addCleanup(started.close)
        return started

    def run_tool(self, *arguments, timeout=PATIENCE, **options):
        started = self.start(*arguments, **options)
        done = started.finish(timeout)
        started.close()  # now: a test may run hundreds
        return done

    def program(self, *command, **popen):
        """Any other program, started."""
        started = Started(command, **popen)
        self.addCleanup(started.close)
        return started

    def pipe(self, size=None):
        """(reader, writer); both are closed at the end at the latest."""
        reader, writer = os.pipe()
        self.addCleanup(close_if_open, reader)
        self.addCleanup(close_if_open, writer)
        if size:
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, size)
        return reader, writer

    def listener(self, family=socket.AF_INET, where=("127.0.0.1", 0), receive_buffer=None):
        server = socket.socket(family)
        self.addCleanup(server.close)
        if receive_buffer:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        server.bind(where)
        server.listen(1)
        server.settimeout(PATIENCE)
        return server

    def accept(self, server):
        peer, _ = server.accept()
        self.addCleanup(peer.close)
        peer.settimeout(PATIENCE)
        return peer

    def connect(self, port, host="127.0.0.1"):
        peer = socket.create_connection((host, port), PATIENCE)
        self.addCleanup(peer.close)
        return peer

    # -- What is expected --

    def assertStatus(self, done, status, *words):  # noqa: N802, as unittest spells it
        """The exit status, and what the message has to say."""
        self.assertEqual(done.status, status, done)
        for word in words:
            self.assertIn(word, done.err)

    def assertContent(self, path, data):  # noqa: N802
        with open(path, "rb") as file:
            there = file.read()
        self.assertSameBytes(there, data)

    def assertSameBytes(self, there, data):  # noqa: N802
        if there != data:
            at = next((i for i, (a, b) in enumerate(zip(there, data)) if a != b),
                      min(len(there), len(data)))
            self.fail(f"{len(there)} bytes instead of {len(data)}, the first difference at {at}")

    def assertOnly(self, *names, folder=None):  # noqa: N802
        """Nothing else was left behind in the folder; reports do not count."""
        there = {name for name in os.listdir(folder or self.folder) if not name.startswith("report-")}
        self.assertEqual(there, set(names))


def close_if_open(descriptor):
    with contextlib.suppress(OSError):
        os.close(descriptor)


def read_all(descriptor):
    pieces = []
    while piece := os.read(descriptor, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def receive_all(peer):
    pieces = []
    while piece := peer.recv(1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def receive_until_reset(peer):
    """What came of a stream that is not complete: it ends by a reset, which may come first."""
    pieces = []
    with contextlib.suppress(ConnectionResetError):
        while piece := peer.recv(1 << 20):
            pieces.append(piece)
    return b"".join(pieces)


def reset(peer):
    """Closes a TCP connection by a reset instead of an orderly end."""
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


def moved_by(report):
    """{method: bytes} of the legs that moved some."""
    moved = {}
    for leg in report["legs"]:
        if leg["bytes"]:
            moved[leg["method"]] = moved.get(leg["method"], 0) + leg["bytes"]
    return moved


def all_methods():
    done = subprocess.run([HEADRACE, "explain", "--methods"], capture_output=True, check=True)
    return [line.split()[0] for line in done.stdout.decode().splitlines()]


def congestion_control():
    with open("/proc/sys/net/ipv4/tcp_congestion_control", encoding="ascii") as file:
        return file.read().strip()


class Terminal:
    """A pseudo terminal; `screen` is everything that was written to it."""

    def __init__(self, columns=100):
        self._master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, 0x5414, struct.pack("HHHH", 25, columns, 0, 0))  # TIOCSWINSZ
        self.screen = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        with contextlib.suppress(OSError):  # EIO: the last one who had it open closed it
            while piece := os.read(self._master, 65536):
                self.screen += piece

    def type(self, data):
        os.write(self._master, data)

    def close(self):
        close_if_open(self.slave)
        self._reader.join(PATIENCE)
        close_if_open(self._master)


_CLONE_NEWNS = 0x20000


def own_mounts():
    """Gives this process mounts of its own: what it mounts, nobody else sees. False: not allowed."""
    if not IS_ROOT or ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNS) != 0:
        return False
    return subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True).returncode == 0


def needs(*programs):
    """Skips a test where one of the programs is missing."""
    missing = [name for name in programs if shutil.which(name) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


def strace(*options):
    """To be put in front of the tool; its own exit status comes through."""
    return ["strace", "-qq", "-o", "/dev/null", *options]


def main():
    """Runs the tests of a file: 77 where everything was skipped."""
    program = unittest.main(exit=False, verbosity=2, testRunner=watchdog.runner())
    result = program.result
    if result.testsRun and len(result.skipped) == result.testsRun:
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)
