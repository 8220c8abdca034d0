#!/usr/bin/env python3
"""Runs every command that README.md and docs/*.md show and compares its output with what they show.

A block marked ```console holds commands behind "$ " and their output, standard output and error
together. Everything runs by bash in one fresh folder per document, `headrace` and `./run` being the
tool under test. What differs from run to run (times, rates, counts of calls and waits, ports, the
congestion control, the file system's name) is compared by its form only. A line of "..." stands for
any lines. A command that ends in "&" runs on; its output is shown where `wait` is called.

    documents.py TOOL FILE...            compare
    documents.py --update TOOL FILE...   write what the commands print into the documents
"""

import difflib
import os
import re
import socket
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
VARIABLE = [
    (re.compile(r"\b[\d.]+ (?:s|ms|us|ns|µs)(/GiB)?(?![\w])"), r"TIME\1"),
    (re.compile(r"\b[\d.]+(?:[KMGT]i)?B/s"), "RATE"),
    (re.compile(r"(: RATE), CPU .*"), r"\1"),  # too small to be told on some runs
    (re.compile(r"  \d+ waits?\b"), ""),  # not told where there was none
    (re.compile(r"\b\d+ calls?\b"), "N calls"),
    (re.compile(r"(127\.0\.0\.1|\[::1\]|localhost):\d+"), r"\1:PORT"),
    (re.compile(r"^(  congestion +).*", re.M), r"\1NAME"),
    (re.compile(r"\bon (ext4|tmpfs|overlay)\b"), "on FS"),
    (re.compile(r'"(seconds|user|system)": ?[\d.e-]+'), r'"\1":TIME'),
    (re.compile(r'"(calls|waits|device|inode|send_buffer|receive_buffer)": ?\d+'), r'"\1":N'),
    (re.compile(r"^(headrace serve: listening on \S+) \(.*\)$", re.M), r"\1 (DIRECTORY)"),
    (re.compile(r"\b(waits|seconds)=[\d.]+"), r"\1=N"),
    (re.compile(r"\bhead=\d+"), "head=N"),  # the tag of a file that has just been made is longer
    (re.compile(r"^Linux \S+ \S+$", re.M), "Linux RELEASE MACHINE"),
]


def shape(text):
    for pattern, replacement in VARIABLE:
        text = pattern.sub(replacement, text)
    return [line.rstrip() for line in text.rstrip("\n").split("\n")]


def same(shown, printed):
    """Compares line by line; "..." matches any number of lines."""
    pattern = "\n".join(
        r"(?:.*\n)*?.*" if line.strip() == "..." else re.escape(line) for line in shape(shown))
    return re.fullmatch(pattern, "\n".join(shape(printed))) is not None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Shell:
    """One bash that lives as long as a document, so that folders, jobs and variables persist."""

    MARK = "--end-of-command--"

    def __init__(self, tool, folder):
        self.folder = folder
        self.ports = {}
        binaries = os.path.join(folder, ".bin")
        os.mkdir(binaries)
        for name in ("headrace", "run"):
            os.symlink(tool, os.path.join(binaries, name))
        os.symlink(tool, os.path.join(folder, "run"))
        environment = dict(os.environ, PATH=binaries + ":" + os.environ["PATH"], LC_ALL="C")
        self.bash = subprocess.Popen(
            ["bash", "--norc"], cwd=folder, env=environment, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def ported(self, command):
        """Ports of the documents are examples; here each becomes one that is free."""
        def replace(match):
            port = self.ports.setdefault(match.group(2), free_port())
            return f"{match.group(1)}:{port}"
        return re.sub(r"(127\.0\.0\.1|\[::1\]|localhost):(\d+)", replace, command)

    def run(self, command):
        command = self.ported(command)
        if command.endswith("&"):
            # Its output goes to a file until `wait`; the next command starts when it listens. ($! would
            # be the process substitution's.)
            # The tool takes the place of the subshell: it is what `kill %1` is for.
            command = re.sub("^(?=headrace )", "exec ", command[:-1].rstrip())
            script = (f"{{ {command}; }} >.background 2>&1 & job=$!\n"
                      "until grep -q 'listening on' .background 2>/dev/null || ! kill -0 $job 2>/dev/null;"
                      " do read -rt 0.02 <> <(:) || :; done")
        elif command == "kill %1":  # jobs have no such numbers without a terminal
            script = "kill $job"
        elif command == "wait":
            script = "wait; cat .background; rm .background"
        else:
            script = command
        self.bash.stdin.write(f"{script}\necho {self.MARK}\n")
        self.bash.stdin.flush()
        lines = []
        for line in self.bash.stdout:
            if line.rstrip("\n").endswith(self.MARK):
                lines.append(line[:line.rindex(self.MARK)])
                break
            lines.append(line)
        else:
            raise RuntimeError(f"the shell ended at: {command}")
        return self.unported("".join(lines))

    def unported(self, output):
        for port, stand_in in self.ports.items():
            output = output.replace(f":{stand_in}", f":{port}")
        return output

    def close(self):
        self.bash.stdin.close()
        self.bash.stdout.close()
        self.bash.wait(timeout=60)


def commands_of(block):
    """[(command, output shown)]; a command may go on over lines that end in a backslash."""
    found = []
    continued = False
    for line in block.split("\n"):
        if line.startswith("$ "):
            found.append([line[2:], ""])
            continued = line.endswith("\\")
        elif continued:
            found[-1][0] += "\n" + line
            continued = line.endswith("\\")
        elif found:
            found[-1][1] += line + "\n"
    return [(command, output.rstrip("\n")) for command, output in found]


def check(path, tool, update):
    with open(path, encoding="utf-8") as document:
        text = document.read()
    bad = 0
    checked = 0
    with tempfile.TemporaryDirectory(prefix="headrace-documents-") as folder:
        shell = Shell(tool, folder)

        def visit(match):
            nonlocal bad, checked
            result = []
            for command, shown in commands_of(match.group(1)):
                printed = shell.run(command).rstrip("\n")
                checked += 1
                result.append(f"$ {command}" + (f"\n{printed}" if printed else ""))
                if not update and not same(shown, printed):
                    bad += 1
                    print(f"{path}: $ {command}")
                    print("\n".join(difflib.unified_diff(
                        shape(shown), shape(printed), "shown", "printed", lineterm="")))
                elif update and same(shown, printed):
                    result[-1] = f"$ {command}" + (f"\n{shown}" if shown else "")
            return "```console\n" + "\n".join(result) + "\n```"

        new = BLOCK.sub(visit, text)
        shell.close()
    if update and new != text:
        with open(path, "w", encoding="utf-8") as document:
            document.write(new)
    print(f"{path}: {checked} commands, {bad} differ")
    return bad


def main():
    arguments = sys.argv[1:]
    update = arguments[:1] == ["--update"]
    tool, *paths = arguments[update:]
    if not os.access(tool, os.X_OK):
        sys.exit(f"{tool}: no such tool")
    return 1 if sum(check(path, os.path.abspath(tool), update) for path in paths) else 0


if __name__ == "__main__":
    sys.exit(main())
