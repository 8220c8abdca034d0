"""No test hangs for ever: one that takes too long is named, with what it was doing, and all it
started is killed.

`tool.main` runs every test under it. The limit lies below ctest's, so that the test can still say
where it hung and nothing is left running.
"""

import contextlib
import faulthandler
import os
import signal
import sys
import threading
import time
import unittest

LIMIT = float(os.environ.get("WATCHDOG_LIMIT", "270"))  # seconds, for one test
HUNG = 1  # exit status


class Watchdog:
    """A thread that ends the process when it is not fed for too long."""

    def __init__(self, limit=None):
        self._limit = LIMIT if limit is None else limit
        self._changed = threading.Condition()
        self._what, self._end, self._stopped = "the start", time.monotonic() + self._limit, False
        threading.Thread(target=self._watch, daemon=True).start()

    def feed(self, what):
        """From now on it is `what` that may take so long."""
        with self._changed:
            self._what, self._end = what, time.monotonic() + self._limit
            self._changed.notify()

    def stop(self):
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def _watch(self):
        with self._changed:
            while not self._stopped:
                left = self._end - time.monotonic()
                if left <= 0:
                    self._bite()
                self._changed.wait(left)

    def _bite(self):
        print(f"watchdog: {self._what} takes more than {self._limit} s; it is here:",
              file=sys.stderr, flush=True)
        faulthandler.dump_traceback(all_threads=True)
        kill_descendants()
        os._exit(HUNG)


def descendants(pid):
    """Processes started by this one and by those, the youngest first."""
    found = []
    for task in _listed(f"/proc/{pid}/task"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children",
                                                encoding="ascii") as file:
            for child in map(int, file.read().split()):
                found += [*descendants(child), child]
    return found


def _listed(folder):
    with contextlib.suppress(OSError):
        return os.listdir(folder)
    return []


def kill_descendants():
    for pid in descendants(os.getpid()):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


class _Result(unittest.TextTestResult):
    watchdog = None

    def startTestRun(self):  # noqa: N802, as unittest spells it
        super().startTestRun()
        self.watchdog = Watchdog()

    def startTest(self, test):  # noqa: N802
        self.watchdog.feed(test.id())
        super().startTest(test)

    def stopTest(self, test):  # noqa: N802
        super().stopTest(test)
        self.watchdog.feed("what comes after " + test.id())

    def stopTestRun(self):  # noqa: N802
        self.watchdog.stop()
        super().stopTestRun()


def runner():
    """For unittest.main: every test watched."""
    return unittest.TextTestRunner(verbosity=2, resultclass=_Result)
