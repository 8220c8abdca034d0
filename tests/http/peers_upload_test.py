"""curl uploads to the server, by all the ways it has."""

import os
import shutil
import subprocess
import unittest

import tool
from serving import ServeTest
from tool import content

BODY = content(3_000_000)
CURL = shutil.which("curl")


@unittest.skipUnless(CURL, "curl is not installed")
class Curl(ServeTest):
    def setUp(self):
        super().setUp()
        self.server = self.serve("--upload")
        self.source = self.make("source", BODY)

    def curl(self, *arguments, **options):
        done = subprocess.run([CURL, "-sS", "--noproxy", "*", "-o", os.devnull, "-w", "%{http_code}\n",
                               *arguments], capture_output=True, timeout=tool.PATIENCE, check=False,
                              **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode().split()

    def test_a_file(self):
        self.assertEqual(self.curl("-T", self.source, f"{self.server.url}f"), ["201"])
        self.assertContent(self.server.path("f"), BODY)
        self.assertEqual(self.curl("-T", self.source, f"{self.server.url}f"), ["204"])

    def test_a_pipe(self):
        self.assertEqual(self.curl("-T", "-", f"{self.server.url}f", input=BODY), ["201"])
        self.assertContent(self.server.path("f"), BODY)

    def test_that_waits_to_be_asked(self):
        for extra in (("-T", self.source), ("-T", "-", "-H", "Transfer-Encoding: chunked")):
            self.curl("-H", "Expect: 100-continue", "--expect100-timeout", "50", *extra,
                      f"{self.server.url}f", input=BODY)
            self.assertContent(self.server.path("f"), BODY)

    def test_several_on_one_connection(self):
        done = self.curl("-T", self.source, f"{self.server.url}a", "-o", os.devnull,
                         "-T", self.source, f"{self.server.url}b")
        self.assertEqual(done, ["201", "201"])
        self.assertContent(self.server.path("a"), BODY)
        self.assertContent(self.server.path("b"), BODY)

    def test_a_refused_one_is_told(self):
        self.assertEqual(self.curl("-T", self.source, f"{self.server.url}none/f"), ["409"])


if __name__ == "__main__":
    tool.main()
