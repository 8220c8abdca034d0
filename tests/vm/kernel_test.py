"""What this kernel and the guest's answer differently is told differently, and all bytes move."""

import json
import os
import tempfile
import unittest

import guest
import inside
import tool

# splice from /dev/zero, and with it sendfile, came with copy_splice_read.
ZERO_SPLICES_SINCE = (6, 5)


def version(release):
    major, minor = release.split(".")[:2]
    return int(major), int("".join(filter(str.isdigit, minor)))


class Kernels(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        done = guest.inside("answers", capture=True, HEADRACE=tool.HEADRACE)
        cls.there = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None
        with tempfile.TemporaryDirectory(prefix="headrace-test-") as folder:
            cls.here = inside.answers(folder)

    def both(self):
        """[(where, the answers, the kernel's version)]"""
        self.assertIsNotNone(self.there)
        return [(where, answers, version(answers["release"]))
                for where, answers in (("here", self.here), ("in the guest", self.there))]

    def test_the_guest_runs_another_kernel(self):
        self.assertIsNotNone(self.there)
        self.assertNotEqual(self.there["release"], os.uname().release)

    def test_what_is_refused_from_dev_zero_is_told_and_the_next_method_takes_over(self):
        for where, answers, kernel in self.both():
            for method in ("sendfile", "splice"):
                with self.subTest(where, method=method):
                    self.judge(answers[method], method, kernel >= ZERO_SPLICES_SINCE)

    def judge(self, report, method, offered):
        self.assertEqual(report["bytes"], inside.FROM_ZERO)
        legs = [(leg["method"], leg["ending"], leg["bytes"]) for leg in report["legs"]]
        if offered:
            self.assertEqual(legs, [(method, "finished", inside.FROM_ZERO)])
            return
        self.assertEqual(legs, [(method, "refused", 0), ("read_write", "finished", inside.FROM_ZERO)])
        told = next(one for one in report["refused"] if one["method"] == method)
        self.assertEqual(told["reason"], "refused-when-tried")
        self.assertEqual(report["legs"][0]["error"]["text"], "Invalid argument")

    def test_explain_kernel_tries_the_kernel_it_runs_on(self):
        for where, answers, _ in self.both():
            with self.subTest(where):
                self.assertIn(answers["release"], answers["explain"])
                for method in ("copy_file_range", "sendfile", "splice"):
                    self.assertIn(method, answers["explain"])


if __name__ == "__main__":
    tool.main()
