"""What runs in the guest: suites of tests/paths, or programs of unit tests, on an ext4 of its own.

    inside.py paths SUITE...          e.g. methods_test; each kind of pair, fewer sizes
    inside.py programs PROGRAM[=FILTER]...
    inside.py answers                 what kernels answer differently, as JSON on the last line
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

SCRATCH = "/mnt/headrace"
SCRATCH_SIZE = 320 << 20  # bytes; of the guest's memory it takes what is written
SIZE = 100_001  # over what a pipe holds; every further size costs minutes there
FROM_ZERO = 65536


def not_tried(what, why):
    print(f"not tried: {what}: {why}", flush=True)


def make_scratch():
    """An ext4 in memory: the guest's root is an overlay, where 6.1 has no files without a name."""
    os.makedirs(SCRATCH, exist_ok=True)
    image = "/dev/shm/scratch"
    with open(image, "wb") as file:
        file.truncate(SCRATCH_SIZE)
    for command in (["mkfs.ext4", "-q", "-F", "-b", "4096", image], ["mount", "-o", "loop", image, SCRATCH]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            not_tried("ext4", f"{command[0]}: {done.stderr.strip()}; overlay instead")
            return
    os.environ["TMPDIR"] = tempfile.tempdir = SCRATCH


def tell_the_kernel():
    print(f"the guest's kernel is {os.uname().release}", flush=True)
    with open("/proc/filesystems", encoding="ascii") as file:
        there = set(file.read().split())
    for name in ("ext4", "xfs", "btrfs", "overlay"):
        if name not in there:
            not_tried(name, "this kernel has no such file system")


def run_paths(suites):
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:0] = [os.path.join(here, "..", "paths"), os.path.join(here, "..", "support")]
    import unittest

    import pairs
    import watchdog

    all_sizes = list(pairs.SIZES)
    pairs.SIZES[:] = [SIZE]
    print(f"shortened: sizes {pairs.SIZES} of {all_sizes}", flush=True)
    with pairs.block_device():
        for line in pairs.missing():
            print("not tried: " + line, flush=True)
    started = time.monotonic()
    tests = unittest.defaultTestLoader.loadTestsFromNames(suites)
    result = watchdog.runner().run(tests)
    print(f"{time.monotonic() - started:.0f} s in the guest")
    return result.wasSuccessful() and result.testsRun > 0


def run_program(program):
    path, _, wanted = program.partition("=")
    started = time.monotonic()
    done = subprocess.run([path, "--gtest_brief=1"] + ([f"--gtest_filter={wanted}"] if wanted else []),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace")
    name = os.path.basename(path)
    passed = re.search(r"\[  PASSED  \] (\d+) test", text)
    print(f"{name}: {passed[1] if passed else 0} passed, status {done.returncode}, "
          f"{time.monotonic() - started:.1f} s", flush=True)
    for skipped in re.findall(r"\[  SKIPPED \] (\S+\.\S+)", text):
        not_tried(skipped, "skipped by itself")
    if done.returncode != 0:
        print(text, flush=True)
    return done.returncode == 0 and passed is not None


def from_zero(folder, method):
    """The report of a copy from /dev/zero by a method that not every kernel offers there."""
    report = os.path.join(folder, "report.json")
    destination = "-" if method == "splice" else os.path.join(folder, "zeros")  # "-": a pipe
    done = subprocess.run(
        [os.environ["HEADRACE"], "copy", "--range", f"0:{FROM_ZERO}", "/dev/zero", destination,
         "--live", "--method", f"{method},read_write", "--quiet", "--report", "json",
         "--report-file", report], stdout=subprocess.PIPE, check=True)
    if destination == "-":
        assert done.stdout == bytes(FROM_ZERO)
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def answers(folder):
    explained = subprocess.run([os.environ["HEADRACE"], "explain", "--kernel"], check=True,
                               stdout=subprocess.PIPE, text=True)
    return {"release": os.uname().release, "explain": explained.stdout,
            "sendfile": from_zero(folder, "sendfile"), "splice": from_zero(folder, "splice")}


def main(what, *names):
    tell_the_kernel()
    make_scratch()
    if what == "answers":
        print(json.dumps(answers(SCRATCH)))
        return 0
    good = run_paths(names) if what == "paths" else all([run_program(name) for name in names])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
