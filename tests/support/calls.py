"""The lines of `strace -f -y -s 0 -o FILE` as values."""

import dataclasses
import re

READS = ["read", "pread64", "readv", "preadv", "preadv2", "recvfrom", "recvmsg"]
WRITES = ["write", "pwrite64", "writev", "pwritev", "pwritev2", "sendto", "sendmsg"]
CLONES = ["FICLONE", "FICLONERANGE"]  # requests of ioctl, which are told apart here
MOVERS = READS + WRITES + ["sendfile", "splice", "copy_file_range", "ioctl", "vmsplice", "tee"]

# Where the descriptors stand among the arguments: (source, destination).
_ENDS = ({name: (0, None) for name in READS} | {name: (None, 0) for name in WRITES}
         | {"sendfile": (1, 0), "splice": (0, 2), "copy_file_range": (0, 2), "vmsplice": (None, 0),
            "tee": (0, 1)})


@dataclasses.dataclass(frozen=True)
class Descriptor:
    number: int
    name: str  # "/a/path", "pipe:[17]", "socket:[18]"


@dataclasses.dataclass(frozen=True)
class Call:
    pid: int
    name: str
    source: Descriptor | None
    destination: Descriptor | None
    result: int | None  # None when the process died in it or the kernel starts it again
    error: str | None  # "EAGAIN"...
    text: str

    @property
    def restarted(self):
        """The kernel may have started it again without telling the program."""
        return self.error is not None and self.error.startswith("ERESTART")

    @property
    def moved(self):
        """Bytes; a clone counts none, since the kernel does not tell."""
        return self.result if self.result and self.result > 0 and self.name not in CLONES else 0


_LINE = re.compile(r"(?:\[pid\s+)?(\d+)\]?\s+(.*)", re.DOTALL)
_UNFINISHED = re.compile(r"(.*?)\s*<unfinished \.\.\.>$", re.DOTALL)
_RESUMED = re.compile(r"<\.\.\. (\w+) resumed>\s?(.*)", re.DOTALL)
_RESULT = re.compile(r"(\w+)\((.*)\)\s+=\s+(-?\d+|0x[0-9a-f]+|\?)"
                     r"(?:<[^>]*>)?(?:\s+([A-Z][A-Z0-9_]*)\b.*)?(?:\s+\(.*\))?$", re.DOTALL)
_DESCRIPTOR = re.compile(r"(?:src_fd=)?(-?\d+)<(.*)>(?:\(deleted\))?$", re.DOTALL)
_DECORATION = re.compile(r"\b(\d+)<([^>]*)>")
_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|[0-7]{1,3}|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f"}


# Traced besides, since their lines say what a number means: strace 6.1 shows a bare number as
# FICLONE's source.
NAMING = ["openat", "fcntl"]


def parse(lines):
    """All calls that move bytes, in the order in which they ended."""
    names = {}  # by number: the decoration seen last
    begun = {}  # by process: the first half of a call that another process's line interrupted
    calls = []
    for line in lines:
        found = _LINE.match(line.rstrip("\n"))
        if not found:
            continue
        pid, text = int(found[1]), found[2]
        if resumed := _RESUMED.match(text):
            text = begun.pop(pid, resumed[1] + "(") + resumed[2]
        if half := _UNFINISHED.match(text):
            begun[pid] = half[1]
            continue
        if call := _call(pid, text, names):
            calls.append(call)
        names |= {int(number): name for number, name in _DECORATION.findall(text)}
    for pid, text in begun.items():
        if call := _call(pid, text + ") = ?", names):
            calls.append(call)
    return calls


def count(lines, names):
    """How many calls of these names were begun."""
    begun = re.compile(r"\d+\s+(" + "|".join(names) + r")\(")
    return sum(1 for line in lines if begun.match(line))


def _call(pid, text, names):
    found = _RESULT.match(text)
    if not found:
        return None  # "+++ exited with 0 +++" and the like
    name, arguments, result, error = found[1], split(found[2]), found[3], found[4]
    if name == "ioctl":
        return _clone(pid, arguments, result, error, text, names)
    if name not in _ENDS:
        return None
    if name == "recvmsg" and "MSG_ERRQUEUE" in arguments[-1]:
        return None  # news about sends, no byte of the stream
    source, destination = (None if at is None or at >= len(arguments)
                           else _descriptor(arguments[at]) for at in _ENDS[name])
    return Call(pid, name, source, destination, _number(result), error, text)


def _clone(pid, arguments, result, error, text, names):
    # Older strace calls FICLONE by its first name.
    request = arguments[1].replace("BTRFS_IOC_CLONE_RANGE", "FICLONERANGE") if arguments[1:] else ""
    request = request.replace("BTRFS_IOC_CLONE", "FICLONE").split(" or ")[-1]
    if request not in CLONES:
        return None
    given = arguments[2].lstrip("{") if arguments[2:] else ""
    source = _descriptor(split(given)[0]) if given else None
    if given.isdigit() and int(given) in names:
        source = Descriptor(int(given), _unescaped(names[int(given)]))
    return Call(pid, request, source, _descriptor(arguments[0]), _number(result), error, text)


def _number(text):
    return None if text == "?" else int(text, 0)


def _descriptor(text):
    found = _DESCRIPTOR.match(text)
    return Descriptor(int(found[1]), _unescaped(found[2])) if found else None


def _unescaped(text):
    def one(found):
        code = found[1]
        if code[0] == "x" and len(code) == 3:
            return chr(int(code[1:], 16))
        return chr(int(code, 8)) if code[0].isdigit() else _NAMED.get(code, code)

    if "\\" not in text:
        return text
    raw = _ESCAPE.sub(one, text).encode("latin-1", "surrogateescape")
    return raw.decode("utf-8", "surrogateescape")


def split(text):
    """Arguments, split at the commas that are in no string, bracket or decoration."""
    parts, start, depth, quoted, decorated, at = [], 0, 0, False, False, 0
    while at < len(text):
        char = text[at]
        if char == "\\" and (quoted or decorated):
            at += 1
        elif quoted:
            quoted = char != '"'
        elif decorated:
            decorated = char != ">"
        elif char == '"':
            quoted = True
        elif char == "<" and at > 0 and text[at - 1].isalnum():
            decorated = True  # 3</a/path>, AT_FDCWD</a/path>
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    last = text[start:].strip()
    return parts + [last] if last or parts else []
