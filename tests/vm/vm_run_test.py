"""tools/vm-run keeps its promises: streams, exit status, folders, limits, and nothing left behind."""

import os
import signal
import subprocess
import tempfile
import unittest

import guest
import tool

# Two lines on each stream, what stays and what does not, and a status of its own.
SCRIPT = """
echo out; echo err >&2
printf '%s|' "$ODD" "$PWD" "${TMPDIR-none}" "$1"; echo
echo kept >"$1/kept"; echo lost >"$2/lost"; cat "$2/lost" 2>&1
exit 7
"""
ODD = "a\nb \"c\" $d 'e'"


def processes_of(folder):
    """Those whose command line names the folder: the guest's, and what follows its output."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if folder.encode() in file.read():
                    found.append(int(pid))
        except OSError:
            pass  # it has ended meanwhile
    return found


class VmRun(unittest.TestCase):
    def setUp(self):
        self.top = self.enterContext(tempfile.TemporaryDirectory(prefix="headrace vm "))
        self.temporary = os.path.join(self.top, "for temporary files")  # with spaces
        os.mkdir(self.temporary)

    def command(self, *arguments):
        return [guest.VM_RUN, *arguments]

    def environment(self):
        return os.environ | {"TMPDIR": self.temporary, "ODD": ODD}

    def run_vm(self, *arguments):
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True,
                              env=self.environment(), cwd=self.top)
        self.assert_nothing_left()
        return done

    def assert_nothing_left(self):
        self.assertEqual(os.listdir(self.temporary), [])
        # The one that watches over a killed vm-run ends a moment after it.
        tool.until(lambda: not processes_of(self.temporary), "all its processes end")

    def boot(self, *arguments):
        done = self.run_vm(*arguments)
        if reason := guest.why_no_guest(done.returncode, done.stderr):
            self.skipTest("no guest came up: " + reason)
        return done

    def test_streams_status_environment_and_folders_are_the_commands_own(self):
        shared, own = os.path.join(self.top, "shared"), os.path.join(self.top, "not shared")
        os.mkdir(shared)
        os.mkdir(own)
        done = self.boot("-o", shared, "sh", "-c", SCRIPT, "sh", shared, own)
        self.assertEqual(done.returncode, 7)
        self.assertEqual(done.stderr, "err\n")
        self.assertEqual(done.stdout, f"out\n{ODD}|{self.top}|none|{shared}|\nlost\n")
        self.assertEqual(os.listdir(own), [])
        with open(os.path.join(shared, "kept"), encoding="ascii") as file:
            self.assertEqual(file.read(), "kept\n")

    def test_a_command_out_of_time_is_killed_with_all_that_it_started(self):
        done = self.boot("-t", "8", "sh", "-c", "sleep 1000 & echo begun; sleep 1000")
        self.assertEqual(done.returncode, 124)
        self.assertEqual(done.stderr, "vm-run: out of time (8 s)\n")

    def test_being_killed_leaves_nothing_behind(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                self.kill_it_when_it_runs(number)
                tool.until(lambda: not os.listdir(self.temporary), "its folder is removed")
                tool.until(lambda: not processes_of(self.temporary), "all its processes end")

    def kill_it_when_it_runs(self, number):
        running = subprocess.Popen(self.command("sh", "-c", "echo begun; sleep 1000"),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.environment())
        with running:
            if running.stdout.readline() != "begun\n":
                self.skipTest("no guest came up: " + running.stderr.read())
            running.send_signal(number)

    def test_an_unknown_module_ends_before_the_command_and_shows_the_console(self):
        done = self.run_vm("-l", "there-is-no-such-module", "true")
        if "no module there-is-no-such-module" not in done.stderr:
            self.skipTest("no guest came up: " + guest.why_no_guest(done.returncode, done.stderr))
        self.assertEqual(done.returncode, 125)
        self.assertIn("vm-run: " + guest.NOT_UP, done.stderr)

    def test_a_guest_that_dies_is_no_guest_that_does_not_come_up(self):
        done = self.boot("sh", "-c", "echo begun; echo c >/proc/sysrq-trigger; sleep 1000")
        self.assertEqual(done.returncode, 125)
        self.assertEqual(done.stdout, "begun\n")
        self.assertIn("vm-run: the guest died", done.stderr)
        self.assertIn("vm-run: console: ", done.stderr)

    def test_wrong_usage_says_what_is_wrong(self):
        for arguments, words in [([], "no command"), (["-x", "true"], "no option -x"),
                                 (["-t", "0", "true"], "'0'"), (["-t"], "-t needs a value"),
                                 (["-m", "much", "true"], "'much'"),
                                 (["-o", "/there/is/no/such", "true"], "no folder '/there"),
                                 (["-b", "bochs", "true"], "no back end 'bochs'"),
                                 (["-u", "/var/empty/none", "true"], "no folder"),
                                 (["-b", "uml", "-u", self.top, "true"], "is not installed")]:
            with self.subTest(arguments):
                done = self.run_vm(*arguments)
                self.assertEqual(done.returncode, 126)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_help_is_no_error(self):
        done = self.run_vm("--help")
        self.assertEqual(done.returncode, 0)
        for option in "buqoltmv":
            self.assertIn(f"  -{option} ", done.stdout)


if __name__ == "__main__":
    tool.main()
