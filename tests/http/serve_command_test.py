"""`headrace serve` as a command: what it says, where it listens, how it ends."""

import os
import re
import resource
import signal
import socket

import tool
from serving import ServeTest
from tool import until


class Listening(ServeTest):
    def test_says_where_and_what(self):
        server = self.serve()
        line = server.started.line_with("listening on")
        self.assertRegex(line, rf"listening on http://127\.0\.0\.1:\d+/ \({re.escape(self.path('root'))}\)$")

    def test_on_many_addresses_at_once(self):
        self.make_folder("root")
        self.make("root/f", b"there")
        where = self.path("http.sock")
        server = self.serve("--listen", "127.0.0.1:0", "--listen", "[::1]:0", "--listen", f"unix:{where}")
        self.assertEqual(self.talk_to(server).get("/f").body, b"there")
        six = server.started.line_with("http://[::1]:")
        connection = socket.create_connection(("::1", int(re.search(r"\]:(\d+)/", six)[1])), tool.PATIENCE)
        self.addCleanup(connection.close)
        server.started.line_with(f"listening on unix:{where} (")
        self.assertEqual(self.talk_to_path(where).get("/f").body, b"there")
        server.signal(signal.SIGTERM)
        self.assertEqual(server.finish().status, 0)
        self.assertFalse(os.path.exists(where))

    def test_the_working_directory_and_the_directory_behind_the_options(self):
        folder = self.make_folder("root")
        self.make("root/f", b"there")
        for arguments in ((), (folder,)):
            started = self.start("serve", "--listen", "127.0.0.1:0", *arguments, cwd=folder)
            self.assertIn(f"({folder})", started.line_with("listening on"))

    def test_quietly(self):
        where = self.path("http.sock")
        folder = self.make_folder("root")
        started = self.start("serve", folder, "--quiet", "--listen", f"unix:{where}")
        until(lambda: listens(where), "it listens")
        self.assertEqual(self.talk_to_path(where).get("/none").status, 404)
        started.signal(signal.SIGTERM)
        done = started.finish()
        self.assertEqual((done.status, done.out, done.err), (0, b"", ""))

    def test_with_as_many_descriptors_as_it_may_have(self):
        def few():
            _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(64, hard), hard))

        server = self.serve(preexec_fn=few)
        with open(f"/proc/{server.pid}/limits", encoding="ascii") as file:
            soft, hard = next(line for line in file if line.startswith("Max open files")).split()[3:5]
        self.assertEqual(soft, hard)


class Refusing(ServeTest):
    def refused(self, status, *arguments, words=()):
        done = self.run_tool("serve", *arguments)
        self.assertStatus(done, status, *words)
        self.assertNotIn("listening on http", done.err)

    def test_a_directory_that_is_none(self):
        self.refused(1, self.path("none"), words=["none", "does not exist"])
        self.refused(1, self.make("f"), words=["f'", "directory"])

    def test_what_cannot_be_listened_on(self):
        taken = self.listener()
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        self.refused(1, "--listen", where, self.folder, words=[where, "in use"])
        self.refused(1, "--listen", "127.0.0.1:0", "--listen", where, self.folder, words=[where, "in use"])

    def test_a_log_that_cannot_be_written(self):
        self.refused(1, "--listen", "127.0.0.1:0", "--log", self.path("none", "log"), self.folder,
                     words=["log", "does not exist"])

    def test_what_is_not_understood(self):
        for arguments in (["--listen", "nowhere"], ["--listen", "http://127.0.0.1:80/"], ["--threads", "0"],
                          ["--max-upload", "5"], ["--max-upload", "0", "--upload"], ["--min-rate", "slow"],
                          ["--symlinks", "some"], ["--log-format", "xml"], ["--idle-timeout", "0"],
                          ["--max-connections", "0"], ["--method", "nonesuch"], ["--live", "--stable"],
                          [self.folder, self.folder]):
            with self.subTest(arguments):
                self.refused(2, *arguments)


class Ending(ServeTest):
    def test_by_either_signal_when_idle(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            server = self.serve()
            peer = self.talk_to(server)
            self.assertEqual(peer.get("/none").status, 404)
            server.signal(number)
            self.assertEqual(server.finish().status, 0)
            self.assertTrue(peer.ended())

    def test_what_was_ignored_stays_ignored(self):
        """As nohup and a shell's & have it."""
        server = self.serve(preexec_fn=lambda: [signal.signal(number, signal.SIG_IGN)
                                                for number in (signal.SIGHUP, signal.SIGINT)])
        for number in (signal.SIGHUP, signal.SIGINT):
            server.signal(number)
        self.assertEqual(self.talk_to(server).get("/none").status, 404)
        server.signal(signal.SIGTERM)
        self.assertEqual(server.finish().status, 0)

    def test_by_trouble_of_its_own_with_an_error(self):
        """More threads than there is room for the stacks of."""
        def no_room():
            resource.setrlimit(resource.RLIMIT_STACK, (256 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

        if self.run_tool("--version", preexec_fn=no_room).status != 0:
            self.skipTest("a sanitizer needs more room than that")
        started = self.start("serve", self.folder, "--listen", "127.0.0.1:0", "--threads", "32",
                             preexec_fn=no_room)
        self.assertStatus(started.finish(), 1, "had to end", "pthread_create")


class Logging(ServeTest):
    def test_to_standard_output_by_default(self):
        server = self.serve()
        self.assertEqual(self.talk_to(server).get("/none").status, 404)
        server.signal(signal.SIGTERM)
        done = server.finish()
        self.assertEqual(done.status, 0)
        self.assertRegex(done.out.decode(), r'"GET /none HTTP/1\.1" 404 ')

    def test_to_a_file_that_is_moved_away(self):
        log = self.path("log")
        server = self.serve("--log", log)
        self.talk_to(server).get("/before")
        until(lambda: b"/before" in read(log), "it is logged")
        os.rename(log, self.path("log.1"))
        server.signal(signal.SIGHUP)
        until(lambda: os.path.exists(log), "the log is opened again")
        self.talk_to(server).get("/after")
        until(lambda: b"/after" in read(log), "it is logged")
        self.assertNotIn(b"/after", read(self.path("log.1")))
        server.signal(signal.SIGTERM)
        self.assertEqual(server.finish().status, 0)

    def test_that_nobody_reads_keeps_nobody_waiting(self):
        self.make_folder("root")
        self.make("root/f", b"there")
        reader, writer = self.pipe(4096)
        server = self.serve(stdout=writer)
        peer = self.talk_to(server)
        for _ in range(200):  # far more than the pipe takes
            self.assertEqual(peer.get("/f?" + "x" * 100).body, b"there")
        server.signal(signal.SIGTERM)
        self.assertEqual(server.finish().status, 0)
        os.close(reader)

    def test_of_a_reader_that_has_gone(self):
        reader, writer = self.pipe()
        server = self.serve(stdout=writer)
        os.close(reader)
        peer = self.talk_to(server)
        for _ in range(10):
            self.assertEqual(peer.get("/none").status, 404)
        server.signal(signal.SIGTERM)
        self.assertEqual(server.finish().status, 0)


def listens(path):
    """The name of a socket is there a moment before."""
    with socket.socket(socket.AF_UNIX) as peer:
        return peer.connect_ex(path) == 0


def read(path):
    with open(path, "rb") as file:
        return file.read()


if __name__ == "__main__":
    tool.main()
