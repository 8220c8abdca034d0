"""`headrace serve` for a test, and a client that says exactly what the test wants it to say.

    class Uploads(serving.ServeTest):
        def test_it(self):
            server = self.serve("--upload")
            peer = self.talk_to(server)
            peer.send("PUT /f HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
            self.assertEqual(peer.answer().status, 201)
"""

import os
import re
import select
import socket

import tool


class Answer:
    """One answer, its body whole and without its framing."""

    def __init__(self, status, reason, version, fields):
        self.status, self.reason, self.version, self.fields = status, reason, version, fields
        self.body = b""

    def field(self, name):
        """The value of the only field of this name; None: there is none."""
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        if len(values) > 1:
            raise AssertionError(f"{name} comes {len(values)} times")
        return values[0] if values else None

    def __repr__(self):
        return f"{self.status} {self.reason} {self.fields} {self.body[:200]!r}"


class Closed(Exception):
    """The connection ended inside a message; `got` is what came of it."""

    def __init__(self, got):
        super().__init__(f"the connection ended after {bytes(got[:200])!r}")
        self.got = bytes(got)


class Peer:
    """A connection of a client's side. Keeps what was read beyond a message for the next one."""

    def __init__(self, connection):
        self.socket = connection
        self.ahead = bytearray()

    def send(self, *parts):
        for part in parts:
            self.socket.sendall(part.encode("latin-1") if isinstance(part, str) else part)

    def says_something(self, seconds):
        """Waits so long for an answer, or for the end."""
        return bool(select.select([self.socket], [], [], seconds)[0])

    def _more(self):
        piece = self.socket.recv(1 << 18)
        self.ahead += piece
        return bool(piece)

    def _until(self, mark):
        while mark not in self.ahead:
            if not self._more():
                raise Closed(self.ahead)
        end = self.ahead.index(mark) + len(mark)
        return self._take(end)

    def _take(self, size):
        while len(self.ahead) < size:
            if not self._more():
                raise Closed(self.ahead)
        taken = bytes(self.ahead[:size])
        del self.ahead[:size]
        return taken

    def head(self):
        """The next head, an interim one too."""
        lines = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")[:-2]
        found = re.fullmatch(r"HTTP/(1\.[01]) (\d{3}) ([^\r\n]*)", lines[0])
        if not found:
            raise AssertionError(f"not a status line: {lines[0]!r}")
        fields = []
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if not colon or not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
                raise AssertionError(f"not a field: {line!r}")
            fields.append((name, value.strip(" \t")))
        return Answer(int(found[2]), found[3], found[1], fields)

    def answer(self, to="GET"):
        """The next final answer with its body; `to`: the method that is answered."""
        answer = self.head()
        while answer.status < 200:
            answer = self.head()
        if to == "HEAD" or answer.status in (204, 304):
            return answer
        if (answer.field("Transfer-Encoding") or "").lower() == "chunked":
            answer.body = self._chunks()
        elif answer.field("Content-Length") is not None:
            answer.body = self._take(int(answer.field("Content-Length")))
        else:
            answer.body = self.rest()
        return answer

    def _chunks(self):
        body = b""
        while size := int(self._until(b"\r\n").split(b";")[0], 16):
            body += self._take(size)
            if self._take(2) != b"\r\n":
                raise AssertionError("a chunk that does not end")
        while self._until(b"\r\n") != b"\r\n":
            pass
        return body

    def rest(self):
        """Everything until the server ends the connection."""
        while self._more():
            pass
        return self._take(len(self.ahead))

    def ended(self):
        """The server has ended the connection, or does so now, and says no more before."""
        try:
            return self.rest() == b""
        except ConnectionResetError:
            return True

    def ask(self, method, target, *fields, body=b""):
        """Sends a request and gives its answer; Content-Length is added where there is a body."""
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *fields]
        if body or method == "PUT":
            lines.append(f"Content-Length: {len(body)}")
        self.send("\r\n".join(lines) + "\r\n\r\n", body)
        return self.answer(method)

    def get(self, target, *fields):
        return self.ask("GET", target, *fields)

    def put(self, target, body, *fields):
        return self.ask("PUT", target, *fields, body=body)

    def close(self):
        self.socket.close()


class Server:
    """A started `serve`."""

    def __init__(self, started, root):
        self.started, self.root, self.pid = started, root, started.pid
        where = started.line_with("listening on ").split("listening on ")[1].split(" ")[0]
        self.url = where
        found = re.fullmatch(r"http://(.*):(\d+)/", where)
        self.host, self.port = (found[1].strip("[]"), int(found[2])) if found else (None, None)

    def path(self, *names):
        return os.path.join(self.root, *names)

    def signal(self, number):
        self.started.signal(number)

    def finish(self):
        return self.started.finish()

    def ticks_in(self, seconds):
        """Processor ticks that it uses while it is given time to end in, and does not."""
        before = processor_ticks(self.pid)
        with tool.ended(self.started.process) as waiting:
            if waiting.poll(seconds * 1000):
                raise AssertionError("the server ended")
        return processor_ticks(self.pid) - before


def processor_ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


class ServeTest(tool.ToolTest):
    """Tests against servers of their own, each on a port that the kernel chose."""

    def serve(self, *options, root=None, wrap=(), **popen):
        """Serves `root`, or the folder "root" of the test, made where it is not there."""
        if root is None:
            root = self.path("root")
            os.makedirs(root, exist_ok=True)
        if "--listen" not in options:
            options = ("--listen", "127.0.0.1:0", *options)
        return Server(self.start("serve", root, *options, wrap=wrap, **popen), root)

    def talk_to(self, server):
        connection = socket.create_connection((server.host, server.port), tool.PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # what is said goes
        self.addCleanup(connection.close)
        connection.settimeout(tool.PATIENCE)
        return Peer(connection)

    def talk_to_path(self, path):
        connection = socket.socket(socket.AF_UNIX)
        self.addCleanup(connection.close)
        connection.settimeout(tool.PATIENCE)
        connection.connect(path)
        return Peer(connection)
