"""tools/check_layers accepts a clean tree and refuses every kind of violation, one at a time."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/check_layers"

CLEAN = {
    "CMakeLists.txt": "headrace_folder(sys)\nheadrace_folder(probe NEEDS sys)\n"
                      "headrace_folder(methods/support NEEDS probe)\nheadrace_methods()\n"
                      "headrace_folder(tls NEEDS sys)\nheadrace_folder(plan NEEDS probe)\n"
                      "headrace_folder(transfer NEEDS plan methods LINKS Threads::Threads)\n",
    "include/headrace/plan.hpp": '#include "headrace/method.hpp"\n#include <vector>\n',
    "src/sys/files.hpp": "#include <fcntl.h>\n// printf(3) is not called here\n",
    "src/probe/probe.hpp": '#include "sys/files.hpp"\n#include "headrace/facts.hpp"\n',
    "src/methods/support/errors.hpp": '#include "probe/probe.hpp"\n',
    "src/methods/one/method.cmake": "set(NEEDS tls)\n",
    "src/methods/one/engine.cpp": '#include "methods/one/engine.hpp"\n#include "methods/support/errors.hpp"\n'
                                  '#include "tls/session.hpp"\nconst char* call = "exit(1)"; int x = engine.exit(2);\n',
    "src/methods/two/method.cmake": "",
    "src/methods/two/engine.hpp": '#include "sys/files.hpp"\n',
    "src/tls/session.hpp": "#include <openssl/ssl.h>\n",
    "src/plan/make_plan.cpp": '#include "probe/probe.hpp"\n',
    "src/transfer/drive.cpp": '#include "plan/make_plan.hpp"\nint n = snprintf(text, 4, "x");\n',
    "src/transfer/drive_test.cpp": '#include "support/files.hpp"\n#include "methods/one/engine.hpp"\nvoid f() { std::exit(0); }\n',
    "src/transfer/drive_testing.hpp": '#include <fstream>\n',
    "tests/support/files.hpp": "",
    "src/cli/main.cpp": '#include <fmt/format.h>\n#include <CLI/CLI.hpp>\n#include <iostream>\n'
                        '#include "transfer/drive.hpp"\nint main() { std::exit(1); }\n',
}


def verdict(changes):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**CLEAN, **changes}.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True, check=False)


class CheckLayers(unittest.TestCase):
    def refuses(self, name, text, words):
        answer = verdict({name: text})
        self.assertEqual(answer.returncode, 1, answer.stdout + answer.stderr)
        self.assertEqual(answer.stdout.count("\n"), 2, answer.stdout)  # this violation and the sum
        self.assertIn(words, answer.stdout)

    def test_accepts_a_clean_tree(self):
        answer = verdict({})
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)

    def test_refuses_a_dependency_that_points_up(self):
        self.refuses("src/sys/up.cpp", '\n#include "plan/make_plan.hpp"\n', "src/sys/up.cpp:2: sys must not include")

    def test_refuses_a_sibling_that_is_not_needed(self):
        self.refuses("src/plan/x.cpp", '#include "tls/session.hpp"\n', "plan must not include")

    def test_refuses_another_methods_folder(self):
        self.refuses("src/methods/one/x.cpp", '#include "methods/two/engine.hpp"\n', "methods/one must not include")

    def test_refuses_a_need_of_another_method(self):
        self.refuses("src/methods/two/x.cpp", '#include "tls/session.hpp"\n', "methods/two must not include")

    def test_refuses_a_method_named_by_the_library(self):
        self.refuses("src/transfer/x.cpp", '#include "methods/one/engine.hpp"\n', "transfer must not include")

    def test_refuses_test_support_outside_tests(self):
        self.refuses("src/plan/x.cpp", '#include "support/files.hpp"\n', "no declared folder support")

    def test_refuses_a_path_that_does_not_start_at_src(self):
        self.refuses("src/plan/x.cpp", '#include "make_plan.hpp"\n', "write the path from src/")

    def test_refuses_a_folder_nobody_declared(self):
        self.refuses("src/extra/x.cpp", "int x;\n", "src/extra")

    def test_refuses_a_private_header_in_a_public_one(self):
        self.refuses("include/headrace/x.hpp", '#include "sys/files.hpp"\n', "a public header must not include")

    def test_refuses_libraries_outside_their_folder(self):
        for header in ("boost/asio.hpp", "CLI/CLI.hpp", "fmt/format.h", "openssl/ssl.h", "iostream", "fstream"):
            with self.subTest(header):
                self.refuses("src/plan/x.cpp", f"#include <{header}>\n", f"<{header}> belongs only in")

    def test_refuses_a_library_that_speaks_or_exits(self):
        for line in ('std::cerr << "x";', 'printf("x");', 'std::fprintf(f, "x");', 'auto x = ::getenv("HOME");', "std::exit(1);", "_exit(1);",
                     "std::abort();", "fputs(x, stderr);"):
            with self.subTest(line):
                self.refuses("src/plan/x.cpp", f"// why\nvoid f() {{ {line} }}\n" if "stderr" not in line
                             else "void f() { g(stderr); }\n", "the library is silent")

    def test_refuses_a_circle(self):
        answer = verdict({"CMakeLists.txt": CLEAN["CMakeLists.txt"].replace("folder(sys)", "folder(sys NEEDS plan)")})
        self.assertEqual(answer.returncode, 1)
        self.assertIn("needs itself", answer.stdout)

    def test_refuses_a_need_nobody_declared(self):
        answer = verdict({"CMakeLists.txt": CLEAN["CMakeLists.txt"] + "headrace_folder(net NEEDS nothing)\n"})
        self.assertEqual(answer.returncode, 1)
        self.assertIn("needs nothing, which is not declared", answer.stdout)


if __name__ == "__main__":
    unittest.main()
