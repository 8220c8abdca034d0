"""Everything but ordinary files: /proc and /sys, devices, FIFOs, pipes, terminals, strange names."""

import json
import os
import pty
import threading
import tty

import tool
from tool import ToolTest, content

DATA = content(700_001)


class PseudoFiles(ToolTest):
    def test_files_of_proc_are_whole(self):
        for name in ("version", "filesystems", "cpuinfo", "self/limits", "devices"):
            with self.subTest(name):
                path, copied = "/proc/" + name, self.path(name.replace("/", "-"))
                self.assertStatus(self.run_tool("copy", path, copied), 0)
                with open(path, "rb") as file:
                    real = file.read()
                with open(copied, "rb") as file:
                    there = file.read()
                if name == "cpuinfo":  # clock rates differ from one look to the next
                    self.assertEqual(there.count(b"processor"), real.count(b"processor"))
                else:
                    self.assertEqual(there, real)
                self.assertGreater(len(there), 0)

    def test_files_of_proc_with_each_method(self):
        with open("/proc/version", "rb") as file:
            version = file.read()
        for method in tool.all_methods():
            with self.subTest(method):
                done = self.run_tool("copy", "--method", method, "/proc/version", self.path(method))
                self.assertIn(done.status, (0, 3), done)  # refused aloud, or whole
                if done.status == 0:
                    self.assertContent(self.path(method), version)
                else:
                    self.assertFalse(os.path.exists(self.path(method)))

    def test_files_of_sys_whose_size_is_wrong_are_whole(self):
        path = "/sys/kernel/mm/transparent_hugepage/enabled"
        if not os.path.exists(path):
            path = "/sys/kernel/uevent_seqnum"
        with open(path, "rb") as file:
            real = file.read()
        self.assertNotEqual(os.path.getsize(path), len(real))
        self.assertStatus(self.run_tool("copy", path, self.path("b")), 0)
        self.assertContent(self.path("b"), real)

    def test_a_range_of_a_file_of_proc(self):
        with open("/proc/version", "rb") as file:
            version = file.read()
        done = self.run_tool("copy", "--range", "6:7", "/proc/version", "-")
        self.assertStatus(done, 0)
        self.assertEqual(done.out, version[6:13])


class Devices(ToolTest):
    def test_the_null_device_takes_everything_and_stays(self):
        done = self.run_tool("copy", self.make("a", DATA), "/dev/null", json_report=True)
        self.assertStatus(done, 0)
        self.assertEqual(done.report["bytes"], len(DATA))
        self.assertTrue(tool.os.stat("/dev/null").st_rdev)

    def test_the_zero_device_is_endless_so_a_range_bounds_it(self):
        done = self.run_tool("copy", "--range", "0:100000", "/dev/zero", self.path("b"))
        self.assertStatus(done, 0)
        self.assertContent(self.path("b"), bytes(100_000))

    def test_the_full_device_is_full(self):
        done = self.run_tool("copy", self.make("a", DATA), "/dev/full")
        self.assertStatus(done, 1, "No space left on device")

    def test_the_null_device_is_empty(self):
        self.assertStatus(self.run_tool("copy", "/dev/null", self.path("b")), 0)
        self.assertContent(self.path("b"), b"")


