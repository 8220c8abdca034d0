"""The guest as a test on this machine sees it."""

import os
import re
import subprocess
import sys

import tool

HERE = os.path.dirname(os.path.abspath(__file__))
VM_RUN = os.path.join(HERE, "..", "..", "tools", "vm-run")
PYTHON = os.path.realpath(sys.executable)  # a wrapper of it would start slowly there
NOT_UP = "the guest did not come up"
# Of what a kernel and vm-run say, the line that tells why.
REASON = re.compile(r"panic|no module|is not installed|ptrace|not permitted|denied", re.IGNORECASE)
LIMIT = 780  # seconds; less than ctest's, so that vm-run cleans up


def inside(*arguments, capture=False, **environment):
    """Runs inside.py in the guest; ends with 77 where none comes up. Gives vm-run's result."""
    command = [VM_RUN, "-l", "loop", "-m", "1200", "-t", str(LIMIT), PYTHON, "-B",
               os.path.join(HERE, "inside.py"), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE if capture else None,
                          stderr=subprocess.PIPE, env=dict(os.environ, **environment), text=True)
    if reason := why_no_guest(done.returncode, done.stderr):
        print(done.stderr)
        print("skipped: no guest came up: " + reason)
        sys.exit(77)
    sys.stderr.write(done.stderr)
    return done


def why_no_guest(status, told):
    """The reason why none came up, from vm-run's standard error; None where one did, even if it died."""
    lines = [re.sub(r"^vm-run: (console: )?", "", line) for line in told.strip().splitlines()]
    if status == 126 or (status == 125 and NOT_UP in lines):
        return next(filter(REASON.search, lines), " ".join(lines[-2:]) or "vm-run says nothing")
    return None


def suites(*names):
    """A whole test: these suites of tests/paths, watched by the preloaded library."""
    done = inside("paths", *names, CALL_LOG=os.environ["VM_CALL_LOG"], HEADRACE=tool.HEADRACE,
                  WATCHDOG_LIMIT=str(LIMIT))
    sys.exit(done.returncode)
