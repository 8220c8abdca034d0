"""What a user may ask of a transfer: method, class, contract, range, rate, patience."""

import errno
import os

import tool
from tool import ToolTest, content

DATA = content(300_000)


class Methods(ToolTest):
    def test_only_the_named_one_is_taken(self):
        source = self.make("a", DATA)
        for method in ("copy_file_range", "sendfile", "splice_pipe", "read_write"):
            with self.subTest(method):
                done = self.run_tool("copy", "--method", method, source, self.path("b"),
                                     json_report=True)
                self.assertStatus(done, 0)
                self.assertEqual(tool.moved_by(done.report), {method: len(DATA)})
                self.assertContent(self.path("b"), DATA)

    def test_the_order_of_the_names_is_the_order_of_the_tries(self):
        source = self.make("a", DATA)
        for names in (("read_write", "sendfile"), ("sendfile", "read_write")):
            done = self.run_tool("copy", "--method", ",".join(names), source, self.path("b"),
                                 json_report=True)
            self.assertEqual(done.report["legs"][0]["method"], names[0])
            self.assertEqual(done.report["wishes"]["methods"], list(names))

    def test_a_name_whose_rule_refuses_gives_way_to_the_next(self):
        done = self.run_tool("copy", "--method", "splice,read_write", self.make("a", DATA),
                             self.path("b"), json_report=True)
        self.assertStatus(done, 0)
        self.assertEqual(tool.moved_by(done.report), {"read_write": len(DATA)})
        self.assertIn("splice", [refusal["method"] for refusal in done.report["refused"]])

    def test_none_that_can_is_status_3_with_the_reasons(self):
        done = self.run_tool("copy", "--method", "splice", self.make("a", DATA), self.path("b"))
        self.assertStatus(done, 3, "refused", "splice", "no-end-is-a-pipe")
        self.assertOnly("a")

    def test_an_unknown_name_is_status_2_and_lists_the_methods(self):
        for command in (["copy", "a", "b"], ["send", "a", "127.0.0.1:1"],
                        ["receive", "127.0.0.1:0", "b"], ["explain", "a", "b"]):
            with self.subTest(command[0]):
                done = self.run_tool(*command, "--method", "sendfiel", cwd=self.folder)
                self.assertStatus(done, 2, "sendfiel", *tool.all_methods())

    def test_an_empty_name_is_no_method(self):
        source = self.make("a", DATA)
        for names in ("", ",", "sendfile,", ",sendfile"):
            with self.subTest(names):
                done = self.run_tool("copy", "--method=" + names, source, self.path("b"))
                self.assertStatus(done, 2)
                self.assertOnly("a")