class Streams(ToolTest):
    def copies_through(self, write, read):
        """Moves DATA from `write` to `read` while the tool is in between."""
        writer = threading.Thread(target=write)
        writer.start()
        try:
            return read()
        finally:
            writer.join(tool.PATIENCE)

    def test_a_fifo_as_source(self):
        fifo = self.make_fifo("p")
        started = self.start("copy", fifo, self.path("b"))
        with open(fifo, "wb") as writer:
            writer.write(DATA)
        self.assertStatus(started.finish(), 0)
        self.assertContent(self.path("b"), DATA)

    def test_a_fifo_as_destination_stays_a_fifo(self):
        fifo = self.make_fifo("p")
        started = self.start("copy", self.make("a", DATA), fifo)
        with open(fifo, "rb") as reader:
            self.assertSameBytes(reader.read(), DATA)
        self.assertStatus(started.finish(), 0)
        self.assertTrue(tool.os.path.exists(fifo) and not os.path.isfile(fifo))

    def test_a_fifo_that_ends_at_once_is_empty(self):
        fifo = self.make_fifo("p")
        started = self.start("copy", fifo, self.path("b"))
        os.close(os.open(fifo, os.O_WRONLY))
        self.assertStatus(started.finish(), 0)
        self.assertContent(self.path("b"), b"")

    def test_standard_input_to_standard_output(self):
        reader, writer = self.pipe()
        started = self.start("copy", "-", "-", stdin=reader)
        os.close(reader)

        def write():
            with open(writer, "wb") as stream:
                stream.write(DATA)

        done = self.copies_through(write, started.finish)
        self.assertStatus(done, 0)
        self.assertSameBytes(done.out, DATA)

    def test_standard_input_goes_on_where_it_stands(self):
        with open(self.make("a", DATA), "rb") as source:
            os.lseek(source.fileno(), 1000, os.SEEK_SET)
            done = self.run_tool("copy", "-", "-", stdin=source)
            self.assertSameBytes(done.out, DATA[1000:])
            self.assertEqual(os.lseek(source.fileno(), 0, os.SEEK_CUR), len(DATA))

    def test_standard_output_goes_on_where_it_stands(self):
        with open(self.make("b", b"0123456789"), "r+b") as output:
            os.lseek(output.fileno(), 4, os.SEEK_SET)
            self.assertStatus(self.run_tool("copy", self.make("a", b"xy"), "-", stdout=output), 0)
            self.assertEqual(os.lseek(output.fileno(), 0, os.SEEK_CUR), 6)
        self.assertContent(self.path("b"), b"0123xy6789")

    def test_flags_of_lent_descriptors_are_kept(self):
        reader, writer = self.pipe()
        before = tool.fcntl.fcntl(writer, tool.fcntl.F_GETFL)
        self.assertStatus(self.run_tool("copy", self.make("a", b"x"), "-", stdout=writer), 0)
        self.assertEqual(tool.fcntl.fcntl(writer, tool.fcntl.F_GETFL), before)
        self.assertEqual(os.read(reader, 10), b"x")

    def test_a_non_blocking_pipe_is_served_to_the_end(self):
        reader, writer = self.pipe(4096)
        os.set_blocking(writer, False)
        started = self.start("copy", self.make("a", DATA), "-", stdout=writer)
        os.close(writer)
        self.assertSameBytes(tool.read_all(reader), DATA)
        self.assertStatus(started.finish(), 0)

    def test_a_terminal_as_destination(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        tty.setraw(slave)
        started = self.start("copy", self.make("a", DATA[:20_000]), "-", stdout=slave)
        os.close(slave)
        there = b""
        while len(there) < 20_000:
            there += os.read(master, 65536)
        self.assertSameBytes(there, DATA[:20_000])
        self.assertStatus(started.finish(), 0)

    def test_a_terminal_as_source_ends_with_its_end_of_file(self):
        terminal = tool.Terminal()
        self.addCleanup(terminal.close)
        started = self.start("copy", "-", self.path("b"), stdin=terminal.slave)
        terminal.type(b"one line\n\x04")
        self.assertStatus(started.finish(), 0)
        self.assertContent(self.path("b"), b"one line\n")

    def test_dev_stdin_and_dev_stdout_are_what_they_are_called(self):
        reader, writer = self.pipe()
        os.write(writer, b"through /dev")
        os.close(writer)
        done = self.run_tool("copy", "/dev/stdin", "/dev/stdout", stdin=reader)
        self.assertStatus(done, 0)
        self.assertEqual(done.out, b"through /dev")


class Names(ToolTest):
    def copies_to(self, name):
        name = os.fsencode(name)
        source = os.path.join(os.fsencode(self.folder), b"from " + name)[:4000]
        folder = os.path.join(os.fsencode(self.folder), b"d")
        os.makedirs(folder, exist_ok=True)
        with open(source, "wb") as file:
            file.write(DATA)
        target = os.path.join(folder, name)
        for _ in range(2):  # as a new file, and over itself
            done = self.run_tool("copy", source, target, json_report=True)
            self.assertStatus(done, 0)
            with open(target, "rb") as file:
                self.assertSameBytes(file.read(), DATA)
        self.assertEqual(os.listdir(folder), [name])
        os.unlink(target)
        return done

    def test_of_every_kind_come_out_as_given_and_the_report_stays_json(self):
        for name in ("with space", "-", "--help", "new\nline", "grün", "日本", '"quoted"\\', "\x1b[31m",
                     b"\xff\xfe not utf-8", b"caf\xe9", "unix:x", "a:1"):
            with self.subTest(name):
                done = self.copies_to(name)
                json.dumps(done.report)
                self.assertEqual(done.report["source"]["size"], len(DATA))

    def test_control_characters_do_not_reach_the_terminal(self):
        done = self.run_tool("copy", self.path("\x1b[31mred"), self.path("b"))
        self.assertStatus(done, 1)
        self.assertNotIn("\x1b", done.err)

    def test_of_the_greatest_length(self):
        limit = os.pathconf(self.folder, "PC_NAME_MAX")
        source = self.make("a", DATA)
        for name in ("n" * limit, "ü" * (limit // 2)):
            with self.subTest(name[0]):
                for _ in range(2):
                    self.assertStatus(self.run_tool("copy", source, self.path(name)), 0)
                    self.assertContent(self.path(name), DATA)
        done = self.run_tool("copy", source, self.path("n" * (limit + 1)))
        self.assertStatus(done, 1, "File name too long")

    def test_in_the_current_directory(self):
        self.make("a", DATA)
        self.assertStatus(self.run_tool("copy", "a", "b", cwd=self.folder), 0)
        self.assertContent(self.path("b"), DATA)

    def test_after_two_dashes(self):
        self.make("-a", DATA)
        self.assertStatus(self.run_tool("copy", "--", "-a", "--b", cwd=self.folder), 0)
        self.assertContent(self.path("--b"), DATA)


if __name__ == "__main__":
    tool.main()
