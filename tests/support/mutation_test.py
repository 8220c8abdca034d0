"""The mutation driver: it does what it says, at its moment, and judges what came of it."""

import fcntl
import os
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutation  # noqa: E402
import tool  # noqa: E402
from mutation import AFTER, BEFORE, WAYS, Mutation, Mutator, during  # noqa: E402

DATA = tool.content(300_000)
ALL = [(kind, by) for kind, ways in WAYS.items() for by in ways]


class Mutating(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a")
        self.write(DATA)

    def write(self, data):
        with open(self.path, "wb") as file:
            file.write(data)

    def read(self):
        with open(self.path, "rb") as file:
            return file.read()

    def each(self, moment=AFTER, seeds=range(5)):
        for kind, by in ALL:
            for seed in seeds:
                self.write(DATA)
                os.chmod(self.path, 0o600)
                yield Mutation(kind, by, moment, seed)


class Changes(Mutating):
    def test_are_what_the_record_says(self):
        for one in self.each():
            record = one.apply(self.path)
            self.assertTrue(record.done, one)
            self.assertEqual(record.old, DATA, one)
            self.assertEqual(self.read(), record.new, one)
            self.assertEqual(record.changes_content, one.kind not in mutation.KEEPS_CONTENT, one)
            self.assertEqual(os.listdir(os.path.dirname(self.path)), ["a"], one)

    def test_change_every_byte_of_the_span_and_no_other(self):
        for one in self.each():
            if one.kind != "overwrite":
                continue
            record = one.apply(self.path)
            [(start, end)] = record.spans
            self.assertEqual(record.new[:start] + record.new[end:], DATA[:start] + DATA[end:])
            self.assertTrue(all(a != b for a, b in zip(record.new[start:end], DATA[start:end])))

    def test_keep_or_change_the_size(self):
        for one in self.each():
            record = one.apply(self.path)
            self.assertEqual(len(record.new) < len(DATA), one.kind == "shrink", one)
            self.assertEqual(len(record.new) > len(DATA), one.kind == "grow", one)

    def test_are_the_same_for_the_same_seed_and_others_for_another(self):
        contents = {}
        for one in self.each():
            new = one.apply(self.path).new
            self.write(DATA)
            self.assertEqual(one.apply(self.path).new, new)
            contents.setdefault(one.kind, set()).add(new)
        for kind in ("overwrite", "shrink", "grow", "punch"):
            self.assertGreater(len(contents[kind]), 1, kind)

    def test_replace_the_file_or_leave_it_there(self):
        for one in self.each(seeds=[1]):
            with open(self.path, "rb") as first:
                one.apply(self.path)
                same = os.path.samestat(os.stat(self.path), os.fstat(first.fileno()))
            self.assertEqual(same, one.kind != "replace", one)

    def test_of_an_empty_file_are_possible(self):
        for one in self.each():
            self.write(b"")
            record = one.apply(self.path)
            self.assertEqual(self.read(), record.new, one)

    @unittest.skipUnless(os.path.isdir("/dev/shm"), "no /dev/shm")
    def test_through_a_dirty_mapping_may_leave_the_times_alone(self):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:  # nothing is written back there
            path = os.path.join(folder, "a")
            with open(path, "wb") as file:
                file.write(DATA)
            with Mutator(Mutation("overwrite", "dirty-mapping", AFTER, 3), path) as mutator:
                before = os.stat(path)
                self.assertTrue(mutator.apply().changes_content)
            self.assertEqual(os.stat(path)[:], before[:])
            self.assertEqual(os.stat(path).st_ctime_ns, before.st_ctime_ns)

    def test_that_cannot_be_made_fail(self):
        with Mutator(Mutation("overwrite", "write", AFTER, 1), self.path) as mutator:
            os.unlink(self.path)
            with self.assertRaises(AssertionError):
                mutator.end()

    def test_of_unknown_ways_are_refused(self):
        with self.assertRaises(ValueError):
            Mutation("touch", "rename", AFTER, 1)


class Moments(Mutating):
    def test_before(self):
        with Mutator(Mutation("shrink", "truncate", BEFORE, 1), self.path) as mutator:
            self.assertFalse(mutator.record.done)
            mutator.begin()
            self.assertTrue(mutator.record.done)

    def test_during_is_once_so_much_has_arrived(self):
        for moment in (during(after=1000), during(fraction=1000 / len(DATA))):
            self.write(DATA)
            with Mutator(Mutation("grow", "write", moment, 1), self.path) as mutator:
                mutator.begin()
                mutator.arrived(999)
                self.assertEqual(self.read(), DATA)
                mutator.arrived(1500)
                self.assertEqual(mutator.record.arrived, 1500)
                self.assertNotEqual(self.read(), DATA)
                once = self.read()
                mutator.arrived(2000)
                mutator.end()
                self.assertEqual(self.read(), once)

    def test_during_that_never_comes_changes_nothing(self):
        with Mutator(Mutation("grow", "write", during(after=10**9), 1), self.path) as mutator:
            mutator.begin()
            mutator.arrived(len(DATA))
            mutator.end()
            self.assertFalse(mutator.record.done)
            self.assertEqual(mutator.record.verdict(DATA), "old")

    def test_after(self):
        with Mutator(Mutation("grow", "write", AFTER, 1), self.path) as mutator:
            mutator.begin()
            mutator.arrived(len(DATA))
            self.assertEqual(self.read(), DATA)
            mutator.end()
            self.assertNotEqual(self.read(), DATA)

    def test_a_lease_holds_the_writer_up_and_not_the_test(self):
        descriptor = os.open(self.path, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        with Mutator(Mutation("overwrite", "write", AFTER, 1), self.path, patience=0.2) as mutator:
            lease(descriptor, fcntl.F_RDLCK)
            with self.assertRaisesRegex(AssertionError, "not made within"):
                mutator.end()
            lease(descriptor, fcntl.F_UNLCK)

    def test_trials_have_every_way_and_come_out_alike(self):
        drawn = list(mutation.trials(100, seed=5))
        self.assertEqual({(one.kind, one.by) for one in drawn}, set(ALL))
        self.assertEqual({one.moment.when for one in drawn}, {"before", "during", "after"})
        self.assertEqual(drawn, list(mutation.trials(100, seed=5)))
        self.assertNotEqual(drawn, list(mutation.trials(100, seed=6)))


def lease(descriptor, kind):
    signal.signal(signal.SIGIO, signal.SIG_IGN)  # which says that somebody wants to write
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, kind)


class Verdicts(Mutating):
    def setUp(self):
        super().setUp()
        self.record = Mutation("overwrite", "write", AFTER, 1).apply(self.path)
        [(self.start, self.end)] = self.record.spans

    def test_whole_ones(self):
        self.assertEqual(self.record.verdict(DATA), "old")
        self.assertEqual(self.record.verdict(self.record.new), "new")

    def test_both_in_one(self):
        middle = (self.start + self.end) // 2
        self.assertEqual(self.record.verdict(DATA[:middle] + self.record.new[middle:]), "mixed")

    def test_shorter_ones(self):
        self.assertEqual(self.record.verdict(DATA[:self.start]), "cut")
        self.assertEqual(self.record.verdict(self.record.new[:self.end - 1]), "cut")
        self.assertEqual(self.record.verdict(b""), "cut")

    def test_foreign_ones(self):
        self.assertEqual(self.record.verdict(DATA + b"x"), "foreign")
        self.assertEqual(self.record.verdict(DATA[1:]), "foreign")
        for at in (0, self.start, self.end):
            wrong = next(byte for byte in range(3) if byte not in (DATA[at], self.record.new[at]))
            got = DATA[:at] + bytes([wrong]) + DATA[at + 1:]
            self.assertEqual(self.record.verdict(got), "foreign")

    def test_cut_pages_are_zeros(self):
        self.write(DATA)
        record = Mutation("shrink", "truncate", AFTER, 2).apply(self.path)
        size = len(record.new)
        self.assertEqual(record.verdict(DATA[:size] + bytes(len(DATA) - size)), "mixed")
        self.assertEqual(record.verdict(DATA[:size - 1]), "cut")


if __name__ == "__main__":
    unittest.main()