class Require(ToolTest):
    """Refused before a byte moves: the destination is as it was."""

    def test_shared_is_refused_where_nothing_can_be_shared(self):
        source = self.make("a", DATA)
        os.mkfifo(self.path("p"))
        keeper = os.open(self.path("p"), os.O_RDWR)
        self.addCleanup(os.close, keeper)
        done = self.run_tool("copy", "--require", "shared", source, self.path("p"))
        self.assertStatus(done, 3, "refused", "below-required-class")
        os.set_blocking(keeper, False)
        self.assertRaises(BlockingIOError, os.read, keeper, 1)

    def test_kernel_is_refused_for_a_file_that_appends(self):
        log = self.make("log", b"old\n")
        with open(log, "ab") as output:
            done = self.run_tool("copy", "--require", "kernel", self.make("a", DATA), "-",
                                 stdout=output)
        self.assertStatus(done, 3, "refused", "destination-appends")
        self.assertContent(log, b"old\n")

    def refuses(self, *options, old):
        source = self.make("a", DATA)
        if old:
            self.make("b", b"old")
        done = self.run_tool("copy", "--require", "kernel", "--method", "read_write", *options,
                             source, self.path("b"), json_report=True)
        self.assertStatus(done, 3, "refused")
        self.assertEqual((done.report["bytes"], done.report["outcome"]), (0, "refused"))
        if old:
            self.assertContent(self.path("b"), b"old")
        self.assertOnly("a", *(["b"] if old else []))

    def test_a_refused_copy_makes_no_file(self):
        self.refuses(old=False)

    def test_a_refused_copy_leaves_the_old_file(self):
        self.refuses(old=True)

    def test_a_refused_copy_in_place_empties_nothing(self):
        self.refuses("--in-place", old=True)

    def test_a_refused_copy_through_a_link_of_proc_empties_nothing(self):
        source = self.make("a", DATA)
        with open(self.make("b", b"old content"), "r+b") as file:
            there = f"/proc/{os.getpid()}/fd/{file.fileno()}"
            done = self.run_tool("copy", "--require", "kernel", "--method", "read_write", source, there)
            self.assertStatus(done, 3, "refused")
            self.assertContent(self.path("b"), b"old content")
            self.make("a", b"new")
            self.assertStatus(self.run_tool("copy", source, there), 0)
            self.assertContent(self.path("b"), b"new")

    def test_a_refused_copy_in_place_makes_no_file(self):
        self.refuses("--in-place", old=False)

    def test_a_refused_receive_leaves_the_old_file(self):
        for name, old in (("b", b"old"), ("c", None)):
            if old:
                self.make(name, old)
            with self.subTest(old=old):
                receiver = self.start("receive", "--require", "shared", "127.0.0.1:0",
                                      self.path(name))
                peer = self.connect(receiver.port())
                peer.close()
                self.assertStatus(receiver.finish(), 3, "refused")
                self.assertEqual(os.path.exists(self.path(name)), old is not None)
                if old:
                    self.assertContent(self.path(name), old)

    def test_a_refused_send_sends_nothing(self):
        server = self.listener()
        sender = self.start("send", "--require", "shared", self.make("a", DATA),
                            "127.0.0.1:%d" % server.getsockname()[1])
        # No orderly end: nothing sent is not the same as an empty file.
        self.assertRaises(ConnectionResetError, tool.receive_all, self.accept(server))
        self.assertStatus(sender.finish(), 3, "refused")

    def test_kernel_holds_at_any_size(self):
        for size in (1, 4096, 300_000):
            done = self.run_tool("copy", "--require", "kernel", self.make("a", content(size)),
                                 self.path("b"), json_report=True)
            self.assertStatus(done, 0)
            self.assertIn(done.report["class"], ("kernel", "shared"))
            self.assertContent(self.path("b"), content(size))

    def test_an_unknown_class_is_status_2(self):
        done = self.run_tool("copy", "--require", "fast", self.make("a", DATA), self.path("b"))
        self.assertStatus(done, 2, "kernel", "shared")


class Contracts(ToolTest):
    def contract(self, *options, to_pipe=False):
        source = self.make("a", DATA[:1000])
        destination = "-" if to_pipe else self.path("b")
        done = self.run_tool("copy", *options, source, destination, json_report=True)
        self.assertStatus(done, 0)
        return done.report["contract"]["name"], set(tool.moved_by(done.report))

    def test_guarded_to_a_file_stable_to_a_pipe_and_live_to_a_device_by_default(self):
        self.assertEqual(self.contract()[0], "guarded")
        done = self.run_tool("copy", self.make("a", DATA), "/dev/null", json_report=True)
        self.assertEqual(done.report["contract"]["name"], "live")
        self.assertEqual(self.contract(to_pipe=True), ("stable", {"read_write"}))

    def test_live_to_a_pipe_gives_its_pages(self):
        name, methods = self.contract("--live", to_pipe=True)
        self.assertEqual(name, "live")
        self.assertNotIn("read_write", methods)

    def test_stable_to_a_file(self):
        self.assertEqual(self.contract("--stable")[0], "stable")

    def test_require_outweighs_a_default_contract_and_says_so(self):
        name, methods = self.contract("--require", "kernel", to_pipe=True)
        self.assertEqual(name, "live")
        self.assertNotIn("read_write", methods)

    def test_require_against_a_contract_asked_for_is_refused(self):
        done = self.run_tool("copy", "--stable", "--require", "kernel", self.make("a", DATA), "-")
        self.assertStatus(done, 3, "refused")
        self.assertEqual(done.out, b"")

    def test_stable_over_a_socket_is_read_and_written(self):
        server = self.listener()
        sender = self.start("send", "--stable", self.make("a", DATA),
                            "127.0.0.1:%d" % server.getsockname()[1], json_report=True)
        peer = self.accept(server)
        self.assertSameBytes(tool.receive_all(peer), DATA)
        peer.close()
        done = sender.finish()
        self.assertStatus(done, 0)
        self.assertEqual(done.report["class"], "user")

    def test_both_at_once_is_status_2(self):
        done = self.run_tool("copy", "--live", "--stable", self.make("a", DATA), self.path("b"))
        self.assertStatus(done, 2, "--live", "--stable")


