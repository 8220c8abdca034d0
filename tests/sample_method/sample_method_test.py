"""sample_method_test.py CMAKE CTEST PROJECT SCRATCH COMPILER [LAUNCHER]: a method is one folder and nothing else."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

SAMPLE = pathlib.Path(__file__).resolve().parent / "small_blocks"


def run(*command):
    answer = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        sys.exit(f"{command} answered {answer.returncode}:\n{answer.stdout}{answer.stderr}")
    return answer.stdout


def build(cmake, project, tree, methods, compiler, launcher):
    """Unoptimised: it is built to be asked twice, and the time goes to the compiler."""
    run(cmake, "-S", project, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", "-DHEADRACE_TESTS=ON",
        f"-DHEADRACE_EXTRA_METHODS={methods}", f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}")
    run(cmake, "--build", tree, "--target", "headrace_tool", "method_small_blocks_tests")
    return tree / "headrace"


def main(cmake, ctest, project, scratch, compiler, launcher=""):
    scratch = pathlib.Path(scratch)
    methods, tree = scratch / "outside/methods", scratch / "build"
    # copytree keeps the times, so an unchanged method is not built again.
    shutil.rmtree(methods, ignore_errors=True)
    shutil.copytree(SAMPLE, methods / SAMPLE.name)
    tool = build(cmake, project, tree, methods, compiler, launcher)

    listed = run(tool, "explain", "--methods")
    assert "small_blocks" in listed, f"explain --methods does not list it:\n{listed}"
    assert "one page at a time" in listed, f"explain --methods does not print its summary:\n{listed}"

    content = os.urandom(100_000)
    source, copied = scratch / "source", scratch / "copied"
    source.write_bytes(content)
    copied.unlink(missing_ok=True)
    report = json.loads(run(tool, "copy", "--method", "small_blocks", "--report", "json", source, copied))
    assert copied.read_bytes() == content, "the copy differs"
    carried = [(leg["method"], leg["bytes"]) for leg in report["legs"]]
    assert carried == [("small_blocks", len(content))], report

    default = json.loads(run(tool, "copy", "--report", "json", source, copied))
    taken = [leg["method"] for leg in default["legs"]]
    assert "small_blocks" not in taken, "its rank says by name only, but the default path took it"

    run(ctest, "--test-dir", tree, "-R", "^method_small_blocks[.]", "--no-tests=error", "--output-on-failure")


main(*sys.argv[1:])
