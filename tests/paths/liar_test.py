# labels: strace
"""These tests can fail: a command that lies about its transfer is found out."""

import os
import stat
import sys
import tempfile
import textwrap
import unittest

import pairs
import tool

# Copies a regular file to a file by one sendfile, and says so as the lie has it.
LIAR = """\
#!{python} -S
import json, os, sys
lie = {lie!r}
source, destination = sys.argv[2:4]
report = sys.argv[sys.argv.index("--report-file") + 1]
if lie == "is killed":
    os.kill(os.getpid(), 9)
reader = os.open(source, os.O_RDONLY)
if lie != "moves nothing":
    writer = os.open(destination, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
size = os.fstat(reader).st_size
if lie == "by hand":
    os.write(writer, os.read(reader, size))
elif lie == "half":
    os.sendfile(writer, reader, None, size // 2)
elif lie != "moves nothing":
    os.sendfile(writer, reader, 0, size)
if lie == "leaves a file behind":
    os.close(os.open(destination + ".part", os.O_CREAT | os.O_WRONLY))
calls = 2 if lie == "calls" else 1
leg = dict(method="sendfile", bytes=size, calls=calls, notes=[], ending="finished")
refused = []
if lie == "refuses after all":
    leg["bytes"], refused = 0, [dict(method="sendfile", reason="not-today")]
if lie != "no report":
    with open(report, "w") as file:
        json.dump(dict(legs=[leg], bytes=leg["bytes"], stranded=0, refused=refused), file)
sys.exit(3 if lie == "refuses after all" else 1 if lie == "fails" else 0)
"""

LIES = ["by hand", "half", "moves nothing", "calls", "no report", "is killed", "fails",
        "leaves a file behind", "refuses after all"]


class Liar(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="headrace-test-"))
        honest = tool.HEADRACE
        self.addCleanup(setattr, tool, "HEADRACE", honest)

    def outcome_of(self, lie):
        tool.HEADRACE = os.path.join(self.folder, "liar")
        with open(tool.HEADRACE, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(LIAR).format(python=sys.executable, lie=lie))
        os.chmod(tool.HEADRACE, stat.S_IRWXU)
        return pairs.carry_out(pairs.Case("regular file", "new file", 4097, "sendfile"))

    def test_the_truth_has_no_fault(self):
        self.assertEqual(self.outcome_of("none").faults, [])

    def test_every_lie_is_found(self):
        for lie in LIES:
            with self.subTest(lie):
                self.assertNotEqual(self.outcome_of(lie).faults, [])


if __name__ == "__main__":
    pairs.leave_if_blind()
    tool.main()
