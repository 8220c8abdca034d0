"""A driver that changes a source while it is being moved, and remembers what it did.

    mutation = Mutation("overwrite", "fresh-mapping", during(after=100_000), seed=7)
    with Mutator(mutation, path) as mutator:  # opens and maps what has to be there beforehand
        mutator.begin()                       # the moment "before"
        ... while reading:  mutator.arrived(total)
        ... at the end:     mutator.end()     # the moment "after"
        mutator.record.verdict(what_came)     # "old", "new", "mixed", "cut" or "foreign"

The change is made on a thread of its own: a lease on the file may hold a writer up, and who reads
must be able to go on then. Everything random comes from the seed.
"""

import ctypes
import dataclasses
import itertools
import mmap
import os
import random
import threading

import tool
from mutation_record import Record

# What can happen to a file, and in which ways.
WAYS = {
    "overwrite": ("write",  # opened at that moment
                  "held-write",  # by a descriptor that was open before
                  "dirty-mapping",  # pages that were written to before: no fault, no new times
                  "fresh-mapping"),  # mapped at that moment
    "shrink": ("truncate", "held-truncate"),
    "grow": ("write", "truncate"),  # truncate: by a hole
    "replace": ("rename",),
    "punch": ("fallocate",),
    "touch": ("utimens",),
    "chmod": ("chmod",),
}
KEEPS_CONTENT = ("touch", "chmod")
MOST_CHANGED = 64 << 10  # bytes that one overwrite changes at most


@dataclasses.dataclass(frozen=True)
class Moment:
    when: str  # "before", "during" or "after"
    after: int | None = None  # during: once so many bytes have arrived
    fraction: float | None = None  # during: once this part of the file has arrived

    def threshold(self, size):
        return self.after if self.fraction is None else int(size * self.fraction)

    def __str__(self):
        if self.when != "during":
            return self.when
        return f"after {self.after} bytes" if self.fraction is None else f"at {self.fraction:.2f}"


BEFORE, AFTER = Moment("before"), Moment("after")


def during(after=None, fraction=None):
    if (after is None) == (fraction is None):
        raise ValueError("either a number of bytes or a fraction")
    return Moment("during", after, fraction)


@dataclasses.dataclass(frozen=True)
class Mutation:
    kind: str  # of WAYS
    by: str
    moment: Moment
    seed: int

    def __post_init__(self):
        if self.by not in WAYS[self.kind]:
            raise ValueError(f"no {self.kind} by {self.by}")

    def __str__(self):
        return f"{self.kind} by {self.by}, {self.moment}, seed {self.seed}"

    def apply(self, path):
        """Makes the change now, whatever the moment; gives the record."""
        with Mutator(self, path) as mutator:
            return mutator.apply()


def trials(count, seed):
    """So many mutations, every kind and way in turn; during the transfer three times out of five,
    early enough to matter or late."""
    drawn = random.Random(seed)
    ways = [(kind, by) for kind in WAYS for by in WAYS[kind]]
    for kind, by in itertools.islice(itertools.cycle(ways), count):
        amid = during(fraction=drawn.random())
        moment = drawn.choice((BEFORE, AFTER, amid, amid, amid))
        yield Mutation(kind, by, moment, drawn.getrandbits(32))


# --- Making it happen -----------------------------------------------------------------------------


