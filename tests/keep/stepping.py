"""A program that is stepped from system call to system call, and stopped or killed at one of them.

Each call has two stops, before and after it. The numbers of the stops are those of the same program
run before, so a seeded choice among them says where a run ends.
"""

import contextlib
import ctypes
import os
import signal
import subprocess

_TRACEME, _CONT, _KILL_WITH_US, _SYSCALL, _SETOPTIONS, _SYSGOOD = 0, 7, 0x100000, 24, 0x4200, 1
_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


class NotTraced(Exception):
    """ptrace(2) is not to be had here."""


def _ptrace(request, pid=0, data=0):
    if _libc.ptrace(request, pid, None, data) != 0:
        raise NotTraced(os.strerror(ctypes.get_errno()))


class Stepped:
    """One run. `finish` must be called, from the thread that made it."""

    def __init__(self, command, **popen):
        self._files = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, preexec_fn=lambda: _ptrace(_TRACEME),
                                        **(self._files | popen))
        self.pid = self.process.pid
        self.stops = 0
        self.status = None  # as a shell says it, once it has ended
        self._signal = 0
        if self._wait() is not None:  # the stop at its execve
            _ptrace(_SETOPTIONS, self.pid, _KILL_WITH_US | _SYSGOOD)
            self._signal = 0

    def _wait(self):
        """The signal it stopped by; None: it has ended."""
        _, status = os.waitpid(self.pid, 0)
        if os.WIFSTOPPED(status):
            return os.WSTOPSIG(status)
        code = os.waitstatus_to_exitcode(status)
        self.status = code if code >= 0 else 128 - code
        self.process.returncode = code
        return None

    def step(self):
        """To the next system call's beginning or end; False when it has ended."""
        while self.status is None:
            _ptrace(_SYSCALL, self.pid, self._signal)
            self._signal = 0
            stopped = self._wait()
            if stopped == signal.SIGTRAP | 0x80:
                self.stops += 1
                return True
            self._signal = stopped or 0
        return False

    def step_to(self, number):
        while self.stops < number and self.step():
            pass
        return self.status is None

    def at_call(self):
        """The number of the system call it stands at."""
        with open(f"/proc/{self.pid}/syscall", encoding="ascii") as file:
            return int(file.read().split()[0])

    def has_open(self, path):
        with contextlib.suppress(OSError):
            for number in os.listdir(f"/proc/{self.pid}/fd"):
                with contextlib.suppress(OSError):
                    if os.readlink(f"/proc/{self.pid}/fd/{number}") == path:
                        return True
        return False

    def finish(self, number=None):
        """Sends a signal, if any, lets it go on, and gives (status, what it said)."""
        if self.status is None and number:
            os.kill(self.pid, number)
        while self.status is None:
            with contextlib.suppress(NotTraced):  # killed a moment ago
                _ptrace(_CONT, self.pid, self._signal)
            stopped = self._wait()
            self._signal = 0 if stopped in (None, signal.SIGTRAP | 0x80) else stopped
        out, err = (stream.read() for stream in (self.process.stdout, self.process.stderr))
        self.process.stdout.close()
        self.process.stderr.close()
        return self.status, out.decode(errors="replace") + err.decode(errors="replace")


def measure(command, opened, **popen):
    """(first, last): the stops from where the command has `opened` open to its end."""
    run = Stepped(command, **popen)
    first = None
    while run.step():
        if first is None and run.has_open(opened):
            first = run.stops
    status, said = run.finish()
    if status != 0 or first is None:
        raise AssertionError(f"status {status}, never saw {opened} open: {said}")
    return first, run.stops