class Ranges(ToolTest):
    def moved(self, text, expected, **options):
        for method in ("copy_file_range", "sendfile", "splice_pipe", "read_write"):
            with self.subTest(range=text, method=method):
                done = self.run_tool("copy", "--method", method, "--range", text,
                                     self.make("a", DATA), self.path("b"), json_report=True)
                self.assertStatus(done, 0)
                self.assertContent(self.path("b"), expected)
                self.assertEqual(done.report["bytes"], len(expected))

    def test_from_the_middle(self):
        self.moved("1000:5000", DATA[1000:6000])

    def test_from_the_start(self):
        self.moved("0:1", DATA[:1])

    def test_to_the_end(self):
        self.moved("299999:", DATA[299_999:])

    def test_of_everything(self):
        self.moved("0:", DATA)

    def test_with_units(self):
        self.moved("1KiB:64KiB", DATA[1024:1024 + 65536])

    def test_of_nothing(self):
        self.moved("5:0", b"")

    def test_that_reaches_beyond_the_end_gives_what_there_is(self):
        self.moved("299000:1GiB", DATA[299_000:])

    def test_that_starts_at_the_end_is_empty(self):
        self.moved("300000:5", b"")

    def test_that_starts_beyond_the_end_is_status_2_and_names_both(self):
        source, there = self.make("a", DATA), self.make("b", b"old")
        for options in ([], ["--in-place"]):
            done = self.run_tool("copy", *options, "--range", "300001:5", source, there)
            self.assertStatus(done, 2, "300001", "300000", source)
            self.assertContent(there, b"old")
        server = self.listener()
        done = self.run_tool("send", "--range", "1MiB:", source,
                             "127.0.0.1:%d" % server.getsockname()[1])
        self.assertStatus(done, 2, "1048576", "300000")
        server.setblocking(False)
        self.assertRaises(BlockingIOError, server.accept)  # nobody was troubled

    def test_of_a_pipe_counts_from_where_it_stands(self):
        reader, writer = self.pipe()
        os.write(writer, b"0123456789")
        done = self.run_tool("copy", "--range", "0:4", "-", "-", stdin=reader)
        self.assertStatus(done, 0)
        self.assertEqual(done.out, b"0123")
        self.assertEqual(os.read(reader, 100), b"456789")  # not one byte more was taken

    def test_of_a_pipe_cannot_start_in_the_middle(self):
        reader, writer = self.pipe()
        os.write(writer, b"0123456789")
        done = self.run_tool("copy", "--range", "2:4", "-", self.path("b"), stdin=reader)
        self.assertStatus(done, 2, "standard input", "0:LENGTH")
        self.assertOnly()

    def test_does_not_move_the_offset_of_standard_input(self):
        with open(self.make("a", DATA), "rb") as source:
            os.lseek(source.fileno(), 7, os.SEEK_SET)
            done = self.run_tool("copy", "--range", "100:50", "-", "-", stdin=source)
            self.assertSameBytes(done.out, DATA[100:150])
            self.assertEqual(os.lseek(source.fileno(), 0, os.SEEK_CUR), 7)

    def test_is_sent(self):
        server = self.listener()
        sender = self.start("send", "--range", "100:70000", self.make("a", DATA),
                            "127.0.0.1:%d" % server.getsockname()[1])
        peer = self.accept(server)
        self.assertSameBytes(tool.receive_all(peer), DATA[100:70_100])
        peer.close()
        self.assertStatus(sender.finish(), 0)

    def test_malformed_is_status_2_and_says_the_form(self):
        for text in ("", "5", ":", "a:b", "-1:5", "1:-5", "1:2:3", "1.5:2", "5:x"):
            with self.subTest(text):
                done = self.run_tool("copy", "--range=" + text, self.make("a", DATA),
                                     self.path("b"))
                self.assertStatus(done, 2, "--range")
                self.assertOnly("a")


