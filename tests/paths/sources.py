"""Every kind of source, each as a class of the same form.

    source = SOURCES[name](folder, data)   makes it
    source.argument, .stdin, .options      what the command is given; `address`: it is `receive`'s
    source.begin()                         the command runs: close what is its own, start feeding
    source.faults(moved)                   what is wrong about it after the end
    source.close()

`data` is what the source holds; kinds of fixed content change it. `None`: look at `looks_right`.
"""

import contextlib
import glob
import os
import pty
import re
import socket
import subprocess
import termios

import witness
from workers import Worker, accepted, feed


class Source:
    address = False
    fixed = False  # its content is what it is: one size only
    stream = False  # its end is where the writer says
    unavailable = None  # the reason why it cannot be had here
    feed = staticmethod(feed)  # how its worker writes; a test may have another way

    def __init__(self, folder, data):
        self.folder, self.data = folder, data
        self.argument, self.stdin, self.options = "-", None, []
        self.witness = None
        self.worker = None
        self.prepare()

    def prepare(self):
        raise NotImplementedError

    def begin(self):
        pass

    def faults(self, moved):
        return []

    def close(self):
        if self.worker:
            self.worker.stop()
        if self.stdin is not None:
            with contextlib.suppress(OSError):
                os.close(self.stdin)
            self.stdin = None

    def looks_right(self, data):
        return data == self.data


class RegularFile(Source):
    def prepare(self):
        self.argument = os.path.join(self.folder, "source file")
        with open(self.argument, "wb") as file:
            file.write(self.data)
        self.witness = witness.path(self.argument)


class StandardInputFile(Source):
    """Read from where the shell left it, and left where the command stopped."""

    START = 7

    def prepare(self):
        path = os.path.join(self.folder, "source file")
        with open(path, "wb") as file:
            file.write(b"before." + self.data)
        self.stdin = os.open(path, os.O_RDONLY)
        os.lseek(self.stdin, self.START, os.SEEK_SET)
        self.witness = witness.path(path)

    def faults(self, moved):
        stands = os.lseek(self.stdin, 0, os.SEEK_CUR)
        wanted = self.START + moved
        return [] if stands == wanted else [f"standard input stands at {stands}, not {wanted}"]


class FixedFile(Source):
    fixed = True
    path = None

    def prepare(self):
        self.argument = self.path
        self.witness = witness.path(self.path)
        with open(self.path, "rb") as file:
            self.data = file.read()


class ProcFile(FixedFile):
    path = "/proc/version"


class ProcFileOfItself(Source):
    """The content is about the reader; sendfile from it is refused by the kernel."""

    fixed = True

    def prepare(self):
        self.argument = "/proc/self/status"
        self.witness = witness.matching(r"/proc/(self|\d+)/status")
        self.data = None

    def looks_right(self, data):
        return data.startswith(b"Name:\t") and data.endswith(b"\n") and b"\nPid:\t" in data


class SysFile(FixedFile):
    """Says 4096 bytes and has fewer."""

    found = [path for path in ("/sys/kernel/mm/transparent_hugepage/enabled",
                               "/sys/kernel/mm/transparent_hugepage/defrag",
                               *sorted(glob.glob("/sys/block/*/queue/scheduler")),
                               "/sys/kernel/profiling") if os.access(path, os.R_OK)]
    path = found[0] if found else None
    unavailable = None if found else "no file of /sys can be read"


class Zeros(Source):
    def prepare(self):
        self.argument = "/dev/zero"
        self.options = ["--range", f"0:{len(self.data)}"]
        self.witness = witness.path("/dev/zero")
        self.data = bytes(len(self.data))


class Fifo(Source):
    stream = True

    def prepare(self):
        self.argument = os.path.join(self.folder, "source fifo")
        os.mkfifo(self.argument)
        self.witness = witness.path(self.argument)

    def begin(self):
        self.worker = Worker(self.write)

    def write(self, worker):
        descriptor = os.open(self.argument, os.O_WRONLY)  # waits for the command
        try:
            self.feed(worker, descriptor, self.data)
        finally:
            os.close(descriptor)

    def close(self):
        # A command that never opened it leaves the writer waiting: be the reader, once.
        reader = os.open(self.argument, os.O_RDONLY | os.O_NONBLOCK)
        super().close()
        os.close(reader)


