"""The preloaded witness sees what strace sees, and finds every lie of tests/paths/liar_test.py."""

import os
import sys
import unittest

os.environ["CALL_LOG"] = os.environ["VM_CALL_LOG"]  # before the witness is loaded
PATHS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "paths")
sys.path.insert(0, PATHS)

import calls  # noqa: E402
import tool  # noqa: E402
import witness  # noqa: E402
from liar_test import Liar  # noqa: E402, F401: its tests are run by the other witness here


class CallLog(unittest.TestCase):
    def test_knows_every_call_that_strace_is_asked_for(self):
        with open(os.environ["VM_CALL_LOG"], "rb") as file:
            library = file.read()
        names = {name.lstrip("?") for name in calls.MOVERS + witness.WAITS}
        unknown = [name for name in sorted(names) if name.encode() + b"\0" not in library]
        self.assertEqual(unknown, [])


if __name__ == "__main__":
    tool.main()
