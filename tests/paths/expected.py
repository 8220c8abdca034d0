"""Which paths the kernel offers between two kinds of ends: what a method has to serve.

Only what must be served stands here; a method that serves more is judged by its bytes.
"""

FILES = {"regular file", "standard input file"}
PAGES = FILES | {"block device"}  # what is read by way of the page cache
PIPES = {"FIFO", "standard input pipe"}
SOCKETS = {"standard input TCP", "standard input unix", "TCP", "unix"}

TO_FILES = {"new file", "existing file", "file in place", "standard output file"}
# A lent blocking socket would hold the command fast in sendfile(2) and splice(2): nothing but a
# send with MSG_DONTWAIT leaves its flags alone and waits in poll(2).
TO_SOCKETS = {"TCP", "unix", "standard output TCP, non-blocking"}
TO_TCP = {"TCP", "standard output TCP", "standard output TCP, non-blocking"}
TO_PIPES = {"FIFO", "standard output pipe", "standard output pipe, non-blocking"}
TO_NONBLOCKING_PIPES = TO_PIPES - {"standard output pipe"}
TO_MOST = TO_FILES | TO_SOCKETS | {"/dev/null"}
TO_ALL = TO_MOST | TO_PIPES | {"appended file", "terminal", "standard output terminal",
                               "standard output TCP", "standard output unix"}

_MUST_SERVE = {
    "copy_file_range": [(FILES, TO_FILES)],
    "sendfile": [(PAGES, TO_MOST | TO_NONBLOCKING_PIPES)],
    "splice": [(PIPES, TO_MOST | TO_PIPES), (PAGES | SOCKETS, TO_PIPES)],
    "splice_pipe": [(PAGES | SOCKETS, TO_MOST)],
    "mmap_write": [(PAGES, TO_ALL)],
    "vmsplice": [(PAGES | PIPES | SOCKETS | {"/dev/zero", "terminal"}, TO_FILES)],
    "send_zerocopy": [(PAGES | PIPES | SOCKETS | {"/dev/zero", "terminal"}, TO_TCP)],
    "mmap_read": [(PAGES | PIPES | SOCKETS | {"/dev/zero", "terminal"}, TO_FILES)],
}

# The order of what `auto` takes; /dev/zero is offered by newer kernels only.
_FAST = [
    (FILES, TO_FILES, {"reflink", "copy_file_range"}),
    (PAGES | {"/dev/zero"}, TO_MOST, {"sendfile"}),
    (PIPES, TO_MOST | TO_PIPES, {"splice"}),
    (SOCKETS, TO_PIPES, {"splice"}),
    (SOCKETS, TO_MOST, {"splice_pipe"}),
    ({"/dev/zero"}, TO_PIPES, {"splice", "sendfile"}),
]
# With --live only: by default the bytes in a pipe are those of the time of the call.
_FAST_WHEN_LIVE = [(PAGES, TO_PIPES, {"splice", "sendfile"})]


def must_serve(method, source, destination):
    if method == "read_write":
        return True
    return any(source in sources and destination in destinations
               for sources, destinations in _MUST_SERVE.get(method, []))


def fast_methods(source, destination, live=False):
    """The methods of which one has to be taken; empty where only user space is left."""
    for sources, destinations, methods in _FAST + (_FAST_WHEN_LIVE if live else []):
        if source in sources and destination in destinations:
            return methods
    return set()