class Fed(Source):
    """Standard input whose other end a worker writes to."""

    stream = True

    def pair(self):
        raise NotImplementedError

    def prepare(self):
        self.stdin, self.ours = self.pair()
        self.witness = witness.descriptor(self.stdin)

    def begin(self):
        self.worker = Worker(self.write)

    def write(self, worker):
        try:
            self.feed(worker, self.ours, self.data)
        finally:
            os.close(self.ours)


class StandardInputPipe(Fed):
    def pair(self):
        return os.pipe()


class StandardInputTcp(Fed):
    def pair(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            near = socket.create_connection(listener.getsockname())
            far, _ = listener.accept()
        return near.detach(), far.detach()


class StandardInputUnix(Fed):
    def pair(self):
        near, far = socket.socketpair()
        return near.detach(), far.detach()


class Terminal(Fed):
    """Lines typed by a user, ended by Ctrl-D."""

    def pair(self):
        user, terminal = pty.openpty()
        settings = termios.tcgetattr(terminal)
        settings[3] &= ~termios.ECHO  # what is typed is not shown: nobody reads it here
        termios.tcsetattr(terminal, termios.TCSANOW, settings)
        return terminal, user

    def prepare(self):
        lines = re.sub(rb"(.{60})", rb"\1\n", self.data.hex().encode())
        self.data = lines[:len(self.data)]
        super().prepare()

    def write(self, worker):
        # Ctrl-D in the middle of a line only hands the line over.
        end = b"\x04" if self.data.endswith(b"\n") or not self.data else b"\x04\x04"
        self.feed(worker, self.ours, self.data + end)

    def close(self):
        super().close()
        os.close(self.ours)  # not before: a hang-up throws away what was typed


class Tcp(Source):
    """`receive` connects to us."""

    address = True
    stream = True

    def prepare(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.argument = "%s:%d" % self.listener.getsockname()
        self.witness = witness.any_socket
        self.options = ["--connect"]

    def begin(self):
        self.worker = Worker(self.write)

    def write(self, worker):
        if peer := accepted(worker, self.listener):
            with peer:
                self.feed(worker, peer.fileno(), self.data)

    def close(self):
        super().close()
        self.listener.close()


class Unix(Tcp):
    def prepare(self):
        path = os.path.join(self.folder, "source socket")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.argument = "unix:" + path
        self.witness = witness.any_socket
        self.options = ["--connect"]


class BlockDevice(Source):
    """One loop device for all cases: `set_up` and `tear_down` around them."""

    fixed = True
    device = None
    content = b""
    unavailable = "not set up"

    @classmethod
    def set_up(cls, folder, data):
        backing = os.path.join(folder, "backing file")
        with open(backing, "wb") as file:
            file.write(data)
        done = subprocess.run(["losetup", "--find", "--show", backing], capture_output=True,
                              text=True) if os.geteuid() == 0 else None
        if done is None or done.returncode != 0:
            cls.unavailable = "no loop device: " + (done.stderr.strip() if done else "not root")
            return
        cls.device, cls.content, cls.unavailable = done.stdout.strip(), data, None

    @classmethod
    def tear_down(cls):
        if cls.device:
            subprocess.run(["losetup", "--detach", cls.device], check=True)
            cls.device, cls.unavailable = None, "not set up"

    def prepare(self):
        self.argument, self.data = self.device, self.content
        self.witness = witness.path(self.device)


SOURCES = {
    "regular file": RegularFile,
    "standard input file": StandardInputFile,
    "/proc file": ProcFile,
    "/proc file of itself": ProcFileOfItself,
    "/sys file": SysFile,
    "/dev/zero": Zeros,
    "block device": BlockDevice,
    "FIFO": Fifo,
    "standard input pipe": StandardInputPipe,
    "standard input TCP": StandardInputTcp,
    "standard input unix": StandardInputUnix,
    "TCP": Tcp,
    "unix": Unix,
    "terminal": Terminal,
}
