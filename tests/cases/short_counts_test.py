"""A call that moves less than it was asked to is neither an error nor the end."""
# labels: strace

import os
import threading

import tool
from faults import environment
from tool import ToolTest, content

DATA = content(700_001)
CAPS = (1000, 4095)


class ShortCounts(ToolTest):
    def methods(self):
        return [[]] + [["--method", name] for name in tool.all_methods()]

    def each(self):
        for cap in CAPS:
            for options in self.methods():
                with self.subTest(cap=cap, options=options):
                    yield environment(cap=cap), options

    def whole(self, done, path=None, out=None):
        """All of it arrived, or the method said that it does not serve this pair."""
        if done.status == 3:
            self.assertIn("refused", done.err)
            return False
        self.assertStatus(done, 0)
        if path:
            self.assertContent(path, DATA)
        if out is not None:
            self.assertSameBytes(out, DATA)
        self.assertEqual(done.report["bytes"], len(DATA))
        return True

    def test_copy_to_a_file(self):
        source, served = self.make("a", DATA), 0
        for env, options in self.each():
            done = self.run_tool("copy", *options, source, self.path("b"), env=env, json_report=True)
            served += self.whole(done, self.path("b"))
        self.assertGreaterEqual(served, 2 * 5)  # the default and four methods at least

    def test_copy_to_a_pipe(self):
        source = self.make("a", DATA)
        for env, options in self.each():
            done = self.run_tool("copy", *options, source, "-", env=env, json_report=True)
            self.whole(done, out=done.out if done.status == 0 else None)

    def test_copy_from_a_pipe(self):
        for env, options in self.each():
            reader, writer = self.pipe()
            started = self.start("copy", *options, "-", self.path("b"), stdin=reader, env=env,
                                 json_report=True)
            os.close(reader)
            feeder = threading.Thread(target=feed, args=(writer,))
            feeder.start()
            done = started.finish()
            feeder.join()
            self.whole(done, self.path("b"))

    def test_a_range(self):
        for env, options in self.each():
            done = self.run_tool("copy", *options, "--range", "1000:250000", self.make("a", DATA),
                                 self.path("b"), env=env)
            if done.status != 3:
                self.assertStatus(done, 0)
                self.assertContent(self.path("b"), DATA[1000:251_000])

    def test_send_and_receive(self):
        source = self.make("a", DATA)
        for where in ("127.0.0.1:0", "unix:" + self.path("s")):
            for env, options in self.each():
                receiver = self.start("receive", *options, where, self.path("b"), env=env,
                                      json_report=True)
                sender = self.start("send", source, receiver.address(), env=env, json_report=True)
                received, sent = receiver.finish(), sender.finish()
                if received.status != 3:
                    self.whole(received, self.path("b"))
                    self.assertStatus(sent, 0)
                receiver = self.start("receive", where, self.path("c"), env=env)
                sender = self.start("send", *options, source, receiver.address(), env=env,
                                    json_report=True)
                sent, received = sender.finish(), receiver.finish()
                self.whole(sent, self.path("c") if sent.status == 0 else None)

    def test_an_explanation(self):
        done = self.run_tool("explain", self.make("a", DATA), self.path("b"),
                             env=environment(cap=7))
        self.assertStatus(done, 0)
        self.assertEqual(done.out, self.run_tool("explain", self.path("a"), self.path("b")).out)

    def test_a_demo(self):
        done = self.run_tool("demo", "--size", "300KiB",
                             env=environment(cap=1000) | {"TMPDIR": self.folder})
        self.assertStatus(done, 0)


def feed(writer):
    try:
        with open(writer, "wb") as stream:
            stream.write(DATA)
    except BrokenPipeError:
        pass  # the method was refused


if __name__ == "__main__":
    tool.main()
