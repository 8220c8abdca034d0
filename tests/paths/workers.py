"""Threads that feed or drain one end of a transfer, and that can always be stopped."""

import contextlib
import os
import select
import threading

PIECE = 1 << 16


class Worker:
    """Runs `work(self)` on a thread. `stop` makes `ready` false, so that no wait lasts."""

    def __init__(self, work):
        self.data = bytearray()  # what a draining worker has read
        self.error = None
        self._reader, self._writer = os.pipe()
        self._thread = threading.Thread(target=self._run, args=[work], daemon=True)
        self._thread.start()

    def _run(self, work):
        try:
            work(self)
        except (OSError, AssertionError) as error:  # a tool that refused has closed its end: EPIPE
            self.error = error

    def ready(self, readable=(), writable=()):
        """True when one of them is ready, False when it is time to stop."""
        got, can, _ = select.select([*readable, self._reader], writable, [])
        return self._reader not in got

    def join(self, timeout):
        """False when it is not over in time."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def stop(self):
        os.write(self._writer, b"x")
        self._thread.join()
        os.close(self._reader)
        os.close(self._writer)


def feed(worker, descriptor, data):
    """Writes everything to a descriptor, which becomes non-blocking."""
    os.set_blocking(descriptor, False)
    rest = memoryview(data)
    while rest and worker.ready(writable=[descriptor]):
        with contextlib.suppress(BlockingIOError):
            rest = rest[os.write(descriptor, rest[:PIECE]):]


def drain(worker, descriptor):
    """Reads a descriptor to its end; the other side of a terminal ends with EIO."""
    while worker.ready(readable=[descriptor]):
        piece = os.read(descriptor, PIECE)
        if not piece:
            return
        worker.data += piece


def accepted(worker, listener):
    """The first connection, or None when stopped."""
    return listener.accept()[0] if worker.ready(readable=[listener]) else None
