"""What the tests share that speak to a server byte by byte, and read its log."""

import json
import os
import signal

from serving import Closed, ServeTest


def head(line, *fields, host="localhost"):
    """A request's head; a `line` of two words is one of HTTP/1.1."""
    line = line if line.count(" ") > 1 else f"{line} HTTP/1.1"
    named = [f"Host: {host}"] if host is not None else []
    return "\r\n".join((line, *named, *fields)) + "\r\n\r\n"


class RawTest(ServeTest):
    """One server with a log, in front of the folder "root" with a file "f" in it."""

    OPTIONS = ()
    CONTENT = b"0123456789"

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("root"))
        self.make("root/f", self.CONTENT)
        self.log = self.path("log")
        self.server = self.serve("--threads", "1", "--log", self.log, "--log-format", "json",
                                 *self.OPTIONS)

    def say(self, *parts):
        """A new connection on which this was said."""
        peer = self.talk_to(self.server)
        peer.send(*parts)
        return peer

    def ask(self, line, *fields, body=b"", **more):
        """The answer to one request on a connection of its own."""
        peer = self.say(head(line, *fields, **more), body)
        answer = peer.answer(line.split(" ")[0])
        peer.close()
        return answer

    def answers(self, peer):
        """All answers until the server ends the connection, which it does at the end of one; then
        the client ends it, too."""
        found = []
        try:
            while True:
                found.append(peer.answer())
        except Closed as closed:
            self.assertEqual(closed.got, b"")
        except ConnectionResetError:
            pass
        peer.close()
        return found

    def logged(self):
        """What the log says, when the server has ended: its lines, each a JSON object."""
        self.server.signal(signal.SIGTERM)
        self.assertEqual(self.server.finish().status, 0)
        with open(self.log, encoding="ascii") as file:
            return [json.loads(line) for line in file.read().split("\n")[:-1]]

    def assertRefused(self, said, *statuses):  # noqa: N802
        """One answer of such a status, and the connection is closed; nothing behind it is heard."""
        found = self.answers(self.say(said))
        self.assertEqual(len(found), 1, said[:200])
        self.assertIn(found[0].status, statuses, said[:200])
        self.assertEqual(found[0].field("Connection"), "close", said[:200])
        return found[0]
