"""The clients of the soak: each does one thing after the other, by a random source of its own, and
checks every byte of it. What a client finds wrong it raises; what it did, it counts."""

import asyncio
import collections
import contextlib
import os
import random
import re
import socket
import struct

from tool import content

STALLED = 120  # seconds without a byte: the server has forgotten somebody

SIZES = {"empty": 0, "one": 1, "small": 1000, "page": 65536, "above": 65537, "mib": 1 << 20,
         "large": (4 << 20) + 123}
SERVED = {name: content(size, number) for number, (name, size) in enumerate(SIZES.items())}
# A file that is replaced all the time: one of them, whole, is what everybody gets.
VERSIONS = [content(300_000 + 1000 * number, 100 + number) for number in range(4)]
CUT = 2 << 20  # of the file that is cut short and grown again in place, at most


class Wrong(Exception):
    pass


class Gone(Exception):
    """The server has ended the connection where it may."""


class Client:
    def __init__(self, port, root, seed, counts):
        self.port, self.root, self.random = port, root, random.Random(seed)
        self.counts = counts
        self.mine = f"up-{seed % 200}-{seed}"  # nobody else writes it
        self.stored = None
        self.reader = self.writer = None

    # -- Connection --

    async def connect(self, receive_buffer=None):
        connection = socket.socket()
        connection.setblocking(False)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", self.port))
        self.reader, self.writer = await asyncio.open_connection(sock=connection, limit=1 << 16)

    async def close(self, reset=False):
        if self.writer is None:
            return
        if reset:
            self.writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.writer.transport.abort()
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()
        self.reader = self.writer = None

    async def send(self, *parts):
        for part in parts:
            self.writer.write(part if isinstance(part, bytes) else part.encode())
        await self.soon(self.writer.drain, "what was sent is not taken")

    async def soon(self, wait, what):
        """Slow is as it may be: a thousand of us share a processor. Silence is not."""
        try:
            async with asyncio.timeout(STALLED):
                return await wait()
        except TimeoutError:
            raise Wrong(f"{what}: stalled, from {self.writer.get_extra_info('sockname')}") from None

    # -- Messages --

    @staticmethod
    def request(method, path, *fields):
        return "\r\n".join([f"{method} /{path} HTTP/1.1", "Host: localhost", *fields, "", ""])

    async def head(self):
        try:
            got = await self.soon(lambda: self.reader.readuntil(b"\r\n\r\n"), "no head comes")
        except asyncio.IncompleteReadError as end:
            if end.partial:
                raise Wrong(f"half of a head: {end.partial!r}") from None
            raise Gone from None
        lines = got.decode("latin-1").split("\r\n")[:-2]
        fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            fields[name.lower()] = value
        return int(lines[0].split(" ")[1]), fields

    async def body(self, fields, slow=False):
        """All of it; Gone where it ends early, with what came."""
        left, pieces = int(fields["content-length"]), []
        while left:
            most = min(left, 2048 if slow else 1 << 16)
            piece = await self.soon(lambda most=most: self.reader.read(most), f"{left} bytes to come")
            if not piece:
                raise Gone(sum(map(len, pieces)))
            pieces.append(piece)
            left -= len(piece)
            if slow and self.random.random() < 0.2:
                await asyncio.sleep(self.random.random() / 20)
        return b"".join(pieces)

    async def get(self, name, *fields, slow=False):
        await self.send(self.request("GET", name, *fields))
        status, answered = await self.head()
        return status, answered, await self.body(answered, slow)

    def is_right(self, what, got, wanted):
        if got != wanted:
            at = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), -1)
            raise Wrong(f"{what}: {len(got)} bytes instead of {len(wanted)}, different at {at}")

    # -- What it does --

    async def whole(self, names=tuple(SERVED), slow=False):
        name = self.random.choice(names)
        status, _, got = await self.get(name, slow=slow)
        if status != 200:
            raise Wrong(f"{name}: {status}")
        self.is_right(name, got, SERVED[name])

    async def slowly(self):
        await self.close()
        await self.connect(receive_buffer=4096)
        await self.whole(("page", "above", "mib"), slow=True)

    async def range(self):
        name = self.random.choice(["small", "page", "mib", "large"])
        data = SERVED[name]
        first = self.random.randrange(len(data))
        last = self.random.randrange(first, len(data))
        status, fields, got = await self.get(name, f"Range: bytes={first}-{last}")
        if status != 206 or fields["content-range"] != f"bytes {first}-{last}/{len(data)}":
            raise Wrong(f"range: {status} {fields}")
        self.is_right(f"{name} {first}-{last}", got, data[first:last + 1])

    async def ranges(self):
        data = SERVED["mib"]
        spans = [(at, at + self.random.randrange(1, 50_000)) for at in (1000, 200_000, 700_000)]
        asked = ",".join(f"{first}-{last}" for first, last in spans)
        status, fields, got = await self.get("mib", f"Range: bytes={asked}")
        boundary = re.fullmatch(r"multipart/byteranges; *boundary=\"?([^\"]+)\"?",
                                fields.get("content-type", ""))
        if status != 206 or not boundary:
            raise Wrong(f"ranges: {status} {fields}")
        for first, last in spans:
            part = (f"Content-Range: bytes {first}-{last}/{len(data)}\r\n\r\n".encode()
                    + data[first:last + 1] + f"\r\n--{boundary[1]}".encode())
            if part not in got:
                raise Wrong(f"ranges: {first}-{last} is not there")

    async def pipeline(self):
        names = self.random.choices(["empty", "one", "small", "page", "above"], k=8)
        await self.send(*(self.request("GET", name) for name in names))
        for name in names:
            status, fields = await self.head()
            self.is_right(f"{name} in a row", await self.body(fields), SERVED[name])

    async def leave(self):
        """Resets in the middle of an answer."""
        await self.send(self.request("GET", "large"))
        await self.head()
        for _ in range(self.random.randrange(20)):
            await self.reader.read(1 << 14)
        await self.close(reset=True)

    async def hang_up(self):
        """Ends in the middle of a head, a body, or a row of requests."""
        half = self.random.choice([
            "GET /sma", self.request("GET", "large") + self.request("GET", "mib") + "GET ",
            self.request("PUT", "cut-" + self.mine, "Content-Length: 100000") + "some",
            self.request("PUT", "cut-" + self.mine, "Transfer-Encoding: chunked") + "1000\r\nsome"])
        await self.send(half)
        await self.close(reset=self.random.random() < 0.5)

    async def upload(self):
        data = self.random.randbytes(self.random.choice([0, 10, 5000, 100_000, 1_000_000]))
        chunked = self.random.random() < 0.4
        framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(data)}"
        await self.send(self.request("PUT", self.mine, framing))
        if chunked:
            size = self.random.randrange(1, 40_000)
            for at in range(0, len(data), size):
                piece = data[at:at + size]
                await self.send(f"{len(piece):x}\r\n", piece, "\r\n")
            await self.send("0\r\n\r\n")
        else:
            await self.send(data)
        status, fields = await self.head()
        if status != (204 if self.stored is not None else 201):
            raise Wrong(f"upload: {status}")
        if status == 201:
            await self.body(fields)
        self.stored = data
        status, _, got = await self.get(self.mine)
        self.is_right("what was uploaded", got, data)

    async def whole_or_broken(self, name):
        """A file that changes meanwhile: all that was announced, or visibly less."""
        try:
            status, _, got = await self.get(name)
        except (Gone, ConnectionError):
            await self.close()
            return None
        if status != 200:
            raise Wrong(f"{name}: {status}")
        return got

    async def replaced(self):
        got = await self.whole_or_broken("replaced")
        if got is not None and got not in VERSIONS:
            raise Wrong(f"replaced: {len(got)} bytes of no version")

    async def cut(self):
        got = await self.whole_or_broken("cut")
        if got is not None and len(got) > CUT:
            raise Wrong(f"cut: {len(got)} bytes")

    async def absent(self):
        status, _, _ = await self.get(f"none-{self.random.randrange(10)}")
        if status != 404:
            raise Wrong(f"absent: {status}")

    async def bad(self):
        await self.send("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n")
        status, fields = await self.head()
        if status != 400 or fields.get("connection") != "close":
            raise Wrong(f"bad: {status}")
        await self.close()

    async def idle(self):
        await asyncio.sleep(self.random.random())

    DOES = {whole: 20, slowly: 8, range: 12, ranges: 6, pipeline: 8, leave: 6, hang_up: 8, upload: 12,
            replaced: 8, cut: 6, absent: 4, bad: 3, idle: 10}

    async def live(self, ends):
        """Until the loop's clock says so."""
        while asyncio.get_running_loop().time() < ends:
            act = self.random.choices(list(self.DOES), self.DOES.values())[0]
            try:
                if self.writer is None:
                    await self.connect()
                await act(self)
            except (Gone, OSError) as fault:
                raise Wrong(f"{act.__name__}: {fault!r}") from fault
            self.counts[act.__name__] += 1
            if self.random.random() < 0.05:
                await self.close()
        await self.close()


def replace(root, number):
    path = os.path.join(root, "replaced")
    with open(path + ".new", "wb") as file:
        file.write(VERSIONS[number % len(VERSIONS)])
    os.rename(path + ".new", path)


async def disturb(root, ends):
    """Replaces one file, cuts another."""
    number = 0
    while asyncio.get_running_loop().time() < ends:
        replace(root, number)
        os.truncate(os.path.join(root, "cut"), [CUT, 1000, CUT // 2, 0][number % 4])
        number += 1
        await asyncio.sleep(0.05)


async def soak(port, root, clients, seconds, seed, every_second):
    """Lets them live for so long; gives what they did."""
    counts = collections.Counter()
    ends = asyncio.get_running_loop().time() + seconds

    async def watch():
        while asyncio.get_running_loop().time() < ends:
            every_second()
            await asyncio.sleep(1)

    # The first one that finds something wrong ends all.
    tasks = [asyncio.ensure_future(task) for task in (
        watch(), disturb(root, ends),
        *(Client(port, root, seed * 10_000 + number, counts).live(ends) for number in range(clients)))]
    done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    for task in done:
        task.result()
    return counts
