"""The conformance table of docs/http.md: each row names tests, and each of those exists."""

import ast
import os
import re
import unittest

import tool

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
HEADING = "## What RFC 9110 and RFC 9112 ask"


def rows():
    """[(section, what, who, [(file, class or suite, test)])]"""
    with open(os.path.join(ROOT, "docs", "http.md"), encoding="utf-8") as file:
        lines = file.read().split(HEADING)[1].split("\n")
    table = [line.strip().strip("|").split(" | ") for line in lines if line.startswith("| 9")]
    for section, what, who, held in table:
        tests = [re.fullmatch(r"`(\w+) (\w+)\.(\w+)`", name.strip()).groups()
                 for name in held.split("<br>")]
        yield section.strip(), what, who, tests


def python_tests(path):
    """{(class, test)}, those of a class's base in the same file included."""
    with open(path, encoding="utf-8") as file:
        classes = [node for node in ast.parse(file.read()).body if isinstance(node, ast.ClassDef)]
    own = {each.name: {node.name for node in each.body if isinstance(node, ast.FunctionDef)}
           for each in classes}
    for each in classes:
        for base in each.bases:
            own[each.name] |= own.get(getattr(base, "id", None), set())
    return {(name, test) for name, tests in own.items() for test in tests}


def unit_tests(path):
    with open(path, encoding="utf-8") as file:
        return set(re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", file.read(), re.M))


def tests_of(name):
    path = os.path.join(ROOT, "tests", "http", f"{name}_test.py")
    if os.path.exists(path):
        return python_tests(path)
    for folder, _, files in os.walk(os.path.join(ROOT, "src", "http")):
        if f"{name}_test.cpp" in files:
            return unit_tests(os.path.join(folder, f"{name}_test.cpp"))
    return set()


class Table(unittest.TestCase):
    def test_names_tests_that_exist(self):
        known = {}
        for section, what, _, tests in rows():
            for file, suite, test in tests:
                known.setdefault(file, tests_of(file))
                self.assertIn((suite, test), known[file], f"{section}: {what}")

    def test_has_rows_of_each_chapter_and_of_both_sides(self):
        chapters, sides = set(), set()
        for section, _, who, tests in rows():
            chapters.add(re.match(r"9\d{3} \d+", section)[0])
            sides.add(who.strip())
            self.assertTrue(tests)
        # 9110: 11 is authentication, of which there is none; 9112: 10 describes a media type.
        self.assertLessEqual({f"9110 {n}" for n in range(4, 16)}
                             | {f"9112 {n}" for n in range(2, 10)}, chapters)
        self.assertEqual(sides, {"server", "client", "both"})

    def test_leaves_no_test_of_conformance_out(self):
        named = {test for *_, tests in rows() for test in tests}
        there = {(file, suite, test) for file in ("conformance_server", "conformance_client")
                 for suite, test in tests_of(file) if test.startswith("test_")}
        self.assertEqual(there - named, set())


if __name__ == "__main__":
    tool.main()
