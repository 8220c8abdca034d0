"""Others' clients against `serve`, and `put` and `get` against others' servers."""

import os
import re
import subprocess
import unittest

import nginx
import tool
from serving import ServeTest
from tool import content

DATA = content(3_000_000)
SMALL = content(1000, 2)


class CurlGets(ServeTest):
    """curl as a client of downloads; its uploads are in peers_upload_test.py."""

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.served = self.make("root/f", DATA)
        self.url = f"{self.server.url}f"

    def curl(self, *arguments, status=0):
        done = subprocess.run(["curl", "-sS", "--noproxy", "*", *arguments], capture_output=True,
                              timeout=tool.PATIENCE, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    @tool.needs("curl")
    def test_a_file(self):
        self.assertSameBytes(self.curl(self.url), DATA)

    @tool.needs("curl")
    def test_a_file_by_the_old_version(self):
        self.assertSameBytes(self.curl("--http1.0", self.url), DATA)
        self.assertSameBytes(self.curl("--http1.0", "-H", "Connection: keep-alive", self.url), DATA)

    @tool.needs("curl")
    def test_a_head(self):
        head = self.curl("-I", self.url).decode()
        self.assertTrue(head.startswith("HTTP/1.1 200 OK\r\n"), head)
        self.assertIn(f"Content-Length: {len(DATA)}\r\n", head)

    @tool.needs("curl")
    def test_ranges(self):
        for asked, expected in (("0-99", DATA[:100]), ("1000-", DATA[1000:]), ("-100", DATA[-100:])):
            self.assertSameBytes(self.curl("-r", asked, self.url), expected)
        parts = self.curl("-r", "0-9,100-119", self.url)
        for start, end in ((0, 9), (100, 119)):
            self.assertIn(b"Content-Range: bytes %d-%d/%d\r\n\r\n%s\r\n"
                          % (start, end, len(DATA), DATA[start:end + 1]), parts)
        self.curl("-f", "-r", f"{len(DATA)}-", self.url, status=22)  # 416

    @tool.needs("curl")
    def test_goes_on_with_a_part(self):
        part = self.make("part", DATA[:1_234_567])
        self.curl("-C", "-", "-o", part, self.url)
        self.assertContent(part, DATA)

    @tool.needs("curl")
    def test_asks_for_compression_and_gets_the_bytes(self):
        self.assertSameBytes(self.curl("--compressed", self.url), DATA)

    @tool.needs("curl")
    def test_asks_whether_it_is_newer(self):
        tag, code = self.path("tag"), ("-w", "%{http_code}", "-o", os.devnull)
        # That of a file of this very moment names no other moment's.
        tool.until(lambda: b'ETag: "' in self.curl("-I", self.url), "it has a strong tag")
        self.curl("--etag-save", tag, self.url)
        self.assertEqual(self.curl("--etag-compare", tag, *code, self.url), b"304")
        self.assertEqual(self.curl("-z", self.served, *code, self.url), b"304")
        self.make("root/f", SMALL)
        self.assertEqual(self.curl("--etag-compare", tag, *code, self.url), b"200")

    @tool.needs("curl")
    def test_follows_to_a_folder_and_lists_it(self):
        os.mkdir(self.server.path("d"))
        self.make("root/d/inside", SMALL)
        out = self.curl("-L", "-w", "\n%{num_redirects} %{url_effective}", f"{self.server.url}d")
        self.assertIn(b"inside", out)
        self.assertEqual(out.splitlines()[-1].decode(), f"1 {self.server.url}d/")

    @tool.needs("curl")
    def test_many_on_one_connection(self):
        urls = [word for _ in range(5) for word in ("-o", os.devnull, self.url)]
        opened = self.curl("-w", "%{num_connects} ", *urls).split()
        self.assertEqual(opened, [b"1", b"0", b"0", b"0", b"0"])

    @tool.needs("curl")
    def test_an_early_refusal_of_an_upload_is_told(self):
        code = self.curl("-T", self.served, "-w", "%{http_code}", "-o", os.devnull,
                         f"{self.server.url}new")
        self.assertEqual(code, b"405")


@unittest.skipUnless(nginx.NGINX, "not installed: nginx")
class Nginx(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.root = self.make_folder("root")
        self.server = nginx.start(self, self.root)
        self.source = self.make("source", DATA)

    def put(self, *arguments, status=0, words=(), **popen):
        done = self.run_tool("put", *arguments, json_report=True, **popen)
        self.assertStatus(done, status, *words)
        return done.report

    def get(self, *arguments, status=0):
        done = self.run_tool("get", *arguments, json_report=True)
        self.assertStatus(done, status)
        return done.report

    def there(self, name, data=DATA):
        self.assertContent(os.path.join(self.root, name), data)

    def test_takes_a_file_and_another_in_its_place(self):
        for expected in (201, 204):
            report = self.put(self.source, self.server.url("/f"))
            self.assertEqual(report["http"]["status"], expected)
            self.assertEqual((report["class"], report["acknowledged"]), ("kernel", len(DATA)))
            self.there("f")

    def test_takes_it_by_the_kernel_alone(self):
        for data in (DATA, SMALL):
            self.put("--require", "kernel", self.make("source", data), self.server.url("/f"))
            self.there("f", data)

    def test_takes_small_and_empty_ones(self):
        for data in (SMALL, b""):
            self.put(self.make("small", data), self.server.url("/s"))
            self.there("s", data)

    def test_takes_a_pipe_in_chunks(self):
        feeder = self.program("cat", self.source)
        report = self.put("-", self.server.url("/p"), stdin=feeder.process.stdout)
        self.there("p")
        self.assertEqual(report["class"], "user")

    def test_takes_several_on_one_connection(self):
        done = self.run_tool("put", self.source, self.server.url("/a"), self.source,
                             self.server.url("/b/"), "--report", "json")
        self.assertStatus(done, 0)
        self.there("a")
        self.there("b/source")
        reused = [tool.json.loads(line)["http"]["reused"] for line in done.out.splitlines()]
        self.assertEqual(reused, [False, True])

    def test_sends_an_upload_elsewhere(self):
        for status in (301, 302):
            report = self.put(self.source, self.server.url(f"/{status}/f{status}"))
            self.there(f"f{status}")
            self.assertEqual(report["http"]["hops"], [self.server.url(f"/f{status}")])
        for status in (307, 308):
            self.put(self.source, self.server.url(f"/{status}/f"))
            self.there("moved")
            os.remove(os.path.join(self.root, "moved"))

    def test_has_the_answer_elsewhere(self):
        with open(os.path.join(self.root, "answer"), "wb") as file:
            file.write(SMALL)
        report = self.put(self.source, self.server.url("/303/f"))
        self.assertEqual((report["http"]["method"], report["http"]["status"]), ("GET", 200))

    def test_refuses_before_it_has_everything(self):
        for path, status in (("/small/f", 413), ("/never/f", 403)):
            for expect in ("always", "never"):
                report = self.put("--expect", expect, self.source, self.server.url(path), status=5)
                self.assertEqual(report["http"]["status"], status)
        self.assertEqual(os.listdir(self.root), [])

    def test_serves_a_file(self):
        self.make("root/f", DATA)
        report = self.get(self.server.url("/f"), self.path("fetched"))
        self.assertContent(self.path("fetched"), DATA)
        self.assertEqual(report["class"], "kernel")
        self.get("--require", "kernel", self.server.url("/f"), self.path("fetched"))
        self.assertContent(self.path("fetched"), DATA)

    def test_serves_what_is_not_there(self):
        done = self.run_tool("get", self.server.url("/none"), self.path("fetched"))
        self.assertStatus(done, 5, "404")
        self.assertFalse(os.path.exists(self.path("fetched")))

    def test_goes_on_with_what_is_here(self):
        served = self.make("root/f", DATA)
        os.utime(served, (1_000_000_000, 1_000_000_000))
        self.make("fetched", DATA[:2_000_000])  # its last bytes are compared
        report = self.get("--resume", self.server.url("/f"), self.path("fetched"))
        self.assertContent(self.path("fetched"), DATA)
        self.assertEqual(report["http"]["status"], 206)
        self.assertEqual(report["bytes"], 1_000_000)

    def test_goes_on_with_what_an_ended_server_left(self):
        served = self.make("root/f", DATA)
        os.utime(served, (1_000_000_000, 1_000_000_000))
        started = self.start("get", "--limit-rate", "1MB", "--report", "none", self.server.url("/f"),
                             self.path("fetched"))
        part = self.path("fetched.part")
        tool.until(lambda: os.path.exists(part) and os.path.getsize(part) > 100_000, "some came")
        started.signal(tool.signal.SIGINT)
        self.assertStatus(started.finish(), 130, "--resume")
        have = os.path.getsize(part)
        self.assertContent(part, DATA[:have])
        report = self.get("--resume", self.server.url("/f"), self.path("fetched"))
        self.assertContent(self.path("fetched"), DATA)
        self.assertEqual(report["bytes"], len(DATA) - have)
        self.assertFalse(os.path.exists(part))

    def test_starts_over_where_the_file_is_another_one(self):
        self.make("root/f", DATA)
        self.make("fetched", content(2_000_000, 9))
        self.get("--resume", self.server.url("/f"), self.path("fetched"))
        self.assertContent(self.path("fetched"), DATA)


@tool.needs("wrk")
class Wrk(ServeTest):
    def load(self, path, *options):
        server = self.serve("--log", os.devnull)
        self.make("root/f", SMALL)
        self.make("root/large", DATA)
        done = subprocess.run(["wrk", "-t1", "-d1s", *options, server.url + path], check=True,
                              capture_output=True, timeout=tool.PATIENCE).stdout.decode()
        self.assertNotIn("Non-2xx", done)
        self.assertNotIn("Socket errors", done)
        self.assertGreater(int(re.search(r"(\d+) requests in", done)[1]), 0)
        server.signal(tool.signal.SIGTERM)
        self.assertStatus(server.finish(), 0)

    def test_many_small_ones(self):
        self.load("f", "-c32")

    def test_larger_ones(self):
        self.load("large", "-c8")


@tool.needs("go")
class Go(ServeTest):
    """net/http of the Go that is installed."""

    @classmethod
    def setUpClass(cls):
        cls.place = tool.tempfile.TemporaryDirectory(prefix="headrace-go-")
        cls.addClassCleanup(cls.place.cleanup)
        cls.peer = os.path.join(cls.place.name, "peer")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "go")
        environment = os.environ | {"GOTOOLCHAIN": "local", "GOPROXY": "off"}
        if "HOME" not in environment:  # where Go keeps what it has compiled
            environment["GOCACHE"] = os.path.join(cls.place.name, "cache")
        built = subprocess.run(["go", "build", "-o", cls.peer, "."], cwd=source, env=environment,
                               capture_output=True, check=False)
        if built.returncode != 0:
            raise AssertionError(built.stderr.decode())

    def go_server(self):
        root = self.make_folder("go-root")
        started = self.program(self.peer, "serve", root, stdin=subprocess.PIPE)
        return root, f"http://{started.process.stdout.readline().decode().strip()}/"

    def test_its_client_puts_and_gets(self):
        server = self.serve("--upload")
        done = self.program(self.peer, "client", server.url, self.make("source", DATA)).finish()
        self.assertStatus(done, 0)
        for name in ("file", "chunks", "asked"):
            self.assertContent(server.path(name), DATA)

    def test_its_server_takes_uploads(self):
        root, url = self.go_server()
        source = self.make("source", DATA)
        for options in ((), ("--require", "kernel"), ("--expect", "never"), ("--method", "sendfile")):
            with self.subTest(options):
                done = self.run_tool("put", *options, source, url + "f")
                self.assertStatus(done, 0)
                self.assertContent(os.path.join(root, "f"), DATA)
        self.assertStatus(self.run_tool("put", source, url + "a?to=/b"), 0)
        self.assertContent(os.path.join(root, "b"), DATA)

    def test_its_server_takes_chunks(self):
        root, url = self.go_server()
        feeder = self.program("cat", self.make("source", DATA))
        done = self.run_tool("put", "-", url + "p", stdin=feeder.process.stdout)
        self.assertStatus(done, 0, "chunked_send")
        self.assertContent(os.path.join(root, "p"), DATA)

    def test_its_server_serves_and_goes_on(self):
        root, url = self.go_server()
        served = os.path.join(root, "f")
        with open(served, "wb") as file:
            file.write(DATA)
        os.utime(served, (1_000_000_000, 1_000_000_000))
        done = self.run_tool("get", "--require", "kernel", url + "f", self.path("fetched"))
        self.assertStatus(done, 0)
        self.assertContent(self.path("fetched"), DATA)
        self.make("again", DATA[:1_000_000])
        done = self.run_tool("get", "--resume", url + "f", self.path("again"), json_report=True)
        self.assertStatus(done, 0)
        self.assertContent(self.path("again"), DATA)
        self.assertEqual(done.report["http"]["status"], 206)


if __name__ == "__main__":
    tool.main()
