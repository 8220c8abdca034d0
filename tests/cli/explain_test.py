"""explain: the plan, every method passed over, the facts, the contract - and nothing is touched."""
# labels: strace

import json
import os

import tool
from tool import ToolTest, content

DATA = content(100_000)


class Pairs(ToolTest):
    def explain(self, source, destination, *options, status=0, **more):
        done = self.run_tool("explain", *options, source, destination, **more)
        self.assertStatus(done, status)
        return done.out.decode()

    def test_every_method_is_in_the_plan_or_passed_over_with_a_reason(self):
        out = self.explain(self.make("a", DATA), self.path("b"))
        for method in tool.all_methods():
            self.assertIn(method, out)
        self.assertIn("no-end-is-a-pipe", out)
        self.assertIn("contract", out)
        self.assertOnly("a")

    def test_it_is_the_plan_that_copy_carries_out(self):
        source = self.make("a", DATA)
        plan = json.loads(self.explain(source, self.path("b"), "--report", "json"))
        done = self.run_tool("copy", source, self.path("b"), json_report=True)
        names = [entry if isinstance(entry, str) else entry["method"] for entry in plan["usable"]]
        self.assertEqual(done.report["legs"][0]["method"], names[0])

    def test_an_existing_destination_is_left_alone(self):
        there = self.make("b", b"old")
        before = os.stat(there)
        self.explain(self.make("a", DATA), there)
        self.assertEqual(os.stat(there), before)

    def test_addresses(self):
        out = self.explain(self.make("a", DATA), "127.0.0.1:9")
        self.assertIn("sendfile", out)
        self.assertIn(tool.congestion_control() if tool.congestion_control() != "bbr" else "reno", out)
        out = self.explain("127.0.0.1:9", self.path("b"))
        self.assertIn("splice_pipe", out)
        self.explain(self.make("a", DATA), "unix:/nowhere")
        self.explain(self.make("a", DATA), "localhost:9")

    def test_standard_input_and_output(self):
        out = self.explain("-", "-", stdin=self.pipe()[0])
        self.assertIn("pipe", out)
        self.assertIn("stable", self.explain(self.make("a", DATA), "-"))

    def test_a_file_that_appends(self):
        with open(self.path("log"), "ab") as output:
            done = self.run_tool("explain", self.make("a", DATA), "-", stdout=output)
        self.assertStatus(done, 0)
        with open(self.path("log"), encoding="utf-8") as log:
            self.assertIn("destination-appends", log.read())

    def test_wishes_are_part_of_the_plan(self):
        source = self.make("a", DATA)
        out = self.explain(source, self.path("b"), "--method", "read_write")
        self.assertIn("not-named", out)
        out = self.explain(source, "-", "--stable", "--require", "kernel", status=3)
        self.assertIn("below-required-class", out)

    def test_what_is_not_there(self):
        done = self.run_tool("explain", self.path("none"), self.path("b"))
        self.assertStatus(done, 1, self.path("none"), "No such file")
        done = self.run_tool("explain", self.make("a", DATA), self.path("none/b"))
        self.assertStatus(done, 1, "does not exist")

    def test_a_device_and_a_fifo(self):
        self.explain("/dev/zero", "/dev/null")
        self.explain(self.make("a", DATA), self.make_fifo("p"))


class Lists(ToolTest):
    def test_methods(self):
        done = self.run_tool("explain", "--methods")
        self.assertStatus(done, 0)
        lines = done.out.decode().splitlines()
        self.assertEqual({line.split()[0] for line in lines}
                         >= {"reflink", "copy_file_range", "sendfile", "splice", "splice_pipe",
                             "read_write"}, True)
        for line in lines:
            self.assertIn(line.split()[1], ("shared", "kernel", "user"))

    def test_kernel(self):
        done = self.run_tool("explain", "--kernel", cwd=self.folder)
        self.assertStatus(done, 0)
        out = done.out.decode()
        self.assertIn(os.uname().release, out)
        for name in ("O_TMPFILE", "FICLONE", "copy_file_range", "sendfile", "splice", "io_uring",
                     "kernel TLS", "congestion control"):
            self.assertRegex(out, rf"(?m)^  {name} +(yes|no)\b")
        self.assertIn(tool.congestion_control(), out)
        self.assertOnly()

    @tool.needs("strace")
    def test_kernel_finds_out_by_trying(self):
        wrap = tool.strace("-e", "trace=sendfile", "-e", "inject=sendfile:error=ENOSYS")
        done = self.run_tool("explain", "--kernel", wrap=wrap, cwd=self.folder)
        self.assertStatus(done, 0)
        self.assertRegex(done.out.decode(), r"(?m)^  sendfile +no: Function not implemented")


if __name__ == "__main__":
    tool.main()
