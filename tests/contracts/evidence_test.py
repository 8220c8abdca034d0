"""By what a contract is kept, and how the evidence treats those who write to the source."""

import contextlib
import fcntl
import mmap
import os
import subprocess
import unittest

import file_systems
import tool
from tool import IS_ROOT, NOBODY, content

# Where a lease tells of every writer, as stat(1) calls them: one on an overlay does not.
TELLING = ("ext2/ext3", "xfs", "btrfs", "tmpfs")
SIZE = 3 << 20  # more than the buffers between the tool and a peer that does not read


class Evidence(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.source = self.make("source", content(SIZE))

    def contract(self, *arguments, **options):
        done = self.run_tool(*arguments, json_report=True, **options)
        self.assertStatus(done, 0)
        return done.report["contract"]

    def stalled(self, *wishes):
        """A guarded send to a peer that does not read yet."""
        server = self.listener(receive_buffer=16 << 10)
        address = f"127.0.0.1:{server.getsockname()[1]}"
        started = self.start("send", self.source, address, "--guarded", *wishes, json_report=True)
        peer = self.accept(server)
        tool.until_asleep(started)
        return started, peer

    def has_leases(self):
        """Asked without the tool: whether it has to have one."""
        where = subprocess.run(["stat", "-f", "-c", "%T", self.source], stdout=subprocess.PIPE, check=True,
                               text=True).stdout.strip()
        with open(self.source, "rb") as file:
            try:
                fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            except OSError:
                return False
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return where in TELLING

    # -- Which contract, and which evidence --

    def test_a_copy_to_a_file_is_guarded_unless_told_otherwise(self):
        got = self.contract("copy", self.source, self.path("b"))
        self.assertEqual(got["name"], "guarded")
        self.assertEqual(got["evidence"], "lease" if self.has_leases() else "times")
        self.assertIsNone(got["exposure"])

    def test_live_claims_no_evidence(self):
        got = self.contract("copy", self.source, self.path("b"), "--live")
        self.assertEqual((got["name"], got["evidence"]), ("live", None))

    def test_beside_a_writer_the_times_decide(self):
        with open(self.source, "r+b"):
            got = self.contract("copy", self.source, self.path("b"))
        self.assertEqual(got["evidence"], "times")

    @unittest.skipUnless(IS_ROOT, "becoming another user needs root")
    def test_of_another_users_file_the_times_decide(self):
        folder = self.make_folder("theirs")
        os.chown(folder, NOBODY, NOBODY)
        with open(self.source, "rb") as source, open(self.path("theirs", "b"), "wb") as destination:
            os.fchown(destination.fileno(), NOBODY, NOBODY)
            report = self.path("theirs", "report")
            started = self.start("copy", "-", self.path("theirs", "b"), "--guarded", "--report", "json",
                                 "--report-file", report, stdin=source, user=NOBODY, group=NOBODY,
                                 extra_groups=[])
            started.report_file = report
            done = started.finish()
        self.assertStatus(done, 0)
        self.assertEqual(done.report["contract"]["evidence"], "times")

    def test_on_an_overlay_the_times_decide(self):
        try:
            overlay = self.enterContext(file_systems.mounted("overlay"))
        except file_systems.Unavailable as why:
            self.skipTest(str(why))
        source = os.path.join(overlay, "source")
        with open(source, "wb") as file:
            file.write(content(SIZE))
        got = self.contract("copy", source, os.path.join(overlay, "b"))
        self.assertEqual(got["evidence"], "times")

    # -- Writers --

    def test_a_writer_is_let_in_while_a_peer_keeps_us_waiting(self):
        if not self.has_leases():
            self.skipTest("no leases here")
        started, peer = self.stalled()
        with open(self.source, "r+b"):  # returns once the lease is given back
            self.assertIsNone(started.process.poll(), "the send is still waiting for its peer")
        got = tool.receive_all(peer)
        peer.close()
        done = started.finish()
        self.assertStatus(done, 0)
        self.assertSameBytes(got, content(SIZE))
        self.assertEqual(done.report["contract"]["evidence"], "lease")
        self.assertTrue(any("the lease was given back" in note for note in done.report["notes"]),
                        done.report["notes"])

    def test_what_a_writer_changes_then_is_seen(self):
        started, peer = self.stalled()
        with open(self.source, "r+b") as file:
            file.write(b"x")
        got = tool.receive_until_reset(peer)
        peer.close()
        done = started.finish()
        self.assertStatus(done, 4, "overwritten")
        self.assertLess(len(got), SIZE)
        self.assertEqual(done.report["change"]["kind"], "overwritten")

    def test_a_writer_that_does_not_want_to_wait_is_turned_away(self):
        if not self.has_leases():
            self.skipTest("no leases here")
        started, peer = self.stalled()
        with self.assertRaises(BlockingIOError):
            os.close(os.open(self.source, os.O_WRONLY | os.O_NONBLOCK))
        got = tool.receive_all(peer)
        peer.close()
        self.assertStatus(started.finish(), 0)
        self.assertSameBytes(got, content(SIZE))

    def test_a_name_taken_by_another_file_is_seen(self):
        started, peer = self.stalled()
        os.rename(self.make("other", content(SIZE)), self.source)
        tool.receive_until_reset(peer)
        peer.close()
        done = started.finish()
        self.assertStatus(done, 4, "replaced")
        self.assertEqual(done.report["change"]["kind"], "replaced")

    def test_another_mode_or_name_is_no_change_where_nobody_can_have_written(self):
        if not self.has_leases():
            self.skipTest("no leases here: the times decide")
        started, peer = self.stalled()
        os.chmod(self.source, 0o600)
        os.link(self.source, self.path("link"))
        got = tool.receive_all(peer)
        peer.close()
        done = started.finish()
        self.assertStatus(done, 0)
        self.assertEqual(done.report["contract"]["evidence"], "lease")
        self.assertSameBytes(got, content(SIZE))

    def test_another_mode_is_a_change_where_the_times_decide(self):
        with open(self.source, "r+b"):
            started, peer = self.stalled()
            os.chmod(self.source, 0o600)
            tool.receive_until_reset(peer)
            peer.close()
            done = started.finish()
        self.assertStatus(done, 4, "touched")
        self.assertEqual(done.report["change"]["kind"], "touched")

    def test_a_writer_of_a_live_source_never_waits_for_us(self):
        server = self.listener(receive_buffer=16 << 10)
        address = f"127.0.0.1:{server.getsockname()[1]}"
        started = self.start("send", self.source, address, "--live", json_report=True)
        peer = self.accept(server)
        tool.until_asleep(started)
        os.close(os.open(self.source, os.O_WRONLY | os.O_NONBLOCK))
        tool.receive_all(peer)
        peer.close()
        self.assertStatus(started.finish(), 0)

    # -- What no times show --

    def test_a_store_to_a_page_that_was_dirty_before_is_not_seen(self):
        with open(self.source, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
            mapped[-1] ^= 1
            started, peer = self.stalled()
            mapped[-1] ^= 1
            with contextlib.closing(peer):
                got = tool.receive_until_reset(peer)
            done = started.finish()
        if done.status == 4:
            self.skipTest("the kernel wrote the page to disk in between, so the store was seen")
        self.assertStatus(done, 0)
        self.assertEqual(len(got), SIZE)
        self.assertEqual(done.report["contract"]["evidence"], "times")


if __name__ == "__main__":
    tool.main()
