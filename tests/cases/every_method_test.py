"""Every method delivers the identical bytes, and sent, received and the file agree on how many."""

import os

import tool
from tool import ToolTest, content

SIZES = (0, 1, 65536, 65536 * 3 + 17, 20 << 20)


class EveryMethod(ToolTest):
    def transfer(self, where, data, send_options=(), receive_options=()):
        source = self.make("a", data)
        receiver = self.start("receive", *receive_options, where, self.path("b"), json_report=True)
        sender = self.start("send", *send_options, source, receiver.address(), json_report=True)
        sent, received = sender.finish(), receiver.finish()
        return sent, received

    def each(self):
        for size in SIZES:
            data = content(size, size + 1)
            for where in ("127.0.0.1:0", "unix:" + self.path("s")):
                for method in (None, *tool.all_methods()):
                    with self.subTest(size=size, where=where.split(":")[0], method=method):
                        yield data, where, ["--method", method] if method else [], method

    def agree(self, data, *dones):
        for done in dones:
            self.assertStatus(done, 0)
            self.assertEqual(done.report["bytes"], len(data))
            self.assertEqual(sum(leg["bytes"] for leg in done.report["legs"]), len(data))
        self.assertContent(self.path("b"), data)

    def test_of_send(self):
        served = set()
        for data, where, options, method in self.each():
            sent, received = self.transfer(where, data, send_options=options)
            if sent.status == 3:
                self.assertEqual((sent.report["bytes"], received.report["bytes"]), (0, 0))
                continue
            self.agree(data, sent, received)
            served.add(method)
            if method and data:
                self.assertEqual(set(tool.moved_by(sent.report)), {method})
        self.assertGreaterEqual(served, {None, "sendfile", "splice_pipe", "read_write"})

    def test_of_receive(self):
        served = set()
        for data, where, options, method in self.each():
            sent, received = self.transfer(where, data, receive_options=options)
            if received.status == 3:
                continue
            self.agree(data, sent, received)
            served.add(method)
            if method and data:
                self.assertEqual(set(tool.moved_by(received.report)), {method})
        self.assertGreaterEqual(served, {None, "splice_pipe", "read_write"})

    def test_of_copy(self):
        for size in SIZES:
            data = content(size, size + 1)
            source = self.make("a", data)
            for method in tool.all_methods():
                with self.subTest(size=size, method=method):
                    done = self.run_tool("copy", "--method", method, source, self.path("b"),
                                         json_report=True)
                    if done.status != 3:
                        self.agree(data, done)
                        os.unlink(self.path("b"))

    def test_nothing_has_no_rate(self):
        done = self.run_tool("copy", self.make("a", b""), self.path("b"))
        self.assertStatus(done, 0, "copied 0 bytes")
        self.assertNotIn("/s", done.err)


if __name__ == "__main__":
    tool.main()
