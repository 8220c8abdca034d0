"""What a mutation of a source did, and what may have come of it; see mutation.py."""

import dataclasses


@dataclasses.dataclass
class Record:
    """What a mutation did; where it has not happened, `new` is `old` and `done` is False."""

    mutation: object  # a Mutation
    old: bytes
    new: bytes
    done: bool = False
    arrived: int | None = None  # bytes that had arrived, where the driver was told
    spans: tuple[tuple[int, int], ...] = ()  # (from, to) of what differs

    @property
    def changes_content(self):
        return self.old != self.new

    @property
    def held_open(self):
        """A writer or a shared mapping was there before: no read lease could be had."""
        return self.mutation.by in ("held-write", "held-truncate", "dirty-mapping")

    def verdict(self, got):
        """What has come: "old" or "new", whole; "mixed" of both, byte by byte, at the full length of
        either; "cut": shorter than both, right as far as it goes; else "foreign".

        Pages that were cut off while they were on their way are zeros: that counts as mixed.
        """
        if got == self.old:
            return "old"
        if got == self.new:
            return "new"
        if not self._of_both(got):
            return "foreign"
        return "mixed" if len(got) in (len(self.old), len(self.new)) else "cut"

    def _of_both(self, got):
        longest = max(len(self.old), len(self.new))
        if len(got) > longest:
            return False
        old, new = self.old.ljust(longest, b"\0"), self.new.ljust(longest, b"\0")
        at = 0
        for start, end in (*self.spans, (longest, longest)):
            if got[at:start] != old[at:start][:len(got[at:start])]:
                return False
            part = got[start:end]
            if any(byte not in pair for byte, *pair in zip(part, old[start:end], new[start:end])):
                return False
            at = end
        return True
