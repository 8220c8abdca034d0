"""Which errors of a fast call mean "not here, go on", and which mean "stop and tell"."""
# labels: strace

import errno
import os

import tool
from faults import FINAL, REFUSALS, environment
from tool import ToolTest, content

DATA = content(500_000)

# {method: the call it makes}; the last of every plan is read_write, which nothing follows.
FAST = {"copy_file_range": "copy_file_range", "sendfile": "sendfile", "splice": "splice",
        "splice_pipe": "splice"}


class Outcomes(ToolTest):
    def setUp(self):
        super().setUp()
        self.source = self.make("a", DATA)

    def went_on(self, done, method, error, after):
        """Refused at this errno, finished by the next, and the report says all of it."""
        self.assertStatus(done, 0)
        self.assertEqual(done.report["bytes"], len(DATA))
        refused = [leg for leg in done.report["legs"] if leg["ending"] == "refused"]
        self.assertEqual([leg["method"] for leg in refused], [method])
        self.assertEqual(refused[0]["error"]["errno"], error)
        self.assertEqual(bool(refused[0]["bytes"]), bool(after))
        told = [entry for entry in done.report["refused"] if entry["method"] == method]
        self.assertIn(os.strerror(error), told[-1]["detail"])
        self.assertEqual(done.report["class"], "user")

    def stopped(self, done, error):
        """Failed with this errno in words; nobody tried again in silence."""
        self.assertStatus(done, 1, os.strerror(error), self.source)
        self.assertEqual(done.report["outcome"], "failed")
        last = done.report["legs"][-1]
        self.assertEqual((last["ending"], last["error"]["errno"]), ("failed", error))
        self.assertEqual(len(done.report["legs"]), 1)

    def cases(self, methods, errors):
        """The errno at the first call, and after some have moved bytes."""
        for method in methods:
            for error in errors:
                for after in (0, 2):
                    with self.subTest(method=method, error=errno.errorcode[error], after=after):
                        env = environment(call=FAST[method], error=error, after=after,
                                          cap=4096 if after else None)
                        yield method, error, after, ["--method", method + ",read_write"], env


class OfCopy(Outcomes):
    METHODS = ("copy_file_range", "sendfile", "splice_pipe")

    def copy(self, options, env):
        return self.run_tool("copy", *options, self.source, self.path("b"), env=env, json_report=True)

    def test_refusals_go_on(self):
        for method, error, after, options, env in self.cases(self.METHODS, REFUSALS):
            done = self.copy(options, env)
            self.went_on(done, method, error, after)
            self.assertContent(self.path("b"), DATA)

    def test_the_default_goes_on_whatever_is_refused(self):
        for call in set(FAST.values()) | {"ioctl"}:
            for error in REFUSALS:
                done = self.copy([], environment(call=call, error=error))
                self.assertStatus(done, 0)
                self.assertContent(self.path("b"), DATA)

    def test_final_errors_stop_and_leave_the_old_file(self):
        old = self.make("b", b"old")
        for _, error, _, options, env in self.cases(self.METHODS, FINAL):
            self.stopped(self.copy(options, env), error)
            self.assertContent(old, b"old")

    def test_final_errors_of_the_plain_calls_stop_too(self):
        for call in ("pread", "write"):
            for error in FINAL:
                # No report file: that would be written by the very call that fails.
                done = self.run_tool("copy", "--method", "read_write", self.source, self.path("b"),
                                     env=environment(call=call, error=error))
                self.assertStatus(done, 1, f"{call}: {os.strerror(error)}")
                self.assertFalse(os.path.exists(self.path("b")))

    def test_a_refusal_of_the_only_method_named_is_status_3(self):
        for method in self.METHODS:
            done = self.copy(["--method", method], environment(call=FAST[method], error=errno.EPERM))
            self.assertStatus(done, 3, "refused", os.strerror(errno.EPERM))
            self.assertFalse(os.path.exists(self.path("b")))

    def test_signals_and_would_block_are_no_refusal(self):
        # Answered once or for ever, EINTR must neither fail the copy nor make it spin.
        for call, method in (("copy_file_range", "copy_file_range"), ("sendfile", "sendfile")):
            wrap = tool.strace("-e", f"trace={call}", "-e", f"inject={call}:error=EINTR:when=1..3")
            done = self.run_tool("copy", "--method", method, self.source, self.path("b"), wrap=wrap)
            self.assertStatus(done, 0)
            self.assertContent(self.path("b"), DATA)


