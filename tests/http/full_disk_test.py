"""Uploads to a disk without room: 507, told before the body where the length is known, and nothing
of them stays."""

import contextlib
import os
import sys

import file_systems
import tool
from file_systems import MIB
from serving import Closed, ServeTest
from tool import content, until

ROOM = 2 * MIB
BODY = content(4 * MIB)
CHUNK = b"%x\r\n%s\r\n" % (MIB // 4, bytes(MIB // 4))


@contextlib.contextmanager
def full(kind):
    """A folder on a file system with a little room."""
    if kind == "btrfs qgroup":
        with file_systems.limited_btrfs(ROOM) as folder:
            yield folder
    else:
        size = {"tmpfs": ROOM, "ext4": 16 * MIB}.get(kind)
        with file_systems.mounted(kind, size) as folder:
            if kind != "tmpfs":
                file_systems.fill(folder, leave=ROOM)
            yield folder


class FullDisk(ServeTest):
    def each_kind(self):
        """Servers of a folder without room; what this machine lacks is said aloud."""
        tried = 0
        for kind in ("tmpfs", "ext4", "btrfs qgroup"):
            try:
                with full(kind) as disk:
                    root = os.path.join(disk, "d")
                    os.mkdir(root)
                    with open(os.path.join(root, "old"), "wb") as file:
                        file.write(b"old")
                    with self.subTest(kind):
                        self.server = self.serve("--upload", root=root)
                        yield kind
                        self.assertOnlyTheOld()
                    self.server.started.close()
                    tried += 1
            except file_systems.Unavailable as reason:
                print(f"not tried: {kind}: {reason}", file=sys.stderr)
        self.assertGreater(tried, 0)

    def assertOnlyTheOld(self):  # noqa: N802
        """The rest is gone, its space too, and the server goes on."""
        root = self.server.root
        self.assertEqual(os.listdir(root), ["old"])
        peer = self.talk_to(self.server)
        self.assertEqual(peer.get("/old").body, b"old")
        # Space comes back when the last holder of a nameless file is gone.
        small = until(lambda: self.talk_to(self.server).put("/small", bytes(MIB)).status == 201,
                      "there is room again")
        self.assertTrue(small)
        os.unlink(os.path.join(root, "small"))

    def head(self, name, *fields):
        return "\r\n".join((f"PUT /{name} HTTP/1.1", "Host: localhost", *fields)) + "\r\n\r\n"

    def test_a_length_that_has_no_room_is_refused_before_its_body(self):
        for kind in self.each_kind():
            for name in ("old", "new"):
                peer = self.talk_to(self.server)
                peer.send(self.head(name, f"Content-Length: {len(BODY)}", "Expect: 100-continue"))
                self.assertEqual(peer.head().status, 507, kind)

    def test_the_tool_says_so(self):
        source = self.make("source", BODY)
        for _ in self.each_kind():
            for name in ("old", "new"):
                self.assertStatus(self.run_tool("put", source, self.server.url + name), 5, "507")

    def test_chunks_are_refused_when_the_room_is_used_up(self):
        for kind in self.each_kind():
            peer = self.talk_to(self.server)
            peer.send(self.head("new", "Transfer-Encoding: chunked"))
            # What the server does not want any more it drains, up to a bound: not all is sent.
            for _ in range(len(BODY) // (MIB // 4)):
                peer.send(CHUNK)
            peer.send("0\r\n\r\n")
            self.assertEqual(peer.answer().status, 507, kind)

    def test_a_body_that_nobody_waits_with_is_answered_too(self):
        for kind in self.each_kind():
            peer = self.talk_to(self.server)
            with contextlib.suppress(ConnectionError):
                peer.send(self.head("new", f"Content-Length: {len(BODY)}"), BODY)
            try:
                self.assertEqual(peer.answer().status, 507, kind)
            except Closed as closed:
                self.fail(f"no answer: {closed}")


if __name__ == "__main__":
    tool.main()
