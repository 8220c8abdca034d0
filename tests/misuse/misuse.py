"""misuse.py SNIPPET COMPILER...: the snippet compiles, and with -DMISUSE it fails for the reason it names."""
import pathlib
import re
import subprocess
import sys


def compile_with(command, *more):
    return subprocess.run([*command, *more], capture_output=True, text=True, check=False,
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"})


def main(snippet, *command):
    text = pathlib.Path(snippet).read_text()
    expected = re.search(r"^// expects: (.+)$", text, re.MULTILINE)
    if not expected or "#ifdef MISUSE" not in text:
        return f"{snippet}: needs a line `// expects: REGEX` and an `#ifdef MISUSE`"
    twin = compile_with(command, snippet)
    if twin.returncode != 0:
        return f"the correct twin does not compile:\n{twin.stderr}"
    misuse = compile_with(command, "-DMISUSE", snippet)
    if misuse.returncode == 0:
        return "the misuse compiles"
    if not re.search(expected[1], misuse.stderr):
        return f"the misuse is refused, but not with /{expected[1]}/:\n{misuse.stderr}"
    return None


sys.exit(main(*sys.argv[1:]))
