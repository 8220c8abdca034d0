"""Small file systems of the test's own, in mounts that nobody else sees.

    with file_systems.mounted("xfs") as folder: ...
    with file_systems.mounted("tmpfs", size=file_systems.MIB) as folder: ...
    with file_systems.limited_btrfs(8 * file_systems.MIB) as folder: ...

The process gets mounts of its own at the first use: call that before any thread is started. Images
lie on a tmpfs among these mounts, so that everything is gone with the process, however it ends.
What cannot be had raises `Unavailable`, which says why; `available` says it aloud and goes on.
"""

import atexit
import contextlib
import ctypes
import functools
import itertools
import os
import subprocess
import sys
import tempfile

import tool

MIB = 1 << 20
_PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
_numbers = itertools.count()

# What makes a file system of an image, and how small it may be.
_MAKERS = {"ext4": (["mkfs.ext4", "-q", "-F", "-m", "0"], 16 * MIB),
           "xfs": (["mkfs.xfs", "-q", "-f"], 320 * MIB),
           "btrfs": (["mkfs.btrfs", "-q", "-f"], 128 * MIB)}
KINDS = (*_MAKERS, "tmpfs", "overlay")
CLONING = ("xfs", "btrfs")


class Unavailable(Exception):
    """This file system is not to be had here; says why."""


@contextlib.contextmanager
def mounted(kind, size=None):
    """A folder on a new file system of a kind of `KINDS`; it belongs to the test alone."""
    if kind == "tmpfs":
        with _tmpfs(size) as folder:
            yield folder
    elif kind == "overlay":
        with overlay() as folder:
            yield folder
    else:
        with _image(kind, size) as folder:
            yield folder


@contextlib.contextmanager
def overlay(lower=None, size=None):
    """A folder of an overlay over two folders of a tmpfs; `lower`: {name: content} of the lower."""
    with _tmpfs(size) as layers:
        for name in ("lower", "upper", "work"):
            os.mkdir(os.path.join(layers, name))
        for name, data in (lower or {}).items():
            with open(os.path.join(layers, "lower", name), "wb") as file:
                file.write(data)
        parts = [f"{option}={layers}/{name}" for option, name in
                 (("lowerdir", "lower"), ("upperdir", "upper"), ("workdir", "work"))]
        with _mount("overlay", ["-t", "overlay", "-o", ",".join(parts), "overlay"]) as folder:
            yield folder


@contextlib.contextmanager
def limited_btrfs(limit):
    """A folder on btrfs that holds at most `limit` bytes: EDQUOT, while the disk has room."""
    with mounted("btrfs") as disk:
        folder = os.path.join(disk, "limited")
        for words in (["quota", "enable", disk], ["subvolume", "create", folder],
                      ["qgroup", "limit", str(limit), folder]):
            _run(["btrfs", *words])
        yield folder


def available(stack, kinds=KINDS):
    """{kind: folder} of what can be had, closed by the ExitStack; says aloud what cannot."""
    folders = {}
    for kind in kinds:
        try:
            folders[kind] = stack.enter_context(mounted(kind))
        except Unavailable as reason:
            print(f"not tried: {kind}: {reason}", file=sys.stderr)
    return folders


def why_not():
    """The reason why nothing can be mounted here, or None."""
    try:
        _stage()
    except Unavailable as reason:
        return str(reason)
    return None


# --- How ------------------------------------------------------------------------------------------


@functools.cache
def _stage():
    """A tmpfs among mounts of our own, for images and mount points."""
    if not tool.IS_ROOT:
        raise Unavailable("mounting needs root")
    if not tool.own_mounts():
        raise Unavailable("this sandbox has no mount namespaces")
    folder = tempfile.mkdtemp(prefix="headrace-mounts-")
    atexit.register(_leave, folder)
    _run(["mount", "-t", "tmpfs", "-o", "size=90%", "stage", folder])
    return folder  # of a killed test this empty folder stays, and nothing else


def _leave(folder):
    subprocess.run(["umount", "-l", folder], capture_output=True, timeout=tool.PATIENCE)
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def _new(name):
    return os.path.join(_stage(), f"{next(_numbers)}-{name}")


def _run(command):
    try:
        done = subprocess.run(command, capture_output=True, timeout=tool.PATIENCE,
                              env=os.environ | {"PATH": _PATH})
    except FileNotFoundError:
        raise Unavailable(f"not installed: {command[0]}") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).decode(errors="replace").strip()
        raise Unavailable(f"{' '.join(command[:3])}: {said}")


@contextlib.contextmanager
def _mount(name, arguments):
    folder = _new(name)
    os.mkdir(folder)
    _run(["mount", *arguments, folder])
    try:
        os.chmod(folder, 0o755)
        yield folder
    finally:
        _unmount(folder)
        os.rmdir(folder)


def _unmount(folder):
    """At once where nobody holds it, else when the last one lets go."""
    done = subprocess.run(["umount", folder], capture_output=True, timeout=tool.PATIENCE)
    if done.returncode != 0:
        _run(["umount", "-l", folder])


@contextlib.contextmanager
def _tmpfs(size):
    options = f"size={size}" if size else "size=80%"
    with _mount("tmpfs", ["-t", "tmpfs", "-o", options, "tmpfs"]) as folder:
        yield folder


@contextlib.contextmanager
def _image(kind, size):
    make, least = _MAKERS[kind]
    image = _new(kind + ".image")
    with open(image, "wb") as file:
        file.truncate(max(size or 0, least))
    try:
        _run([*make, image])
        with _mount(kind, ["-o", "loop", image]) as folder:
            yield folder
    finally:
        os.unlink(image)


def settle(folder):
    """What was removed is room again: btrfs gives it back, and counts it off, with its next commit."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        ctypes.CDLL(None, use_errno=True).syncfs(descriptor)
    finally:
        os.close(descriptor)


def fill(folder, leave=0):
    """Writes a file "filler" until the file system is full, then cuts `leave` bytes off it again."""
    filler = os.path.join(folder, "filler")
    with open(filler, "wb", buffering=0) as file:
        for size in (MIB, 4096):
            with contextlib.suppress(OSError):
                while file.write(bytes(size)) == size:
                    pass
        os.fsync(file.fileno())
        file.truncate(max(0, file.tell() - leave))
        os.fsync(file.fileno())
    return filler
