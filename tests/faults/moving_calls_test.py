"""Each call that moves bytes, made to fail at its first and third time: exact counts, nothing left."""
# labels: strace

import errno
import os
import socket
import sys
import threading

import deny
import moving
import tool
import witness
from tool import ToolTest, content

DATA = content(1_500_001)
OLD = b"the old content\n"
FINAL = ("EIO", "ENOSPC", "EDQUOT")
PASSING = ("EINTR", "EAGAIN")
TIMES = (1, 3)


class Faults(ToolTest):
    def setUp(self):
        super().setUp()
        self.source = self.make("a", DATA)
        self.to = self.make_folder("d")
        self.destination = self.path("d/b")
        self.told = self.path("report-told")
        self.reached = 0  # faults that came to bear

    def each_fault(self, targets):
        for target in targets:
            for error in FINAL + PASSING:
                for at in TIMES:
                    wrap = deny.run(*target.denials(error=error, at=at), told=self.told)
                    yield f"{error} from {target}, time {at}", error, wrap

    def each_method(self):
        for method in ("auto", *tool.all_methods()):
            yield method, [] if method == "auto" else ["--method", method]

    def was_met(self):
        answered = deny.counts(self.told)[0].answered
        self.reached += answered
        return answered > 0

    def goes_on(self, done):
        """The fault did not matter: all of it arrived."""
        self.assertStatus(done, 0)
        self.assertEqual((done.report["bytes"], done.report["outcome"]), (len(DATA), "complete"))

    def stops(self, done, error):
        self.assertStatus(done, 1, f"({error})", "failed after")
        told = done.report["legs"][-1]["error"] or done.report["error"]
        self.assertEqual(told["errno"], getattr(errno, error))
        self.assertIn(told["call"] + ": ", done.err)
        self.assertEqual(done.report["outcome"], "failed")
        self.assertLess(done.report["bytes"], len(DATA))


class Copy(Faults):
    def targets(self, options):
        report = self.path("report-witness")
        run = witness.run([tool.HEADRACE, "copy", *options, "--quiet", "--report", "json",
                           "--report-file", report, self.source, self.destination], report_file=report)
        if run.status == 3:
            return []
        self.assertEqual(run.status, 0, run.stderr)
        os.unlink(self.destination)
        return moving.targets(run, self.source, witness.inside(self.to))

    def copy(self, options, wrap):
        return self.run_tool("copy", *options, self.source, self.destination, wrap=wrap,
                             json_report=True)

    def test_that_replaces_a_file(self):
        tried = set()
        for method, options in self.each_method():
            for fault, error, wrap in self.each_fault(self.targets(options)):
                with self.subTest(method=method, fault=fault):
                    self.make("d/b", OLD)
                    done = self.copy(options, wrap)
                    if not self.was_met() or error in PASSING:
                        self.goes_on(done)
                    else:
                        self.stops(done, error)
                    self.assertContent(self.destination, DATA if done.status == 0 else OLD)
                    self.assertOnly("b", folder=self.to)
                    tried.add(method)
        self.assertGreaterEqual(tried, {"auto", "copy_file_range", "sendfile", "read_write"})
        self.assertGreaterEqual(self.reached, 10 * len(tried))  # the rig works

    def test_into_a_file_in_place_counts_what_is_there(self):
        for method, options in self.each_method():
            for fault, error, wrap in self.each_fault(self.targets(options)):
                with self.subTest(method=method, fault=fault):
                    self.make("d/b", OLD)
                    done = self.copy([*options, "--in-place"], wrap)
                    if not self.was_met() or error in PASSING:
                        self.goes_on(done)
                    else:
                        self.stops(done, error)
                    self.holds_exactly(done.report["bytes"])
        self.assertGreater(self.reached, 50)

    def holds_exactly(self, moved):
        """So many bytes of the new content; before the first one the old may still be there."""
        if moved or os.path.getsize(self.destination) != len(OLD):
            self.assertContent(self.destination, DATA[:moved])
        else:
            self.assertContent(self.destination, OLD)

    def test_into_a_file_that_was_not_there_leaves_none(self):
        for fault, error, wrap in self.each_fault(self.targets([])):
            with self.subTest(fault=fault):
                done = self.copy([], wrap)
                if self.was_met() and error in FINAL:
                    self.stops(done, error)
                    self.assertOnly(folder=self.to)
                else:
                    self.goes_on(done)
                    os.unlink(self.destination)


