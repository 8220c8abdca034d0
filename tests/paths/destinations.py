"""Every kind of destination, in the form of `sources.py`.

    destination.received()     all that arrived, once the command is over; None: nobody can know
    destination.faults(moved)  what is wrong about it besides
    destination.untouched()    what is wrong about it after a refusal
"""

import contextlib
import os
import pty
import socket
import tty

import witness
from workers import Worker, accepted, drain

PATIENCE = 30  # seconds; for the end of a stream whose writer has exited


class Destination:
    address = False
    only_copy = False
    unavailable = None

    def __init__(self, folder):
        self.folder = os.path.join(folder, "destination")
        os.mkdir(self.folder)
        self.argument, self.stdout, self.options = "-", None, []
        self.witness = None
        self.worker = None
        self.prepare()

    def path(self, name):
        return os.path.join(self.folder, name)

    def prepare(self):
        raise NotImplementedError

    def begin(self):
        pass

    def received(self):
        raise NotImplementedError

    def faults(self, moved):
        return []

    def untouched(self):
        got = self.received()
        return [f"{len(got)} bytes arrived in spite of the refusal"] if got else []

    def close(self):
        if self.worker:
            self.worker.stop()
        if self.stdout is not None:
            with contextlib.suppress(OSError):
                os.close(self.stdout)
            self.stdout = None

    def drained(self):
        if not self.worker.join(PATIENCE):
            return b"(the stream has no end)"
        return bytes(self.worker.data)


# --- Files ----------------------------------------------------------------------------------------


class NewFile(Destination):
    OLD = None

    def prepare(self):
        self.argument = self.path("file")
        self.witness = witness.inside(self.folder)
        if self.OLD is not None:
            with open(self.argument, "wb") as file:
                file.write(self.OLD)

    def received(self):
        try:
            with open(self.argument, "rb") as file:
                return file.read()
        except FileNotFoundError:  # which `faults` tells
            return b""

    def faults(self, moved):
        there = sorted(os.listdir(self.folder))
        return [] if there == ["file"] else [f"left behind: {there}"]

    def untouched(self):
        there = os.listdir(self.folder)
        if self.OLD is None:
            return [f"left behind after the refusal: {there}"] if there else []
        if there != ["file"] or self.received() != self.OLD:
            return ["the old file is not what it was"]
        return []


class ExistingFile(NewFile):
    OLD = b"old content, longer than some of what replaces it"


class FileInPlace(ExistingFile):
    only_copy = True  # `receive` writes in place anyway

    def prepare(self):
        super().prepare()
        self.options = ["--in-place"]


class StandardOutputFile(Destination):
    """Written from where the shell left it; what lies before stays."""

    OLD = b"before"
    FLAGS = os.O_RDWR

    def prepare(self):
        path = self.path("file")
        with open(path, "wb") as file:
            file.write(self.OLD)
        self.stdout = os.open(path, self.FLAGS)
        os.lseek(self.stdout, len(self.OLD), os.SEEK_SET)
        self.witness = witness.path(path)

    def received(self):
        whole = os.pread(self.stdout, 1 << 24, 0)
        return whole[len(self.OLD):] if whole.startswith(self.OLD) else b"(the old bytes are gone)"

    def faults(self, moved):
        stands = os.lseek(self.stdout, 0, os.SEEK_CUR)
        wanted = len(self.OLD) + moved
        return [] if stands == wanted else [f"standard output stands at {stands}, not {wanted}"]


class AppendedFile(StandardOutputFile):
    FLAGS = os.O_RDWR | os.O_APPEND


class NullDevice(Destination):
    def prepare(self):
        self.argument = "/dev/null"
        self.witness = witness.path("/dev/null")

    def received(self):
        return None


# --- Streams --------------------------------------------------------------------------------------


