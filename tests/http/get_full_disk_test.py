"""Downloads to a disk without room: what is wrong is named, and what came can be gone on with."""

import os
import sys

import file_systems
import tool
from file_systems import MIB
from getting import GetTest, rest, whole
from tool import content

ROOM = 4 * MIB
DATA = content(8 * MIB)


class FullDisk(GetTest):
    def each_kind(self):
        """Folders without room; what this machine lacks is said aloud."""
        tried = 0
        for kind in ("tmpfs", "ext4"):
            try:
                with file_systems.mounted(kind, {"tmpfs": ROOM, "ext4": 16 * MIB}[kind]) as disk:
                    if kind != "tmpfs":
                        file_systems.fill(disk, leave=ROOM)
                    self.there = os.path.join(disk, "f")
                    self.part = self.there + ".part"
                    self.record = self.part + ".json"
                    with self.subTest(kind):
                        yield kind
                    tried += 1
            except file_systems.Unavailable as reason:
                print(f"not tried: {kind}: {reason}", file=sys.stderr)
        self.assertGreater(tried, 0)

    def test_keeps_what_came_and_the_old_file(self):
        for _ in self.each_kind():
            with open(self.there, "wb") as file:
                file.write(b"old")
            self.serve(whole(DATA))
            done = self.get_as(1, words=("No space left on device", "f.part", "--resume"))
            came = done.report["bytes"]
            self.assertGreater(came, MIB)
            self.assertContent(self.there, b"old")
            self.assertPart(DATA[:came])

    def test_that_gets_room_again_can_be_gone_on_with(self):
        for _ in self.each_kind():
            hindrance = os.path.join(os.path.dirname(self.there), "large")
            with open(hindrance, "wb") as file:
                file.write(bytes(2 * MIB))
            small = DATA[:3 * MIB]
            self.serve(whole(small), lambda peer: peer.answer(
                *rest(small, int(self.requests[-1].field("range")[len("bytes="):-1]))))
            self.get_as(1)
            os.unlink(hindrance)
            self.get_as(0, "--resume")
            self.assertContent(self.there, small)
            self.assertFalse(os.path.exists(self.part))
            self.assertFalse(os.path.exists(self.record))


if __name__ == "__main__":
    tool.main()