class Send(Faults):
    """The test receives, so that nothing but the sender is watched."""

    def setUp(self):
        super().setUp()
        self.where = self.path("d/s")
        self.server = self.listener(socket.AF_UNIX, self.where)

    def received(self, start):
        """(what `start` gives when it has ended, the bytes that came)."""
        got = []

        def receive():
            peer, _ = self.server.accept()
            with peer:
                peer.settimeout(tool.PATIENCE)
                got.append(tool.receive_until_reset(peer))

        receiver = threading.Thread(target=receive, daemon=True)
        receiver.start()
        done = start()
        receiver.join(tool.PATIENCE)
        return done, b"".join(got)

    def targets(self, options):
        command = [tool.HEADRACE, "send", *options, "--quiet", self.source, "unix:" + self.where]
        run, _ = self.received(lambda: witness.run(command))
        if run.status == 3:
            return []
        self.assertEqual(run.status, 0, run.stderr)
        return moving.targets(run, self.source, witness.any_socket, socket=True)

    def test_counts_what_the_peer_got(self):
        tried = set()
        for method, options in self.each_method():
            for fault, error, wrap in self.each_fault(self.targets(options)):
                with self.subTest(method=method, fault=fault):
                    done, got = self.received(lambda: self.run_tool(
                        "send", *options, self.source, "unix:" + self.where, wrap=wrap, json_report=True))
                    if not self.was_met() or error in PASSING:
                        self.goes_on(done)
                    else:
                        self.stops(done, error)
                    self.assertSameBytes(got, DATA[:done.report["bytes"]])
                    tried.add(method)
        self.assertGreaterEqual(tried, {"auto", "sendfile", "splice_pipe", "read_write"})
        self.assertGreater(self.reached, 10 * len(tried))


class Lies(Faults):
    """A kernel (or a library in between) that answers what cannot be."""

    def test_a_zero_before_the_end_is_not_the_end(self):
        for call in ("copy_file_range", "sendfile", "splice"):
            for at in TIMES:
                target = moving.Target(call, under=self.source)
                others = [deny.Denial(name, error="ENOSYS") for name in ("copy_file_range", "sendfile")
                          if name != call]
                wrap = deny.run(*target.denials(result=0, at=at), *others,
                                deny.Denial("FICLONE", error="EOPNOTSUPP"),
                                deny.Denial("FICLONERANGE", error="EOPNOTSUPP"), told=self.told)
                with self.subTest(call=call, at=at):
                    done = self.run_tool("copy", self.source, self.destination, wrap=wrap,
                                         json_report=True)
                    self.assertTrue(self.was_met())
                    self.goes_on(done)
                    self.assertContent(self.destination, DATA)

    def test_more_than_was_asked_for_is_not_believed(self):
        for call in ("copy_file_range", "sendfile", "splice"):
            target = moving.Target(call, under=self.source)
            method = "splice_pipe" if call == "splice" else call
            for huge in (len(DATA) + 1, 0x7fffffff, 1 << 40):
                wrap = deny.run(*target.denials(result=huge, at=3), told=self.told)
                with self.subTest(call=call, huge=huge):
                    self.make("d/b", OLD)
                    done = self.run_tool("copy", "--method", method, self.source, self.destination,
                                         wrap=wrap, json_report=True)
                    self.assertTrue(self.was_met())
                    self.assertStatus(done, 1, "failed after")
                    self.assertEqual(done.report["bytes"], 2 * moving.CUT)
                    self.assertContent(self.destination, OLD)
                    self.assertOnly("b", folder=self.to)


if __name__ == "__main__":
    if reason := witness.why_not() or deny.why_not():
        print("skipped: " + reason, file=sys.stderr)
        sys.exit(77)
    tool.main()
