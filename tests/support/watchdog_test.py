"""The watchdog itself: a test that hangs is named, and what it started is gone."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import tool  # noqa: E402

HANGS = """
    import subprocess, sys, time, unittest
    sys.path.insert(0, sys.argv.pop(1))
    import tool

    class Hanging(unittest.TestCase):
        def test_for_ever(self):
            child = subprocess.Popen(["sh", "-c", "sleep 1000 & echo $! $$; wait"])
            child.wait()

    class Working(unittest.TestCase):
        def test_quickly(self):
            pass

    tool.main()
"""


class Watching(unittest.TestCase):
    def run_it(self, *arguments, limit):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hanging.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(HANGS))
            return subprocess.run([sys.executable, "-B", path, HERE, *arguments], text=True,
                                  capture_output=True, timeout=tool.PATIENCE,
                                  env=os.environ | {"WATCHDOG_LIMIT": limit})

    def test_ends_what_hangs_and_says_where(self):
        done = self.run_it("Hanging", limit="0.5")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Hanging.test_for_ever takes more than 0.5 s", done.stderr)
        self.assertIn("in test_for_ever", done.stderr)

    def test_kills_what_it_started(self):
        done = self.run_it("Hanging", limit="0.5")
        for pid in map(int, done.stdout.split()):
            tool.until(lambda: not runs(pid), f"{pid} is gone")  # noqa: B023, used at once

    def test_leaves_alone_what_ends(self):
        done = self.run_it("Working", limit="30")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("watchdog", done.stderr)


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