class Mutator:
    """Carries one mutation out at its moment."""

    def __init__(self, mutation, path, patience=tool.PATIENCE):
        self.mutation = mutation
        self._path = path
        self._patience = patience
        with open(path, "rb") as file:
            self._old = file.read()
        self.record = Record(mutation, self._old, self._old)
        self._span = self._choose_span(random.Random(mutation.seed))
        self._held = self._mapped = None
        self._thread = self._failure = None
        self._prepare()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._thread:
            self._thread.join(self._patience)
        if self._mapped is not None:
            self._mapped.close()
        if self._held is not None:
            os.close(self._held)

    # -- The moments --

    def begin(self):
        if self.mutation.moment.when == "before":
            self.apply()

    def arrived(self, total):
        """Tells how much has arrived. At the moment of the mutation it returns once that is made,
        so that the reader has taken exactly this much; nothing happens before and after."""
        moment = self.mutation.moment
        if moment.when != "during" or self._thread or total < moment.threshold(len(self._old)):
            return
        self.apply(total)

    def end(self):
        """The transfer is over. A moment "during" that never came stays undone."""
        if self.mutation.moment.when == "after":
            self.apply()

    def apply(self, arrived=None):
        """Makes the change, once; fails where it takes longer than the patience."""
        self.record.arrived = arrived
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._thread.join(self._patience)
        if self._thread.is_alive():
            raise AssertionError(f"{self.mutation}: not made within {self._patience} s")
        if self._failure:
            raise self._failure
        return self.record

    def _run(self):
        try:
            new = getattr(self, "_" + self.mutation.kind)()
        except OSError as error:
            self._failure = AssertionError(f"{self.mutation}: {error}")
            return
        record = self.record
        record.new, record.spans, record.done = new, _differences(self._old, new, self._span), True

    # -- Beforehand --

    def _choose_span(self, drawn):
        """Where it happens, of a file that is not empty."""
        size = len(self._old)
        start = drawn.randrange(size) if size else 0
        return start, min(size, start + drawn.randint(1, MOST_CHANGED))

    def _prepare(self):
        if self.record.held_open:
            self._held = os.open(self._path, os.O_RDWR)
        if self.mutation.by == "dirty-mapping" and self._old:
            self._mapped = mmap.mmap(self._held, 0)
            start, end = self._span
            self._mapped[start:end] = self._old[start:end]  # dirty, and the same as before

    # -- The kinds; each gives the new content --

    def _changed(self):
        """The old content with other bytes in the span: not one of them is the same."""
        start, end = self._span
        other = random.Random(self.mutation.seed + 1).randint(1, 255)
        flipped = bytes(byte ^ other for byte in self._old[start:end])
        return self._old[:start] + flipped + self._old[end:]

    def _overwrite(self):
        new, (start, end) = self._changed(), self._span
        if start == end:
            return new
        if self.mutation.by == "dirty-mapping":
            self._mapped[start:end] = new[start:end]
        elif self.mutation.by == "fresh-mapping":
            with open(self._path, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
                mapped[start:end] = new[start:end]
        elif self.mutation.by == "held-write":
            _write_all(self._held, new[start:end], start)
        else:
            with open(self._path, "r+b") as file:
                _write_all(file.fileno(), new[start:end], start)
        return new

    def _shrink(self):
        size = self._span[0]
        if self.mutation.by == "held-truncate":
            os.ftruncate(self._held, size)
        else:
            os.truncate(self._path, size)
        return self._old[:size]

    def _grow(self):
        drawn = random.Random(self.mutation.seed + 2)
        more = drawn.randbytes(drawn.randint(1, MOST_CHANGED))
        if self.mutation.by == "truncate":
            os.truncate(self._path, len(self._old) + len(more))
            return self._old + bytes(len(more))
        with open(self._path, "r+b") as file:
            _write_all(file.fileno(), more, len(self._old))
        return self._old + more

    def _replace(self):
        new = bytes(byte ^ 0x5a for byte in self._old) or b"new"
        beside = self._path + ".new"
        with open(beside, "wb") as file:
            file.write(new)
        os.rename(beside, self._path)
        return new

    def _punch(self):
        start, end = self._span
        if start < end:
            with open(self._path, "r+b") as file:
                _punch(file.fileno(), start, end - start)
        return self._old[:start] + bytes(end - start) + self._old[end:]

    def _touch(self):
        earlier = os.stat(self._path).st_mtime_ns - 1_000_000_007
        os.utime(self._path, ns=(earlier, earlier))
        return self._old

    def _chmod(self):
        os.chmod(self._path, os.stat(self._path).st_mode & 0o7777 ^ 0o040)
        return self._old


def _differences(old, new, span):
    """Where the two may differ: as one span, or the whole where the file is another one."""
    if old == new:
        return ()
    if len(old) != len(new):
        return ((min(len(old), len(new)), max(len(old), len(new))),)
    start, end = span
    inside = old[:start] == new[:start] and old[end:] == new[end:]
    return (span,) if inside else ((0, len(old)),)


def _write_all(descriptor, data, offset):
    while data:
        written = os.pwrite(descriptor, data, offset)
        data, offset = data[written:], offset + written


_KEEP_SIZE, _PUNCH_HOLE = 1, 2


def _punch(descriptor, offset, length):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
    if libc.fallocate(descriptor, _PUNCH_HOLE | _KEEP_SIZE, offset, length) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
