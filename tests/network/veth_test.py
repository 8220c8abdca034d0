"""send and receive between two network namespaces: bytes, counts, what is said of the peer."""
# labels: strace

import errno
import os
import re
import sys

import network
import tool
import witness
from tool import ToolTest, content

DATA = content(3_000_001)
PORT_OF_THE_SYSTEM = ":0"


class OverVeth(ToolTest):
    rate = None

    def setUp(self):
        super().setUp()
        try:
            self.link = network.Link(self.rate)
        except network.Unavailable as reason:
            self.skipTest(str(reason))
        self.addCleanup(self.link.close)
        self.source, self.there = self.make("a", DATA), self.path("b")

    def receive(self, *options):
        return self.start("receive", *options, self.link.right.address + PORT_OF_THE_SYSTEM,
                          self.there, wrap=self.link.right.inside, json_report=True)

    def send(self, receiver, *options):
        return self.start("send", *options, self.source, receiver.address(),
                          wrap=self.link.left.inside, json_report=True)


def socket_of(end):
    """Just the connection: asking for the interfaces' addresses takes sockets, too."""
    return witness.matching(rf"socket:\[{end['inode']}\]")


class Shaped(OverVeth):
    rate = "200mbit"

    def test_every_method_brings_all(self):
        served = set()
        for method in ("auto", *tool.all_methods()):
            options = [] if method == "auto" else ["--method", method]
            for of_send, of_receive in ((options, []), ([], options)):
                with self.subTest(method=method, send=bool(of_send)):
                    receiver = self.receive(*of_receive)
                    sent = self.send(receiver, *of_send).finish()
                    received = receiver.finish()
                    if 3 in (sent.status, received.status):
                        continue
                    for done in (sent, received):
                        self.assertStatus(done, 0)
                        self.assertEqual(done.report["bytes"], len(DATA))
                    self.assertEqual(sent.report["acknowledged"], len(DATA))
                    self.assertContent(self.there, DATA)
                    served.add(method)
        self.assertGreaterEqual(served, {"auto", "sendfile", "splice_pipe", "read_write"})

    def test_the_reports_say_what_strace_saw(self):
        if reason := witness.why_not():
            self.skipTest(reason)
        here, there = self.path("report-sent"), self.path("report-received")
        options = ["--report", "json", "--report-file"]
        with open(self.path("said"), "wb") as said:
            receiver = witness.Traced(
                [*self.link.right.inside, tool.HEADRACE, "receive",
                 self.link.right.address + PORT_OF_THE_SYSTEM, self.there, *options, there],
                report_file=there, stderr=said)
        self.addCleanup(lambda: receiver.process.poll() is None and receiver.finish(0))
        address = tool.until(self.listening, "somebody listens")
        sent = witness.run([*self.link.left.inside, tool.HEADRACE, "send", self.source, address,
                            *options, here], report_file=here)
        received = receiver.finish()
        self.assertEqual((sent.status, received.status), (0, 0), sent.stderr)
        self.assertEqual(witness.check_report(sent, witness.path(self.source),
                                              socket_of(sent.report["destination"])), [])
        self.assertEqual(witness.check_report(received, socket_of(received.report["source"]),
                                              witness.path(self.there)), [])
        self.assertContent(self.there, DATA)

    def listening(self):
        with open(self.path("said"), encoding="utf-8") as said:
            found = re.search(r"listening on (\S+)", said.read())
        return found and found[1]

    def test_the_congestion_control_is_left_alone(self):
        for name in {self.link.left.congestion_control(), "reno", "bbr"}:
            with self.subTest(name):
                try:
                    for side in (self.link.left, self.link.right):
                        side.run("sh", "-c", f"echo {name} >/proc/sys/net/ipv4/tcp_congestion_control")
                except network.Unavailable as reason:
                    print(f"not tried: {reason}", file=sys.stderr)
                    continue
                receiver = self.receive()
                sent = self.send(receiver).finish()
                received = receiver.finish()
                for done in (sent, received):
                    self.assertStatus(done, 0)
                    self.assertEqual(done.report["congestion"], {"in_force": name, "before": None})

    def test_within_one_namespace_it_is_the_loopback_rule(self):
        receiver = self.receive()
        sent = self.start("send", self.source, receiver.address(), wrap=self.link.right.inside,
                          json_report=True).finish()
        self.assertStatus(receiver.finish(), 0)
        self.assertTrue(sent.report["destination"]["peer_local"])
        self.assertFalse(sent.report["congestion"]["in_force"].startswith("bbr"))

    def test_a_peer_in_another_namespace_counts_as_another_machine(self):
        # By its address it is one. That unread bytes there are still pages of the file cannot be known
        # from here: a veth leads to a neighbour, or over a bridge into the world.
        receiver = self.receive()
        sent = self.send(receiver).finish()
        received = receiver.finish()
        self.assertIs(sent.report["destination"]["peer_local"], False)
        self.assertIs(received.report["source"]["peer_local"], False)
        self.assertIsNone(sent.report["contract"]["exposure"])


