"""What tests of `get` share: scripted servers, a folder to fetch into, parts of earlier runs."""

import json
import os

import tool
from http_server import Server

TAG = '"v1"'


class GetTest(tool.ToolTest):
    """Fetches into "f" of a folder of its own."""

    def setUp(self):
        super().setUp()
        self.there = self.path("f")
        self.part = self.there + ".part"
        self.record = self.part + ".json"
        self.requests = []

    def serve(self, *answers, path="/f"):
        """A server that answers the requests in order: with what `Peer.answer` takes, as a tuple, or
        by a function that is given the peer, whose connection is closed then."""
        waiting = list(answers)

        def script(peer):
            while True:  # until the client ends the connection
                self.requests.append(peer.request())
                answer = waiting.pop(0)
                if callable(answer):
                    answer(peer)
                    return
                peer.answer(*answer)

        server = Server(script)
        self.addCleanup(server.close)
        self.url = server.url(path)
        return server

    def get(self, *options, file=None, **popen):
        return self.run_tool("get", *options, self.url, file or self.there, json_report=True,
                             **popen)

    def get_as(self, status, *options, words=(), **popen):
        done = self.get(*options, **popen)
        self.assertStatus(done, status, *words)
        return done

    def leave_part(self, data, total, validator=TAG, url=None):
        """A part as an interrupted run leaves it."""
        self.make("f.part", data)
        with open(self.record, "w", encoding="utf-8") as file:
            record = {"url": url or self.url, "validator": validator}
            json.dump(record | ({} if total is None else {"total": total}), file)

    def read_record(self):
        with open(self.record, encoding="utf-8") as file:
            return json.load(file)

    def assertPart(self, data):  # noqa: N802
        """So much came, and it can be gone on with."""
        self.assertContent(self.part, data)
        self.assertTrue(os.path.exists(self.record))

    def assertNotes(self, done, words):  # noqa: N802
        self.assertTrue(any(words in note for note in done.report["notes"]), done.report["notes"])


def cut(head, data):
    """An answer that ends before its time: the connection is closed behind `data`."""
    def answer(peer):
        peer.send(head + data)
    return answer


def head(length):
    """Of an answer with so many bytes."""
    return f"HTTP/1.1 200 OK\r\nETag: {TAG}\r\nContent-Length: {length}\r\n\r\n".encode()


def head_of_rest(start, total):
    """Of one that brings everything from `start` on."""
    return (f"HTTP/1.1 206 Partial Content\r\nETag: {TAG}\r\nContent-Length: {total - start}\r\n"
            f"Content-Range: bytes {start}-{total - 1}/{total}\r\n\r\n").encode()


def whole(data, *fields):
    return (200, data, [("ETag", TAG), *fields])


def rest(data, start, total=None, *fields):
    """A 206 that brings everything from `start` on."""
    total = len(data) if total is None else total
    return (206, data[start:], [("Content-Range", f"bytes {start}-{len(data) - 1}/{total}"),
                                ("ETag", TAG), *fields])
