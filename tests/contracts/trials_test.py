"""A thousand seeded changes of a source, on every path and under every contract: each time the
contract that the report names was kept."""
# labels: slow

import collections
import itertools
import os
import random

import mutation
import tool
import trial

COUNT = int(os.environ.get("HEADRACE_TRIALS", "1000"))
SEED = int(os.environ.get("HEADRACE_SEED", "20061120"))
SMALLEST, LARGEST = 300_000, 900_000  # more than what can be on its way, where the change comes early


class Trials(tool.ToolTest):
    def served(self):
        """(command, contract, method) that serve an undisturbed source; the rest is refused."""
        kept = mutation.Mutation("chmod", "chmod", mutation.AFTER, SEED)
        for command, contract in itertools.product(trial.COMMANDS, trial.CONTRACTS):
            for method in ("auto", *tool.all_methods()):
                tried = trial.Trial(command, contract, method, kept, 100_000)
                outcome = trial.carry_out(self, tried)
                if outcome.done.status == trial.REFUSED and method != "auto":
                    continue
                self.assertEqual(trial.faults(tried, outcome), [], tried)
                yield command, contract, method

    def hold(self, count, seed):
        """Fails with every broken promise; gives how often each (command, contract, status) came."""
        served, seen = list(self.served()), collections.Counter()
        drawn, told = random.Random(seed), []
        for number, change in enumerate(mutation.trials(count, seed)):
            if number % len(served) == 0:
                drawn.shuffle(served)
            command, contract, method = served[number % len(served)]
            tried = trial.Trial(command, contract, method, change, drawn.randint(SMALLEST, LARGEST))
            outcome = trial.carry_out(self, tried)
            told += [f"{tried}: {fault}" for fault in trial.faults(tried, outcome)]
            seen[command, contract, outcome.done.status] += 1
        self.assertEqual(len(told), 0, "\n".join(told))
        return served, seen


class Mutations(Trials):
    def test_the_stated_contract_holds_each_time(self):
        _, seen = self.hold(COUNT, SEED)
        if COUNT >= 1000:  # the trials reached what they are for, on a machine however busy
            for command in trial.COMMANDS:
                self.assertGreater(seen[command, "guarded", trial.CHANGED], COUNT // 200, seen)
                self.assertGreater(seen[command, "live", 0], COUNT // 200, seen)
                self.assertGreater(seen[command, "stable", 0], COUNT // 200, seen)


if __name__ == "__main__":
    tool.main()