class GoingDown(OverVeth):
    """A slow link, so that it is known to be in the middle."""

    rate = "8mbit"

    def breaks(self, how):
        receiver = self.receive("--idle-timeout", "1")
        sender = self.send(receiver, "--idle-timeout", "1")
        tool.until(lambda: os.path.exists(self.there) and os.path.getsize(self.there) > 50_000,
                   "something arrives")
        how()
        sent, received = sender.finish(), receiver.finish()
        for done, verb in ((sent, "send"), (received, "receive")):
            self.assertStatus(done, 1, f"headrace {verb}: ", "timed out", "--idle-timeout")
            self.assertEqual(done.report["outcome"], "failed")
            told = done.report["error"] or done.report["legs"][-1]["error"]
            self.assertEqual(told["errno"], errno.ETIMEDOUT)
            self.assertEqual(sum(leg["bytes"] for leg in done.report["legs"]), done.report["bytes"])
        there = received.report["bytes"]
        self.assertLess(there, len(DATA))
        self.assertContent(self.there, DATA[:there])
        # Acknowledgements may have been lost, and what is on its way is neither here nor there.
        self.assertLessEqual(sent.report["acknowledged"], there)
        self.assertLessEqual(there, sent.report["bytes"])

    def test_at_the_receiver_ends_both_with_exact_counts(self):
        self.breaks(self.link.cut)

    def test_at_the_sender_ends_both_with_exact_counts(self):
        self.breaks(lambda: self.link.cut(self.link.left))

    def test_slower_than_patience_ends_both_with_exact_counts(self):
        self.breaks(lambda: self.link.set_rate("1kbit"))

    def test_and_up_again_in_time_loses_nothing(self):
        receiver = self.receive()
        sender = self.send(receiver)
        tool.until(lambda: os.path.exists(self.there) and os.path.getsize(self.there) > 50_000,
                   "something arrives")
        self.link.cut()
        self.link.mend()
        self.link.set_rate("200mbit")
        self.assertStatus(sender.finish(), 0)
        self.assertStatus(receiver.finish(), 0)
        self.assertContent(self.there, DATA)


class Unreachable(OverVeth):
    def test_a_link_that_is_down_is_told_by_its_errno(self):
        self.link.cut(self.link.left)
        done = self.start("send", self.source, self.link.right.address + ":7777",
                          wrap=self.link.left.inside).finish()
        self.assertStatus(done, 1, "Network is unreachable", "check the address")

    def test_a_silent_host_is_told_in_time(self):
        self.link.cut()
        done = self.start("send", "--idle-timeout", "1", self.source,
                          self.link.right.address + ":7777", wrap=self.link.left.inside).finish()
        self.assertStatus(done, 1, "connect", self.link.right.address)


if __name__ == "__main__":
    if reason := network.why_not():
        print("skipped: " + reason, file=sys.stderr)
        sys.exit(77)
    tool.main()
