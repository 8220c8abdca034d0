"""consumer_test.py CMAKE BUILD SCRATCH COMPILER: an installed headrace serves a program of somebody else."""
import os
import pathlib
import shutil
import subprocess
import sys

PROGRAM = pathlib.Path(__file__).resolve().parent / "program"


def run(*command):
    answer = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        sys.exit(f"{command} answered {answer.returncode}:\n{answer.stdout}{answer.stderr}")
    return answer.stdout


def main(cmake, build, scratch, compiler):
    scratch = pathlib.Path(scratch)
    prefix, tree = scratch / "prefix", scratch / "build"
    for folder in (prefix, tree):  # nothing of an earlier run may help this one
        shutil.rmtree(folder, ignore_errors=True)
    run(cmake, "--install", build, "--prefix", prefix)
    run(cmake, "-S", PROGRAM, "-B", tree, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF")
    run(cmake, "--build", tree)

    content = os.urandom(100_000)
    source, copied = scratch / "source", scratch / "copied"
    source.write_bytes(content)
    copied.unlink(missing_ok=True)
    report = run(tree / "consumer", source, copied)
    assert copied.read_bytes() == content, "the copy differs"
    assert "100000" in report or "97.7KiB" in report, f"the report does not say how much: {report}"
    version = run(prefix / "bin/headrace", "--version")
    assert "headrace" in version, version


main(*sys.argv[1:])
