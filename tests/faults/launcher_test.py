"""The launcher itself, on commands whose calls are known."""

import sys
import unittest

import deny
import tool
from deny import Denial
from tool import ToolTest


@unittest.skipIf(deny.why_not(), deny.why_not())
class Launcher(ToolTest):
    def setUp(self):
        super().setUp()
        self.told = self.path("told")

    def dd(self, *denials, blocks=4, status=0):
        """Copies blocks of 1000 bytes from a to b; answers what arrived, and the messages."""
        source, self.end = self.make("a", tool.content(blocks * 1000)), self.path("b")
        done = self.program(*deny.run(*denials, told=self.told), "dd", "if=" + source,
                            "of=" + self.end, "bs=1000").finish()
        self.assertEqual(done.status, status, done)
        with open(self.end, "rb") as file:
            return file.read(), done.err

    def write(self, **answer):
        return Denial("write", on="file", under=self.folder, **answer)

    def test_answers_an_errno_at_the_call_of_that_number(self):
        got, err = self.dd(self.write(error="EIO", at=3), status=1)
        self.assertEqual(got, tool.content(4000)[:2000])
        self.assertIn("Input/output error", err)
        self.assertEqual(deny.counts(self.told), [deny.Count("write", 3, 1)])

    def test_answers_from_a_call_on(self):
        denial = Denial("read", under=self.path("a"), result=0, after=1)
        self.assertEqual(self.dd(denial)[0], tool.content(4000)[:1000])

    def test_makes_calls_short(self):
        self.assertEqual(self.dd(Denial("read", under=self.path("a"), most=300))[0], tool.content(4000))
        self.assertEqual(deny.counts(self.told)[0].answered, 15)  # 14 pieces and the end

    def test_looks_at_the_descriptors_meant_and_no_others(self):
        for denial, seen in ((Denial("read", under=self.path("a")), 5),
                             (Denial("write", under=self.path("b")), 4),
                             (Denial("write", on="socket"), 0),
                             (Denial("write", on="pipe", under=self.folder), 0),
                             (Denial("write", under=self.path("bb")), 0)):
            with self.subTest(denial):
                self.dd(denial)
                self.assertEqual(deny.counts(self.told), [deny.Count(denial.call, seen, 0)])

    def test_lets_the_first_that_fits_answer(self):
        got, _ = self.dd(self.write(error="EIO", at=2), self.write(most=500), status=1)
        self.assertEqual(got, tool.content(4000)[:500])
        self.assertEqual([count.answered for count in deny.counts(self.told)], [1, 1])

    def test_gives_the_status_of_the_command(self):
        for command, status in ((["true"], 0), (["sh", "-c", "exit 7"], 7),
                                (["sh", "-c", "kill -TERM $$"], 143), (["/nonexistent"], 127)):
            done = self.program(*deny.run(Denial("fsync")), *command).finish()
            self.assertEqual(done.status, status, done)

    def test_kills_what_hangs(self):
        done = self.program(*deny.run(Denial("fsync"), limit=1), "sleep", "1000").finish()
        self.assertEqual(done.status, 124)

    def test_takes_the_command_with_it_when_it_is_killed(self):
        started = self.program(*deny.run(Denial("fsync")), "sh", "-c", "echo $$; exec sleep 1000")
        pid = int(started.process.stdout.readline())
        started.process.kill()
        tool.until(lambda: not tool.open_files(pid), "the command is gone")

    def test_refuses_what_makes_no_sense(self):
        for words in ([], ["--"], ["--", "true"], ["--at", "1", "--", "true"],
                      ["--call", "none", "--", "true"], ["--call", "read", "--errno", "EX", "--", "true"],
                      ["--call", "read", "--at", "0", "--", "true"], ["--call", "read", "--"],
                      ["--call", "fsync", "--most", "1", "--", "true"],
                      ["--call", "read", "--on", "tape", "--", "true"], ["--call", "read", "true"]):
            done = self.program(deny.DENY_RUN, *words).finish()
            self.assertEqual(done.status, 2, words)
            self.assertIn("--call NAME", done.err)

    def test_lists_its_calls(self):
        self.assertGreaterEqual(deny.can_be_cut(), {"sendfile", "splice", "read", "write", "sendto"})
        self.assertNotIn("FICLONE", deny.can_be_cut())


if __name__ == "__main__":
    if reason := deny.why_not():
        print("skipped: " + reason, file=sys.stderr)
        sys.exit(77)
    tool.main()
