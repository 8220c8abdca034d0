"""The demo: what a newcomer sees first."""

import signal

import tool
from tool import ToolTest


class Demo(ToolTest):
    def run_demo(self, *options, **more):
        return self.start("demo", *options, env=tool.os.environ | {"TMPDIR": self.folder}, **more)

    def test_copies_sends_and_receives_and_verifies_every_byte(self):
        done = self.run_demo("--size", "3MiB").finish()
        self.assertStatus(done, 0)
        text = done.out.decode()
        self.assertEqual(text.count("every byte is right"), 3)
        for words in ("copied 3 MiB", "sent 3 MiB", "received 3 MiB", "loopback TCP", "unix socket",
                      "path", "calls", "/s", "/GiB", "congestion", "passed over", "3 MiB"):
            self.assertIn(words, text)
        self.assertOnly()

    def test_a_small_size_works_too(self):
        self.assertStatus(self.run_demo("--size", "1").finish(), 0)

    def test_leaves_nothing_when_interrupted(self):
        started = self.run_demo("--size", "1GiB")
        tool.until(lambda: tool.os.listdir(self.folder), "the demo has begun")
        started.signal(signal.SIGINT)
        self.assertStatus(started.finish(tool.WATCHDOG), 130)
        self.assertOnly()

    def test_says_what_failed(self):
        done = self.start("demo", env=tool.os.environ | {"TMPDIR": self.path("none")}).finish()
        self.assertStatus(done, 1, "headrace demo", "No such file or directory")


if __name__ == "__main__":
    tool.main()
