"""A server under a thousand clients of every kind at once: nothing leaks, stalls or comes wrong.

HEADRACE_SOAK_SECONDS says how long (20), HEADRACE_SOAK_CLIENTS how many (1000), HEADRACE_SOAK_SEED
which ones: a run that found something is repeated by the seed that it prints.
"""
# labels: slow

import asyncio
import os
import resource
import signal
import sys
import time

import soaking
import tool
import watchdog
from serving import ServeTest

SECONDS = float(os.environ.get("HEADRACE_SOAK_SECONDS", "20"))
CLIENTS = int(os.environ.get("HEADRACE_SOAK_CLIENTS", "1000"))
SEED = int(os.environ.get("HEADRACE_SOAK_SEED", time.time_ns() % 100_000))
MOST_GROWTH = 32 << 20  # of resident memory, once all clients have been there for a while


def status_of(pid, name):
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))


class Soak(ServeTest):
    def opened(self):
        """{kind: how many} of what the server has open; of its files those that stay open anyhow."""
        kinds = {}
        for where, _ in tool.open_files(self.server.pid).values():
            kind = where.split(":")[0] if not where.startswith("/") else "file"
            kinds[kind] = kinds.get(kind, 0) + 1
        return kinds

    def prepare(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4 * CLIENTS + 100)), hard))
        self.root = self.make_folder("root")
        for name, data in soaking.SERVED.items():
            self.make(f"root/{name}", data)
        soaking.replace(self.root, 0)
        self.make_sparse("root/cut", soaking.CUT)
        self.server = self.serve("--upload", "--log", self.path("log"), "--log-format", "json",
                                 root=self.root)

    def look(self):
        self.memory.append(status_of(self.server.pid, "VmRSS") << 10)

    def is_idle(self):
        return self.server.ticks_in(0.5) <= 1

    def left_open(self, before):
        """What is open besides; the cache of files may keep its own."""
        now = self.opened()
        now.pop("file", None)
        return {kind: count for kind, count in now.items() if count > before.get(kind, 0)}

    def test_a_thousand_clients(self):
        print(f"seed {SEED}, {CLIENTS} clients, {SECONDS} s", file=sys.stderr)
        self.prepare()
        before, self.memory = self.opened(), []
        counts = asyncio.run(soaking.soak(self.server.port, self.root, CLIENTS, SECONDS, SEED, self.look))
        print("did", dict(sorted(counts.items())), file=sys.stderr)
        self.assertEqual(set(counts), {act.__name__ for act in soaking.Client.DOES},
                         "too short: not everything was done")
        tool.until(lambda: not self.left_open(before), "all is closed")
        self.assertLessEqual(len(self.memory), SECONDS + 1)
        settled = max(self.memory[:max(1, len(self.memory) // 3)])
        self.assertLess(max(self.memory) - settled, MOST_GROWTH, self.memory)
        tool.until(self.is_idle, "it is idle")
        self.assertEqual([name for name in os.listdir(self.root) if name.startswith("cut-")], [])
        self.assertEqual([name for name in os.listdir(self.root) if name.startswith(".")], [])
        self.server.signal(signal.SIGTERM)
        self.assertStatus(self.server.finish(), 0)
        self.assert_logged(counts)

    def assert_logged(self, counts):
        """A line for each answer at least: nothing was lost or doubled into half a line."""
        with open(self.path("log"), encoding="ascii") as file:
            lines = [tool.json.loads(line) for line in file]
        stored = sum(1 for line in lines if line.get("status") in (201, 204))
        self.assertEqual(stored, counts["upload"])


if __name__ == "__main__":
    watchdog.LIMIT = max(watchdog.LIMIT, SECONDS + 270)
    tool.main()