class Fifo(Destination):
    def prepare(self):
        self.argument = self.path("fifo")
        os.mkfifo(self.argument)
        self.witness = witness.path(self.argument)

    def begin(self):
        self.worker = Worker(self.read)

    def read(self, worker):
        descriptor = os.open(self.argument, os.O_RDONLY)  # waits for the command
        try:
            drain(worker, descriptor)
        finally:
            os.close(descriptor)

    def received(self):
        self.release()
        return self.drained()

    def release(self):
        # A command that never opened it leaves the reader waiting: be the writer.
        while not self.worker.join(0.02):
            self.be_a_writer()

    def be_a_writer(self):
        with contextlib.suppress(OSError):  # ENXIO: nobody waits any more
            os.close(os.open(self.argument, os.O_WRONLY | os.O_NONBLOCK))

    def close(self):
        if self.worker:
            self.release()
        super().close()


class Drained(Destination):
    """Standard output whose other end a worker reads."""

    def pair(self):
        raise NotImplementedError

    def prepare(self):
        self.stdout, self.ours = self.pair()
        self.witness = witness.descriptor(self.stdout)

    def begin(self):
        self.worker = Worker(lambda worker: drain(worker, self.ours))

    def received(self):
        if self.stdout is not None:
            os.close(self.stdout)  # the last one of this end: now the stream ends
            self.stdout = None
        return self.drained()

    def close(self):
        super().close()
        os.close(self.ours)


class StandardOutputPipe(Drained):
    def pair(self):
        reader, writer = os.pipe()
        return writer, reader


class StandardOutputTcp(Drained):
    def pair(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            near = socket.create_connection(listener.getsockname())
            far, _ = listener.accept()
        return near.detach(), far.detach()


class StandardOutputUnix(Drained):
    def pair(self):
        near, far = socket.socketpair()
        return near.detach(), far.detach()


class NonblockingTcp(StandardOutputTcp):
    """Lent by a parent that uses an event loop."""

    def pair(self):
        near, far = super().pair()
        os.set_blocking(near, False)
        return near, far


class NonblockingPipe(StandardOutputPipe):
    def pair(self):
        near, far = super().pair()
        os.set_blocking(near, False)
        return near, far


class StandardOutputTerminal(Drained):
    """In raw mode, so that the screen shows the bytes and not their rendering."""

    def pair(self):
        user, terminal = pty.openpty()
        tty.setraw(terminal)
        return terminal, user


class Terminal(StandardOutputTerminal):
    """By its path. Held open until the command is over: a terminal nobody has open hangs up."""

    def prepare(self):
        self.held, self.ours = self.pair()
        self.argument = os.ttyname(self.held)
        self.witness = witness.path(self.argument)

    def begin(self):
        self.worker = Worker(lambda worker: drain(worker, self.ours))

    def received(self):
        self.let_go()
        return self.drained()

    def let_go(self):
        if self.held is not None:
            os.close(self.held)
            self.held = None

    def close(self):
        self.let_go()
        super().close()


class Tcp(Destination):
    """`send` connects to us."""

    address = True

    def prepare(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.argument = "%s:%d" % self.listener.getsockname()
        self.witness = witness.any_socket

    def begin(self):
        self.worker = Worker(self.read)

    def read(self, worker):
        if peer := accepted(worker, self.listener):
            with peer:
                drain(worker, peer.fileno())

    def received(self):
        # A command that never connected leaves nobody to wait for.
        self.listener.shutdown(socket.SHUT_RDWR)
        return self.drained()

    def close(self):
        super().close()
        self.listener.close()


class Unix(Tcp):
    def prepare(self):
        path = self.path("socket")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.argument = "unix:" + path
        self.witness = witness.any_socket


DESTINATIONS = {
    "new file": NewFile,
    "existing file": ExistingFile,
    "file in place": FileInPlace,
    "standard output file": StandardOutputFile,
    "appended file": AppendedFile,
    "/dev/null": NullDevice,
    "FIFO": Fifo,
    "standard output pipe": StandardOutputPipe,
    "standard output TCP": StandardOutputTcp,
    "standard output unix": StandardOutputUnix,
    "standard output TCP, non-blocking": NonblockingTcp,
    "standard output pipe, non-blocking": NonblockingPipe,
    "TCP": Tcp,
    "unix": Unix,
    "standard output terminal": StandardOutputTerminal,
    "terminal": Terminal,
}
