"""SECURITY.md: each line of its table names what holds it, and that exists."""

import os
import re
import unittest

import tool

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def path_of(word):
    """The file or folder that a word names; None: it names something in the file before it."""
    if word.endswith("_test.py"):
        return os.path.join(ROOT, "tests", "http", word)
    if word.endswith("_test.cpp"):
        return os.path.join(ROOT, "src", "http", word)
    return os.path.join(ROOT, word) if word.endswith("/") else None


class Security(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(ROOT, "SECURITY.md"), encoding="utf-8") as file:
            self.text = file.read()

    def is_there(self, cell):
        text = ""
        for word in re.findall(r"`([^`]+)`", cell):
            path = path_of(word)
            if path is None:
                self.assertRegex(text, rf"(class |def |TEST_F\(\w+, |TEST\(\w+, ){re.escape(word)}\b", cell)
                continue
            self.assertTrue(os.path.exists(path), word)
            if os.path.isfile(path):
                with open(path, encoding="utf-8") as file:
                    text = file.read()

    def test_names_tests_that_exist(self):
        rows = re.findall(r"^\|.*\|.*\|(.*_test\..*)\|$", self.text, re.M)
        self.assertGreater(len(rows), 12)
        self.assertEqual(len(rows), len(re.findall(r"^\|", self.text, re.M)) - 2)  # none without
        for cell in rows:
            self.is_there(cell)

    def test_names_files_that_exist_elsewhere_too(self):
        for word in re.findall(r"\(`(\S+_test\.\w+)`\)", self.text):
            self.assertTrue(os.path.exists(path_of(word)), word)


if __name__ == "__main__":
    tool.main()
