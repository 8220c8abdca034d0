"""An HTTP/1.1 server that does what a test tells it, byte by byte, so that it can do what no good
server does: answer early, close in the middle, lie about a length.

    def script(peer):
        request = peer.request()
        peer.answer(201)

    with Server(script) as server:
        ... server.url("/f") ...

The script runs once for each connection, on a thread of its own. What it raises fails the test when
the server is closed, unless the client ended the connection.
"""

import contextlib
import socket
import threading

from tool import PATIENCE, reset

REASONS = {200: "OK", 201: "Created", 204: "No Content", 206: "Partial Content",
           301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
           307: "Temporary Redirect", 308: "Permanent Redirect", 404: "Not Found",
           413: "Content Too Large", 416: "Range Not Satisfiable", 417: "Expectation Failed",
           500: "Internal Server Error", 507: "Insufficient Storage"}


class Ended(Exception):
    """The client closed or reset the connection."""


class Request:
    def __init__(self, line, fields):
        self.line = line
        self.method, self.target, self.version = line.split(" ", 2)
        self.fields = fields  # [(name in lower case, value)]
        self.body = None

    def all(self, name):
        return [value for known, value in self.fields if known == name.lower()]

    def field(self, name):
        values = self.all(name)
        return values[0] if values else None

    @property
    def expects(self):
        return (self.field("expect") or "").lower() == "100-continue"

    @property
    def length(self):
        return int(self.field("content-length"))


class Peer:
    """One connection, from the server's side. `number` counts connections from 0."""

    def __init__(self, connection, number):
        self.socket = connection
        self.number = number
        self.buffer = bytearray()
        connection.settimeout(PATIENCE)

    # -- Reading --

    def _more(self):
        try:
            piece = self.socket.recv(1 << 16)
        except ConnectionError as error:
            raise Ended(str(error)) from None
        if not piece:
            raise Ended("closed")
        self.buffer += piece

    def take(self, size):
        while len(self.buffer) < size:
            self._more()
        taken = bytes(self.buffer[:size])
        del self.buffer[:size]
        return taken

    def line(self):
        while (end := self.buffer.find(b"\r\n")) < 0:
            self._more()
        return self.take(end + 2)[:-2].decode("latin-1")

    def head(self):
        """One request's head; its body is still to come."""
        line, fields = self.line(), []
        while text := self.line():
            name, _, value = text.partition(":")
            fields.append((name.lower(), value.strip()))
        return Request(line, fields)

    def body(self, request):
        """The body, by whatever framing it has; what the client expects first is sent."""
        if request.expects:
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        if "chunked" in (request.field("transfer-encoding") or ""):
            return self.chunks()
        return self.take(request.length) if request.field("content-length") else b""

    def chunks(self):
        pieces = []
        while size := int(self.line(), 16):
            pieces.append(self.take(size))
            assert self.line() == ""
        assert self.line() == ""
        return b"".join(pieces)

    def request(self):
        request = self.head()
        request.body = self.body(request)
        return request

    def rest(self):
        """What else comes until the client ends the connection, and how it does: the end, a reset."""
        try:
            while True:
                piece = self.socket.recv(1 << 20)
                if not piece:
                    return bytes(self.buffer), "closed"
                self.buffer += piece
        except ConnectionError:
            return bytes(self.buffer), "reset"

    # -- Writing --

    def send(self, data):
        try:
            self.socket.sendall(data)
        except ConnectionError as error:
            raise Ended(str(error)) from None

    def answer(self, status, body=b"", fields=(), close=False):
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, '')}"]
        lines += [f"{name}: {value}" for name, value in fields]
        named = {name.lower() for name, _ in fields}
        if status != 204 and not named & {"content-length", "transfer-encoding"}:
            lines.append(f"Content-Length: {len(body)}")
        if close:
            lines.append("Connection: close")
        self.send("\r\n".join([*lines, "", ""]).encode("latin-1") + body)

    def reset(self):
        reset(self.socket)

    def close(self):
        self.socket.close()


class Server:
    def __init__(self, script, receive_buffer=None):
        self.script = script
        self.connections = 0
        self.faults = []
        self._listener = socket.socket()
        if receive_buffer:
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(16)
        self.port = self._listener.getsockname()[1]
        self._threads = []
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()

    def url(self, path="/f"):
        return f"http://127.0.0.1:{self.port}{path}"

    def _accept(self):
        with contextlib.suppress(OSError):  # closed
            while True:
                connection, _ = self._listener.accept()
                peer = Peer(connection, self.connections)
                self.connections += 1
                thread = threading.Thread(target=self._serve, args=(peer,), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _serve(self, peer):
        try:
            self.script(peer)
        except Ended:
            pass
        except Exception as fault:  # noqa: BLE001: it is the test's to judge
            self.faults.append(fault)
        finally:
            peer.close()

    def close(self):
        """Ends when all scripts have; raises what one of them raised. A second time does nothing."""
        if self._listener.fileno() < 0:
            return
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._acceptor.join(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        if any(thread.is_alive() for thread in self._threads):
            self.faults.append(AssertionError("a script did not end"))
        if self.faults:
            raise self.faults[0]

    def __enter__(self):
        return self

    def __exit__(self, kind, fault, trace):
        if kind is None:
            self.close()
        else:  # what the test found says more
            with contextlib.suppress(Exception):
                self.close()
