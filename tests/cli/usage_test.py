"""The command line itself: help, version, and what is not understood."""

import json
import os

import tool
from tool import ToolTest, content

DATA = content(50_000)


class Usage(ToolTest):
    def test_version(self):
        done = self.run_tool("--version")
        self.assertStatus(done, 0)
        self.assertRegex(done.out.decode(), r"^headrace \d+\.\d+\.\d+\n$")

    def test_help_names_every_command(self):
        for option in ("--help", "-h"):
            done = self.run_tool(option)
            self.assertStatus(done, 0)
            for command in ("copy", "send", "receive", "get", "put", "serve", "explain", "demo"):
                self.assertIn(command, done.out.decode())

    def test_help_of_each_command_names_its_options(self):
        wanted = {"copy": ["--in-place", "--no-preserve", "--preserve", "--sparse", "--reflink", "--fsync",
                           "--preallocate", "--verify", "--guarded", "--stable", "--live", "--range",
                           "--method", "--require"],
                  "send": ["--checked", "--guarded", "--connect", "--listen", "--window", "--congestion", "--range"],
                  "receive": ["--checked", "--connect", "--listen", "--window", "--idle-timeout"],
                  "serve": ["--listen", "--upload", "--max-upload", "--dotfiles", "--symlinks", "--allow-host",
                            "--threads", "--idle-timeout", "--head-timeout", "--min-rate", "--max-connections",
                            "--limit-rate", "--log", "--log-format", "--quiet", "--guarded", "--stable", "--live",
                            "--method", "--require", "--buffer", "--window", "--congestion"],
                  "explain": ["--methods", "--kernel"], "demo": ["--size"]}
        for command, options in wanted.items():
            with self.subTest(command):
                done = self.run_tool(command, "--help")
                self.assertStatus(done, 0)
                for option in options:
                    self.assertIn(option, done.out.decode())

    def test_help_names_the_defaults(self):
        wanted = {"copy": ["auto", "mode,times", "to a file", "to a pipe", "to anything else", "never", "text"],
                  "send": ["60", "reno to a peer on this machine"], "receive": ["60"], "demo": ["64MiB"]}
        for command, defaults in wanted.items():
            told = " ".join(self.run_tool(command, "--help").out.decode().replace("default:", "default").split())
            for default in defaults:
                with self.subTest(command=command, default=default):
                    self.assertIn(f"(default {default}", told)

    def test_help_that_cannot_be_written_is_told(self):
        with open("/dev/full", "wb") as full:
            for arguments in (["--help"], ["--version"], ["explain", "--methods"]):
                done = self.run_tool(*arguments, stdout=full)
                self.assertStatus(done, 1, "standard output", "No space left")

    def not_understood(self, *arguments, words=()):
        with self.subTest(arguments):
            done = self.run_tool(*arguments, cwd=self.folder)
            self.assertStatus(done, 2, "--help", *words)
            self.assertEqual(done.out, b"")
            self.assertOnly("a")

    def test_what_is_not_understood_is_status_2(self):
        self.make("a", DATA)
        self.not_understood()
        self.not_understood("cpoy", "a", "b", words=["cpoy"])
        self.not_understood("--cpoy", words=["--cpoy"])
        self.not_understood("copy", words=["SOURCE"])
        self.not_understood("copy", "a", words=["DESTINATION"])
        self.not_understood("copy", "a", "b", "c", words=["c"])
        self.not_understood("copy", "--frobnicate", "a", "b", words=["--frobnicate"])
        self.not_understood("copy", "a", "b", "--buffer", words=["--buffer"])
        self.not_understood("copy", "a", "b", "--buffer", "many", words=["many", "64KiB"])
        self.not_understood("copy", "a", "b", "--report", "xml", words=["xml", "json"])
        self.not_understood("copy", "a", "b", "--progress", "often", words=["often", "always"])
        self.not_understood("send", "a", words=["ADDRESS"])
        self.not_understood("send", "--connect", "--listen", "a", "127.0.0.1:1")
        self.not_understood("receive", words=["ADDRESS"])
        self.not_understood("demo", "--size", "0", words=["--size"])
        self.not_understood("explain", "--methods", "--kernel")

    def test_an_address_that_is_none_is_status_2(self):
        source = self.make("a", DATA)
        for address in ("localhost", "localhost:", "localhost:99999", "::1:80", "http://x:80/",
                        "unix:", "[::1]", ""):
            with self.subTest(address):
                self.assertStatus(self.run_tool("send", source, address), 2, "HOST:PORT")
                self.assertStatus(self.run_tool("receive", address, self.path("b")), 2, "HOST:PORT")
                self.assertOnly("a")

    def test_the_last_of_one_option_counts(self):
        done = self.run_tool("copy", "--report", "none", "--report", "json", "--report-file",
                             self.path("report-x"), self.make("a", DATA), self.path("b"))
        self.assertIn(done.status, (0, 2), done)
        if done.status == 0:
            self.assertTrue(os.path.exists(self.path("report-x")))