class Rate(ToolTest):
    def test_a_limited_copy_is_whole(self):
        for method in ("copy_file_range", "sendfile", "splice_pipe", "read_write"):
            with self.subTest(method):
                done = self.run_tool("copy", "--method", method, "--limit-rate", "1MiB",
                                     self.make("a", DATA), self.path("b"), json_report=True)
                self.assertStatus(done, 0)
                self.assertContent(self.path("b"), DATA)
                self.assertGreater(done.report["legs"][0]["waits"], 0)

    def test_a_limited_pipe_is_whole(self):
        reader, writer = self.pipe()
        os.write(writer, DATA[:50_000])
        os.close(writer)
        done = self.run_tool("copy", "--limit-rate", "200KiB", "-", "-", stdin=reader)
        self.assertStatus(done, 0)
        self.assertSameBytes(done.out, DATA[:50_000])

    def test_no_rate_is_status_2(self):
        for text in ("0", "-5", "fast", ""):
            with self.subTest(text):
                done = self.run_tool("copy", "--limit-rate=" + text, self.make("a", DATA),
                                     self.path("b"))
                self.assertStatus(done, 2, "--limit-rate")


class IdleTimeout(ToolTest):
    def timed_out(self, done, moved):
        self.assertStatus(done, 1, "timed out", "--idle-timeout")
        self.assertEqual(done.report["bytes"], moved)
        self.assertEqual(done.report["outcome"], "failed")
        self.assertEqual(done.report["legs"][-1]["error"]["errno"], errno.ETIMEDOUT)

    def test_a_pipe_that_falls_silent(self):
        reader, writer = self.pipe()
        os.write(writer, b"twelve bytes")
        done = self.run_tool("copy", "--idle-timeout", "0.1", "-", self.path("b"), stdin=reader,
                             json_report=True)
        self.timed_out(done, 12)
        self.assertOnly()

    def test_a_reader_that_falls_silent(self):
        reader, writer = self.pipe(4096)
        done = self.run_tool("copy", "--idle-timeout", "0.1", self.make("a", DATA), "-",
                             stdout=writer, json_report=True)
        os.close(writer)
        arrived = tool.read_all(reader)
        self.timed_out(done, len(arrived))
        self.assertSameBytes(arrived, DATA[:len(arrived)])

    def test_a_sender_that_falls_silent(self):
        receiver = self.start("receive", "--idle-timeout", "0.2", "127.0.0.1:0", self.path("b"),
                              json_report=True)
        peer = self.connect(receiver.port())
        peer.sendall(b"some bytes")
        self.timed_out(receiver.finish(), 10)
        self.assertContent(self.path("b"), b"some bytes")

    def test_our_own_rate_is_no_silence(self):
        done = self.run_tool("copy", "--idle-timeout", "0.05", "--limit-rate", "200KiB",
                             self.make("a", DATA[:100_000]), self.path("b"))
        self.assertStatus(done, 0)

    def test_no_time_is_status_2(self):
        for text in ("0", "-1", "soon", "", "nan", "inf", "1e99"):
            with self.subTest(text):
                done = self.run_tool("copy", "--idle-timeout=" + text, self.make("a", DATA),
                                     self.path("b"))
                self.assertStatus(done, 2, "--idle-timeout")


class Buffers(ToolTest):
    def test_of_any_size_move_every_byte(self):
        source = self.make("a", DATA[:20_000])
        for size in ("1", "1000", "64KiB", "1GiB"):
            for method in ("read_write", "splice_pipe"):
                with self.subTest(size=size, method=method):
                    done = self.run_tool("copy", "--method", method, "--buffer", size, source,
                                         self.path("b"))
                    self.assertStatus(done, 0)
                    self.assertContent(self.path("b"), DATA[:20_000])


if __name__ == "__main__":
    tool.main()
