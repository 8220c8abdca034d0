"""Two machines in one: network namespaces of the test's own, joined by a veth pair.

    with network.Link(rate="80mbit") as link:
        receiver = self.start("receive", f"{link.right.address}:0", "b", wrap=link.right.inside)
        self.run_tool("send", "a", receiver.address(), wrap=link.left.inside)
        link.cut()

Nothing outside can be reached from there, and nobody outside sees it. A namespace lives as long as
its keeper, a cat that ends with the test.
"""

import contextlib
import os
import shutil
import subprocess

import tool

BURST = "32kb"  # what tbf lets through at once; below a packet's size it lets nothing through
_PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"


class Unavailable(Exception):
    """Namespaces, or what joins them, are not to be had here; says why."""


class Side:
    """One of the two machines."""

    def __init__(self, address, device):
        self.address, self.device = address, device
        self._keeper = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            self._keeper.stdin.write(b"\n")
            self._keeper.stdin.flush()
            there = self._keeper.stdout.read(1)  # cat runs: the namespace is there
        except BrokenPipeError:
            there = b""
        if not there:
            self.close()
            raise Unavailable("no network namespaces here")
        self.inside = ["nsenter", f"--net=/proc/{self._keeper.pid}/ns/net", "--"]

    @property
    def pid(self):
        return self._keeper.pid

    def run(self, *command):
        """Runs a command in there that has to work."""
        done = subprocess.run([*self.inside, *command], capture_output=True, timeout=tool.PATIENCE,
                              env=os.environ | {"PATH": _PATH})
        if done.returncode != 0:
            raise Unavailable(f"{' '.join(command)}: {done.stderr.decode().strip()}")
        return done.stdout.decode()

    def congestion_control(self):
        return self.run("cat", "/proc/sys/net/ipv4/tcp_congestion_control").strip()

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self._keeper.stdin.close()
        self._keeper.stdout.close()
        try:
            self._keeper.wait(tool.PATIENCE)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()


class Link:
    """`left` and `right`, joined; `rate`, as tc spells it, holds in both directions."""

    def __init__(self, rate=None):
        if reason := why_not():
            raise Unavailable(reason)
        self._stack = contextlib.ExitStack()
        with self._stack:
            self.left, self.right = self._side("10.77.0.1", "left"), self._side("10.77.0.2", "right")
            self._join()
            self._shaped = False
            if rate:
                self.set_rate(rate)
            self._stack = self._stack.pop_all()

    def _side(self, *arguments):
        side = Side(*arguments)
        self._stack.callback(side.close)
        return side

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._stack.close()

    def _join(self):
        self.left.run("ip", "link", "add", "left", "type", "veth", "peer", "name", "right", "netns",
                      str(self.right.pid))
        for side in (self.left, self.right):
            side.run("ip", "address", "add", side.address + "/24", "dev", side.device)
            side.run("ip", "link", "set", "lo", "up")
            side.run("ip", "link", "set", side.device, "up")

    def set_rate(self, rate):
        """From now on; e.g. "80mbit", or "1kbit", at which a packet takes longer than patience."""
        for side in (self.left, self.right):
            side.run("tc", "qdisc", "change" if self._shaped else "add", "dev", side.device, "root",
                     "tbf", "rate", rate, "burst", BURST, "latency", "100ms")
        self._shaped = True

    def cut(self, side=None):
        """Takes the cable out, at the right side unless told; who is at the other end is not told."""
        side = side or self.right
        side.run("ip", "link", "set", side.device, "down")

    def mend(self, side=None):
        side = side or self.right
        side.run("ip", "link", "set", side.device, "up")


def why_not():
    """The reason why there can be no such link here, or None."""
    if not tool.IS_ROOT:
        return "network namespaces need root"
    missing = [name for name in ("ip", "tc", "unshare", "nsenter")
               if shutil.which(name, path=_PATH) is None]
    return f"not installed: {', '.join(missing)}" if missing else None
