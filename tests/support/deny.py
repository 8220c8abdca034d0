"""Commands of which some system calls are answered by the test, by the launcher of this folder.

    command = deny.run(deny.Denial("sendfile", error="EIO", at=3), told=file)
    started = self.start("copy", "a", "b", wrap=command)
    counts = deny.counts(file)  # [Count("sendfile", seen=3, answered=1)]

Of several denials the first that fits answers; `deny_run` without arguments says more.
"""

import dataclasses
import functools
import os
import subprocess

DENY_RUN = os.environ.get("DENY_RUN", "deny_run")


@dataclasses.dataclass(frozen=True)
class Denial:
    call: str  # as strace names it; FICLONE and other requests by their own name
    error: str | None = None  # "EIO": answered instead of running
    result: int | None = None  # 0 or huge: answered instead of running
    most: int | None = None  # runs with its count cut to so many bytes
    at: int | None = None  # only the Nth of the calls looked at
    after: int | None = None  # all but the first N
    on: str | None = None  # looks only at calls on a "file", "socket" or "pipe"
    under: str | None = None  # looks only at calls on this path or what is inside it

    def arguments(self):
        given = {"--call": self.call, "--errno": self.error, "--result": self.result,
                 "--most": self.most, "--at": self.at,
                 "--from": None if self.after is None else self.after + 1, "--on": self.on,
                 "--under": None if self.under is None else os.path.realpath(self.under)}
        return [str(word) for pair in given.items() if pair[1] is not None for word in pair]


@dataclasses.dataclass(frozen=True)
class Count:
    call: str
    seen: int
    answered: int


def run(*denials, told=None, limit=60):
    """What is to be put in front of a command. It kills the command after `limit` seconds."""
    words = [DENY_RUN, "--limit", str(limit), *(["--told", told] if told else [])]
    return words + [word for denial in denials for word in denial.arguments()] + ["--"]


def counts(told):
    """What became of each denial, once the command has ended."""
    with open(told, encoding="ascii") as file:
        return [Count(name, int(seen), int(answered))
                for name, seen, answered in (line.split() for line in file)]


@functools.cache
def can_be_cut():
    """The calls that `most` can cut."""
    done = subprocess.run([DENY_RUN, "--calls"], capture_output=True, check=True, timeout=60)
    return {line.split()[0] for line in done.stdout.decode().splitlines() if line.endswith(" most")}


def why_not():
    """The reason why nothing can be denied here, or None."""
    done = subprocess.run([*run(Denial("fsync")), "true"], capture_output=True, timeout=60)
    return None if done.returncode == 0 else done.stderr.decode().strip()
