"""`copy` ended by a signal at random points: the destination is the old file or the new one, whole.

HEADRACE_KILL_POINTS=N takes N points instead of 200; the seed is fixed, so a point that fails can
be had again.
"""
# labels: strace

import os
import random
import signal

import stepping
import tool
from tool import HEADRACE, ToolTest, content

POINTS = int(os.environ.get("HEADRACE_KILL_POINTS", "200"))
NO_TMPFILE = os.environ.get("NO_TMPFILE", "")
OLD = b"the old content"
NEW = content(96 * 1024)
SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
PIECES = ("--method", "read_write", "--buffer", "8KiB")  # many calls: the middle has many points
HIDDEN = ".b.headrace-000001"


class Killed(ToolTest):
    def setUp(self):
        super().setUp()
        self.source = os.path.realpath(self.make("a", NEW))
        self.destination = self.path("b")

    def command(self, options):
        return [HEADRACE, "copy", *options, self.source, self.destination]

    def prepare(self, replaces):
        if os.path.lexists(self.destination):
            os.unlink(self.destination)
        if replaces:
            self.make("b", OLD)

    def kill_at_random(self, replaces, options=(), named=False, seed=0):
        environment = dict(os.environ, LD_PRELOAD=NO_TMPFILE) if named else None
        self.prepare(replaces)
        try:
            first, last = stepping.measure(self.command(options), self.source, env=environment)
        except stepping.NotTraced as why:
            self.skipTest(f"no ptrace here: {why}")
        chance = random.Random(seed)
        seen = set()
        for number in range(max(POINTS // 8, 3)):
            self.prepare(replaces)
            point = chance.randrange(first, last)
            how = SIGNALS[number % len(SIGNALS)]
            run = stepping.Stepped(self.command(options), env=environment)
            run.step_to(point)
            status, said = run.finish(how)
            with self.subTest(point=point, of=(first, last), signal=how.name, status=status):
                seen.add(self.check(replaces, how, status, said))
        return seen

    def check(self, replaces, how, status, said):
        """The destination is whole, and what is left behind is told. Says what it found."""
        there = sorted(os.listdir(self.folder))
        data = None
        if "b" in there:
            with open(self.destination, "rb") as file:
                data = file.read()
        self.assertIn(data, (NEW, OLD if replaces else None))
        hidden = [name for name in there if name not in ("a", "b")]
        if how == signal.SIGKILL:
            self.assertIn(hidden, ([], [HIDDEN]))
            if hidden:
                self.next_run_names_it(replaces)
        else:
            self.assertEqual(hidden, [])
            self.assertIn(status, (0, 128 + how), said)
            self.assertEqual(data == NEW, status == 0, said)
            if status:
                self.assertIn("is what it was" if replaces else "was made", said)
        return "hidden" if hidden else "new" if data == NEW else "old"

    def next_run_names_it(self, replaces):
        hidden = self.path(HIDDEN)
        self.prepare(replaces)
        done = self.run_tool("copy", self.source, self.destination)
        self.assertStatus(done, 0, "left by an interrupted run", os.path.realpath(hidden), "remove it")
        self.assertTrue(os.path.exists(hidden), "nobody else may delete it")
        os.unlink(hidden)
        done = self.run_tool("copy", self.source, self.destination)
        self.assertNotIn("left by", done.err)

    def test_replacing_a_file(self):
        seen = self.kill_at_random(True, seed=1)
        self.assertIn("old", seen)

    def test_replacing_a_file_in_many_pieces(self):
        seen = self.kill_at_random(True, PIECES, seed=2)
        self.assertIn("old", seen)

    def test_replacing_a_file_durably_after_a_second_look(self):
        self.kill_at_random(True, ("--fsync", "--verify", *PIECES), seed=3)

    def test_making_a_file(self):
        self.kill_at_random(False, seed=4)

    def test_making_a_file_in_many_pieces(self):
        self.kill_at_random(False, PIECES, seed=5)

    def test_replacing_a_file_where_temporaries_have_names(self):
        self.kill_at_random(True, seed=6, named=True)

    def test_replacing_a_file_in_many_pieces_where_temporaries_have_names(self):
        seen = self.kill_at_random(True, PIECES, seed=7, named=True)
        self.assertIn("hidden", seen, "no kill ever came while the hidden name was there")

    def test_making_a_file_where_temporaries_have_names(self):
        self.kill_at_random(False, ("--fsync", *PIECES), seed=8, named=True)


class Leftovers(ToolTest):
    def leave(self, name=HIDDEN):
        return os.path.realpath(self.make(name, b"half of it"))

    def test_are_named_and_stay(self):
        left = self.leave()
        for options in ([], ["--no-preserve"]):
            done = self.run_tool("copy", *options, self.make("a", NEW), self.path("b"), json_report=True)
            self.assertStatus(done, 0)
            self.assertIn(f"left by an interrupted run: {left}; remove it", done.report["notes"])
        self.assertContent(left, b"half of it")
        self.assertOnly("a", "b", HIDDEN)

    def test_of_other_names_are_not_ours_to_name(self):
        self.leave(".c.headrace-000001")
        done = self.run_tool("copy", self.make("a", NEW), self.path("b"))
        self.assertNotIn("left by", done.err)

    def test_that_a_living_run_holds_are_its_own(self):
        source = self.make("a", content(4_000_000))
        environment = dict(os.environ, LD_PRELOAD=NO_TMPFILE)
        living = self.start("copy", "--limit-rate", "100KB", source, self.path("b"), env=environment)
        tool.until_writing(living, self.folder)
        self.assertTrue(os.path.exists(self.path(HIDDEN)))
        done = self.run_tool("copy", source, self.path("b"), env=environment)
        self.assertStatus(done, 0)
        self.assertNotIn("left by", done.err)
        living.signal(signal.SIGTERM)
        self.assertStatus(living.finish(), 143)
        self.assertOnly("a", "b")

    def test_through_a_link_are_named_where_they_lie(self):
        inside = self.make_folder("d")
        left = os.path.realpath(self.make("d/.b.headrace-000002", b"x"))
        os.symlink("d/b", self.path("link"))
        done = self.run_tool("copy", self.make("a", NEW), self.path("link"))
        self.assertStatus(done, 0, left)
        self.assertOnly("b", ".b.headrace-000002", folder=inside)


if __name__ == "__main__":
    tool.main()
