"""The demo: what a newcomer sees first."""
# labels: strace

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
        self.assertEqual(text.count("every byte is right"), 5)
        for words in ("copied 3MiB", "sent 3MiB", "received 3MiB", "loopback TCP", "unix socket",
                      "HTTP server", "path", "calls", "/s", "/GiB", "congestion", "passed over",
                      "3MiB"):
            self.assertIn(words, text)
        self.assertOnly()

    def test_serves_what_it_puts_and_gets(self):
        text = self.run_demo("--size", "3MiB").finish().out.decode()
        http = text.split("File to an HTTP server and back")[1]
        self.assertEqual(http.count("every byte is right"), 2)
        for answer in ("201 Created", "200 OK"):
            self.assertIn(answer, http)
        log = http.split("The server's log\n")[1].splitlines()
        self.assertRegex(log[0], r'^127\.0\.0\.1:\d+ .*"PUT /file HTTP/1\.1" 201 .* received=3145728')
        self.assertRegex(log[1], r'^127\.0\.0\.1:\d+ .*"GET /file HTTP/1\.1" 200 3145728 .* kernel ')

    def test_a_small_size_works_too(self):
        self.assertStatus(self.run_demo("--size", "1").finish(), 0)

    def test_leaves_nothing_when_interrupted(self):
        started = self.run_demo("--size", "1GiB")
        tool.until(lambda: tool.os.listdir(self.folder), "the demo has begun")
        started.signal(signal.SIGINT)
        self.assertStatus(started.finish(tool.WATCHDOG), 130)
        self.assertOnly()

    def interrupted_in(self, call, when):
        """The signal comes with this call of the tool's; gives how many it made."""
        trace = self.path("trace")
        done = self.run_demo("--size", "64MiB", wrap=[
            "strace", "-f", "-qq", "-o", trace, "-e", f"trace={call}",
            "-e", f"inject={call}:signal=SIGINT:when={when}"]).finish(tool.WATCHDOG)
        self.assertEqual(done.status, 130, done)
        self.assertOnly("trace")
        with open(trace, encoding="utf-8") as lines:
            return sum(1 for line in lines if f" {call}(" in line)

    @tool.needs("strace")
    def test_ends_at_once_when_interrupted_while_it_fills_the_file(self):
        self.assertLess(self.interrupted_in("write", 5), 10)

    @tool.needs("strace")
    def test_ends_at_once_when_interrupted_while_it_verifies(self):
        self.assertLess(self.interrupted_in("pread64", 5), 10)

    @tool.needs("strace")
    def test_ends_at_once_when_interrupted_while_it_fetches(self):
        self.interrupted_in("renameat,renameat2,linkat", 1)

    @tool.needs("strace")
    def test_nobody_waits_for_a_connection_that_fails(self):
        wrap = tool.strace("-f", "-e", "trace=connect", "-e", "inject=connect:error=ENETUNREACH")
        done = self.run_demo("--size", "1MiB", wrap=wrap).finish(tool.WATCHDOG)
        self.assertStatus(done, 1, "headrace demo", "connect: Network is unreachable")
        self.assertOnly()

    def test_says_what_failed(self):
        done = self.start("demo", env=tool.os.environ | {"TMPDIR": self.path("none")}).finish()
        self.assertStatus(done, 1, "headrace demo", "No such file or directory")


if __name__ == "__main__":
    tool.main()
