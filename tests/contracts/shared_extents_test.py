"""The same where extents can be shared: reflink, and `stable` by a clone without a name."""
# labels: slow

import file_systems
import mutation
import tool
import trial
import trials_test

COUNT = 150


class OnSharedExtents(trials_test.Trials):
    kind = "xfs"

    def setUp(self):
        super().setUp()
        try:
            self.folder = self.enterContext(file_systems.mounted(self.kind))
        except file_systems.Unavailable as why:
            self.skipTest(str(why))

    def test_the_stated_contract_holds_each_time(self):
        served, _ = self.hold(COUNT, trials_test.SEED)
        for contract in trial.CONTRACTS:
            self.assertIn(("file", contract, "reflink"), served)
            self.assertIn(("send", contract, "sendfile"), served)

    def stable_send(self, *wishes):
        source = self.make("source", tool.content(300_000))
        server = self.listener()
        started = self.start("send", source, f"127.0.0.1:{server.getsockname()[1]}", "--stable", *wishes,
                             json_report=True)
        peer = self.accept(server)
        got = tool.receive_all(peer)
        peer.close()
        done = started.finish()
        self.assertStatus(done, 0)
        self.assertSameBytes(got, tool.content(300_000))
        self.assertIsNone(done.report["contract"]["exposure"])
        return done.report

    def test_stable_reads_unless_a_kernel_path_is_asked_for(self):
        self.assertEqual(self.stable_send()["contract"]["evidence"], "read")
        report = self.stable_send("--require", "kernel")
        self.assertEqual((report["contract"]["evidence"], report["class"]), ("clone", "kernel"))

    def test_bytes_sent_from_a_clone_do_not_follow_the_file(self):
        change = mutation.Mutation("overwrite", "write", mutation.during(after=1), 5)
        tried = trial.Trial("send", "stable", "sendfile", change, 600_000)
        outcome = trial.carry_out(self, tried)
        self.assertEqual(trial.faults(tried, outcome), [])
        self.assertTrue(outcome.record.done)
        self.assertSameBytes(outcome.got, outcome.record.old)
        self.assertEqual(outcome.report["contract"]["evidence"], "clone")


class OnBtrfs(OnSharedExtents):
    kind = "btrfs"


if __name__ == "__main__":
    tool.main()
