"""What the benchmarks share: timed commands, rows of interleaved pairs, a network of their own."""

import contextlib
import datetime
import os
import platform
import random
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build", "benchmarks")
TOOL = os.path.join(BUILD, "headrace")
MIB = 1 << 20




def bare(name):
    return os.path.join(BUILD, "benchmarks", f"bare_{name}")


class Sample:
    """One run of one command: wall and CPU seconds."""

    def __init__(self, wall, usage):
        self.wall = wall
        self.cpu = usage.ru_utime + usage.ru_stime


def reap(process, start, command):
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    return Sample(wall, usage)


def timed(command):
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return reap(process, start, command)


def listening(command):
    """Starts a receiver; its address comes on either stream."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in process.stdout:
        if "listening on" in line:
            return process, line.split()[-1]
    sys.exit(f"{' '.join(command)}: does not listen")


def removing(path, measure):
    """Before each run the old destination goes, so that nothing is written back meanwhile."""
    def run():
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        return measure()
    return run


class Row:
    def __init__(self, name, what, ours, theirs, target, cpu_target=None, wall_is_most=False):
        self.name = name
        self.what = what
        self.sides = (ours, theirs)
        self.target = target  # theirs / ours in wall seconds; with wall_is_most ours / theirs; None: not judged
        self.cpu_target = cpu_target  # ours / theirs in CPU seconds, at most
        self.wall_is_most = wall_is_most

    def measure(self, rounds):
        for side in self.sides:
            side()  # not counted
        pairs = []
        for _ in range(rounds):
            order = random.sample((0, 1), 2)
            pair = [None, None]
            for which in order:
                pair[which] = self.sides[which]()
            pairs.append(pair)
        return pairs


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def describe(row, pairs):
    ratios = [ours.wall / theirs.wall if row.wall_is_most else theirs.wall / ours.wall
              for ours, theirs in pairs]
    cpu = [ours.cpu / theirs.cpu for ours, theirs in pairs if theirs.cpu > 0]
    middle = statistics.median(ratios)
    good = row.target is None or (middle <= row.target if row.wall_is_most else middle >= row.target)
    if row.cpu_target is not None and cpu:
        good = good and statistics.median(cpu) <= row.cpu_target
    wanted = []
    if row.target is not None:
        wanted.append(("at most " if row.wall_is_most else "at least ") + f"{row.target:g}")
    if row.cpu_target is not None:
        wanted.append(f"CPU at most {row.cpu_target:g}")
    seconds = [statistics.median(sample.wall for sample in side) for side in zip(*pairs)]
    return (f"| {row.what} | {', '.join(wanted)} | {spread(ratios)} | {spread(cpu) if cpu else 'n/a'} | "
            f"{seconds[0] * 1000:.4g} / {seconds[1] * 1000:.4g} | {len(pairs)} | "
            f"{'yes' if good else '**no**'} |")


def make_file(path, size):
    """Incompressible, and read once so that it is in the page cache."""
    block = os.urandom(8 * MIB)
    with open(path, "wb") as file:
        for index in range(size // len(block)):
            file.write(index.to_bytes(8, "little") + block[8:])
    return path


def conditions(directory, rounds):
    def said(*command):
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                if line.startswith("model name")), "unknown")
    return "\n".join([
        f"- date: {datetime.date.today()}; commit: {said('git', '-C', ROOT, 'rev-parse', '--short', 'HEAD')}",
        f"- machine: {os.cpu_count()} cores, {cpu}; kernel {platform.release()}",
        f"- file system: {said('stat', '-f', '-c', '%T', directory)}; page cache warm",
        "- network: loopback of a namespace of its own; congestion control "
        + said("sysctl", "-n", "net.ipv4.tcp_congestion_control"),
        f"- rounds: {rounds}, the two commands in random order within each; load before: {os.getloadavg()[0]:.2f}",
    ])


def build():
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    "-DHEADRACE_TESTS=OFF", "-DHEADRACE_BENCHMARKS=ON"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", BUILD], check=True, stdout=subprocess.DEVNULL)


def inside_namespace():
    return "HEADRACE_BENCHMARK_NAMESPACE" in os.environ


def enter_namespace():
    if inside_namespace():
        return
    os.environ["HEADRACE_BENCHMARK_NAMESPACE"] = "1"
    script = 'ip link set lo up && sysctl -qw net.ipv4.tcp_congestion_control=reno && exec "$@"'
    os.execvp("unshare", ["unshare", "-n", "-m", "sh", "-c", script, "sh", sys.executable, *sys.argv])