class OfSend(Outcomes):
    METHODS = ("sendfile", "splice_pipe")

    def send(self, options, env):
        """(the send, what its peer got)"""
        server = self.listener()
        sender = self.start("send", *options, self.source,
                            "127.0.0.1:%d" % server.getsockname()[1], env=env, json_report=True)
        peer = self.accept(server)
        arrived = tool.receive_until_reset(peer)
        peer.close()
        return sender.finish(), arrived

    def test_refusals_go_on(self):
        for method, error, after, options, env in self.cases(self.METHODS, REFUSALS):
            done, arrived = self.send(options, env)
            self.went_on(done, method, error, after)
            self.assertSameBytes(arrived, DATA)

    def test_final_errors_stop_and_the_count_is_the_peers(self):
        for _, error, _, options, env in self.cases(self.METHODS, FINAL):
            done, arrived = self.send(options, env)
            self.stopped(done, error)
            # The reset that says "not complete" may overtake what was still on its way.
            self.assertLessEqual(len(arrived), done.report["bytes"])
            self.assertSameBytes(arrived, DATA[:len(arrived)])


class OfReceive(Outcomes):
    METHODS = ("splice_pipe",)

    def receive(self, options, env):
        receiver = self.start("receive", *options, "127.0.0.1:0", self.path("b"), env=env,
                              json_report=True)
        peer = self.connect(receiver.port())
        try:
            peer.sendall(DATA)
        except OSError as error:
            self.assertIn(error.errno, (errno.EPIPE, errno.ECONNRESET))
        peer.close()
        return receiver.finish()

    def test_refusals_before_anything_left_the_socket_go_on(self):
        for method in self.METHODS:
            for error in REFUSALS:
                with self.subTest(error=errno.errorcode[error]):
                    done = self.receive(["--method", method + ",read_write"],
                                        environment(call="splice", error=error))
                    self.went_on(done, method, error, 0)
                    self.assertContent(self.path("b"), DATA)

    def test_a_refusal_with_bytes_in_between_says_how_many_are_lost(self):
        # One splice took them from the socket, the next cannot put them into the file.
        for error in (*REFUSALS, *FINAL):
            with self.subTest(error=errno.errorcode[error]):
                done = self.receive(["--method", "splice_pipe,read_write"],
                                    environment(call="splice", error=error, after=1, cap=4096))
                self.assertStatus(done, 1, os.strerror(error), "lost on the way")
                self.assertEqual(done.report["bytes"], 0)
                self.assertGreater(done.report["stranded"], 0)

    def test_final_errors_keep_what_came(self):
        for error in FINAL:
            with self.subTest(error=errno.errorcode[error]):
                done = self.receive(["--method", "splice_pipe,read_write"],
                                    environment(call="splice", error=error, after=4, cap=4096))
                self.assertStatus(done, 1, os.strerror(error))
                with open(self.path("b"), "rb") as file:
                    self.assertSameBytes(file.read(), DATA[:done.report["bytes"]])


class Pipes(Outcomes):
    def test_refusals_go_on_for_a_pipe_as_source(self):
        for error in REFUSALS:
            reader, writer = self.pipe(1 << 20)
            os.write(writer, DATA)
            os.close(writer)
            done = self.run_tool("copy", "--method", "splice,read_write", "-", self.path("b"),
                                 stdin=reader, env=environment(call="splice", error=error),
                                 json_report=True)
            os.close(reader)
            self.went_on(done, "splice", error, 0)
            self.assertContent(self.path("b"), DATA)

    def test_refusals_go_on_for_a_pipe_as_destination(self):
        for error in REFUSALS:
            done = self.run_tool("copy", "--live", "--method", "splice,read_write", self.source, "-",
                                 env=environment(call="splice", error=error), json_report=True)
            self.went_on(done, "splice", error, 0)
            self.assertSameBytes(done.out, DATA)


if __name__ == "__main__":
    tool.main()