class Reports(ToolTest):
    def test_text_goes_to_standard_error(self):
        done = self.run_tool("copy", self.make("a", DATA), self.path("b"))
        self.assertStatus(done, 0, "copied 48.8KiB", "path", "leg 1", "contract")
        self.assertEqual(done.out, b"")

    def test_json_goes_to_standard_output_in_one_line(self):
        done = self.run_tool("copy", "--report", "json", self.make("a", DATA), self.path("b"))
        self.assertStatus(done, 0)
        self.assertEqual((done.out.count(b"\n"), done.err), (1, ""))
        report = json.loads(done.out)
        self.assertEqual((report["schema"], report["command"], report["bytes"]), (1, "copy", 50_000))
        self.assertEqual(report["source"]["name"], self.path("a"))
        self.assertEqual(report["destination"]["name"], self.path("b"))

    def test_a_report_file_takes_either(self):
        source = self.make("a", DATA)
        for form in ("text", "json"):
            done = self.run_tool("copy", "--report", form, "--report-file", self.path("report-f"),
                                 source, self.path("b"))
            self.assertStatus(done, 0)
            self.assertEqual((done.out, done.err), (b"", ""))
            with open(self.path("report-f"), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("copied" if form == "text" else '"schema":1', text)

    def test_none_says_nothing(self):
        done = self.run_tool("copy", "--report", "none", self.make("a", DATA), self.path("b"))
        self.assertStatus(done, 0)
        self.assertEqual((done.out, done.err), (b"", ""))

    def test_quiet_says_nothing_but_writes_the_json_asked_for(self):
        source = self.make("a", DATA)
        for option in ("--quiet", "-q"):
            done = self.run_tool("copy", option, source, self.path("b"))
            self.assertEqual((done.status, done.out, done.err), (0, b"", ""))
        done = self.run_tool("copy", "--quiet", "--report", "json", source, self.path("b"))
        self.assertEqual((done.status, done.err), (0, ""))
        self.assertEqual(json.loads(done.out)["outcome"], "complete")

    def test_a_failure_is_told_even_when_quiet(self):
        for options in (["--quiet"], ["--report", "none"], ["--report", "json"]):
            with self.subTest(options):
                done = self.run_tool("copy", *options, self.make("a", DATA), "/dev/full")
                self.assertStatus(done, 1, "No space left on device")

    def test_json_beside_bytes_on_standard_output_is_status_2(self):
        done = self.run_tool("copy", "--report", "json", self.make("a", DATA), "-")
        self.assertStatus(done, 2, "--report-file")
        self.assertEqual(done.out, b"")
        done = self.run_tool("receive", "--report", "json", "127.0.0.1:0", "-")
        self.assertStatus(done, 2, "--report-file")

    def test_json_beside_bytes_goes_to_its_file(self):
        done = self.run_tool("copy", self.make("a", DATA), "-", json_report=True)
        self.assertStatus(done, 0)
        self.assertSameBytes(done.out, DATA)
        self.assertEqual(done.report["destination"]["name"], "standard output")

    def test_text_beside_bytes_goes_to_standard_error(self):
        done = self.run_tool("copy", self.make("a", DATA), "-")
        self.assertSameBytes(done.out, DATA)
        self.assertIn("copied", done.err)

    def test_json_to_a_full_device_is_status_1(self):
        with open("/dev/full", "wb") as full:
            done = self.run_tool("copy", "--report", "json", self.make("a", DATA), self.path("b"),
                                 stdout=full)
        self.assertStatus(done, 1, "standard output", "No space left")
        self.assertContent(self.path("b"), DATA)


if __name__ == "__main__":
    tool.main()
