"""Names: byte-exact both ways, never out of the directory, nothing but files and directories."""

import html
import json
import os
import re
import socket
import stat
import threading
import unittest
import urllib.parse

import tool
from http_server import Server
from raw import RawTest, head

NAMES = [b"a b", b"a#b", b"a?b", b"a%3ab", b"a+b", b"a&b;c=d", "é.txt".encode(), b"\xff\xfe.bin",
         b"a\\b", b"a..b", b"a..",
         b"a'b", b'a"b', b"a\nb", b"a\r\nX-Injected: 1", b"a\tb", b"\x01\x7f", b"x" * 255, b"-rf",
         b"~", b"*", b"a:b",
         b"<script>alert(1)<x>", "\u0600\u202eabc".encode(),
         "名前".encode(), b"&lt;", b"%", b"%00", b"a;b",
         b"@", b"[x]", b"{y}",
         b"con", b"index.htm", b" leading", b"trailing ", b"http:", b"javascript:alert(1)"]
SECRET = b"SECRET"


def quoted(name):
    return "/" + urllib.parse.quote(name, safe="")


class Names(RawTest):
    OPTIONS = ("--upload",)

    def put_file(self, name, data=None):
        with open(os.path.join(os.fsencode(self.server.root), name), "wb") as file:
            file.write(b"data:" + name if data is None else data)

    def test_are_found_byte_by_byte(self):
        for name in NAMES:
            self.put_file(name)
            for target in (quoted(name), "/" + "".join(f"%{byte:02X}" for byte in name)):
                answer = self.ask(f"GET {target}")
                self.assertEqual((answer.status, answer.body), (200, b"data:" + name), target)

    def test_with_bytes_beyond_ascii_may_come_raw(self):
        self.put_file("é".encode())
        self.assertEqual(self.ask("GET /" + "é".encode().decode("latin-1")).body, b"data:\xc3\xa9")

    def test_are_put_and_gotten_by_our_own_client(self):
        for name in NAMES:
            source = os.path.join(os.fsencode(self.folder), name)
            with open(source, "wb") as file:
                file.write(name)
            self.assertStatus(self.run_tool("put", source, self.server.url), 0)
            with open(os.path.join(os.fsencode(self.server.root), name), "rb") as file:
                self.assertEqual(file.read(), name)
            url = self.server.url[:-1] + quoted(name)
            self.assertStatus(self.run_tool("get", url, self.path("there")), 0)
            self.assertContent(self.path("there"), name)
            os.unlink(source)

    def test_are_linked_to_from_the_listing(self):
        for name in NAMES:
            self.put_file(name)
        os.mkdir(os.path.join(os.fsencode(self.server.root), b"a dir\n?"))
        self.make("root/a dir\n?/inner")
        page = self.ask("GET /").body
        links = [html.unescape(link) for link in re.findall(r'<a href="([^"]*)"', page.decode())]
        found = {}
        for link in links:
            target = urllib.parse.urljoin(f"http://localhost{'/'}", link)
            self.assertTrue(target.startswith("http://localhost/"), link)
            answer = self.ask(f"GET {target.removeprefix('http://localhost')}")
            found[urllib.parse.unquote_to_bytes(target.removeprefix("http://localhost/"))] = answer
        del found[b"f"]
        found.pop(b"", None)  # a way up, which stays here
        self.assertEqual(set(found), set(NAMES) | {b"a dir\n?/"})
        for name in NAMES:
            self.assertEqual(found[name].body, b"data:" + name)
        self.assertIn(b"inner", found[b"a dir\n?/"].body)

    def test_are_text_in_the_listing(self):
        for name in NAMES:
            self.put_file(name)
        answer = self.ask("GET /")
        self.assertNotIn(b"<script", answer.body)
        self.assertNotRegex(answer.body.decode(), "[\x00-\x08\x0b-\x1f\x7f]")
        for accept, kind in (("application/json", "application/json"),
                             ("text/plain", "text/plain")):
            answer = self.ask("GET /", f"Accept: {accept}")
            self.assertIn(kind, answer.field("Content-Type"))
            text = answer.body.decode()
            if kind == "application/json":
                self.assertGreaterEqual(len(json.loads(text)["entries"]), len(NAMES))
            else:
                self.assertNotIn("\nX-Injected", text)

    def test_become_no_line_of_an_answer(self):
        for name in (b"a\r\nX-Injected: 1", b'q"; x="y.bin', b"b\n\nc"):
            self.put_file(name)
            os.mkdir(os.path.join(os.fsencode(self.server.root), b"dir " + name))
        for path in os.listdir(os.fsencode(self.server.root)) + [b"none\r\nX-Injected: 3"]:
            for method in ("GET", "HEAD"):
                answer = self.ask(f"{method} {quoted(path)}?x=%0d%0aX-Injected:%204")
                self.assertNotIn("x-injected", [name.lower() for name, _ in answer.fields])

    def test_of_the_client_become_no_line_of_a_request(self):
        seen = []

        def script(peer):
            seen.append(peer.request())
            peer.answer(201)

        server = Server(script)
        self.addCleanup(server.close)
        for name in ("a\r\nX-Injected: 1", "a\nb", "a b HTTP\r\n"):
            self.assertStatus(self.run_tool("put", self.make(name, b"x"), server.url("/")), 0)
            self.assertEqual(seen[-1].target, quoted(os.fsencode(name)))
            self.assertNotIn("x-injected", [field for field, _ in seen[-1].fields])

    def test_that_cannot_be_are_refused(self):
        for target, status in (("/a%zz", 400), ("/%", 400), ("/%1", 400), ("/a%00b", 400),
                               ("/%00", 400), ("/f%00.txt", 400),
                               ("/" + "x" * 256, 404), ("/" + "x/" * 3000 + "f", 404), ("/f/", 404),
                               ("/f/g", 404)):
            for line, *fields in ((f"GET {target}",), (f"PUT {target}", "Content-Length: 0")):
                answer = self.ask(line, *fields)
                exact = line.startswith("GET") or status == 400
                expected = (status,) if exact else (status, 404, 409, 414)
                self.assertIn(answer.status, expected, line[:50])
        self.assertOnly("f", folder=self.path("root"))

    def test_with_empty_segments_mean_the_same(self):
        os.mkdir(self.server.path("a"))
        self.make("root/a/b", b"b")
        for target in ("/a/b", "//a//b", "/a///b", "///a/b"):
            self.assertEqual(self.ask(f"GET {target}").body, b"b", target)


class Outside(RawTest):
    OPTIONS = ("--upload",)

    def setUp(self):
        super().setUp()
        self.secret = self.make("secret", SECRET)
        os.mkdir(self.server.path("a"))

    def test_nothing_is_read_or_written(self):
        spellings = ["/../secret", "/%2e%2e/secret", "/..%2fsecret", "/%2e%2e%2fsecret",
                     "/a/../../secret",
                     "/a/..%2f..%2fsecret", "//../secret", "/./../secret", "/..%5csecret",
                     "/..;/secret",
                     "/%252e%252e/secret", "/%252e%252e%252fsecret", "/%c0%ae%c0%ae/secret",
                     "/f%00/../../secret",
                     "/..%00/secret", "/a%2f..%2f..%2fsecret", "http://localhost/../secret",
                     "http://localhost/%2e%2e/secret", "..%2fsecret", "../secret", "/"
                     + self.secret,
                     "/%2f" + self.secret[1:], "//" + self.secret, "/..\\secret", "/.%2e/secret",
                     "/%2e./secret",
                     "/...//secret", "/a/./../../secret", "/?/../../secret", "/..?/secret",
                     "file://" + self.secret,
                     "/proc/self/root" + self.secret, "/%u002e%u002e/secret", "/..%c0%afsecret",
                     "/..%ef%bc%8fsecret"]
        for target in spellings:
            for line, *fields in ((f"GET {target}",), (f"HEAD {target}",),
                                  (f"PUT {target}", "Content-Length: 3")):
                body = b"BAD" if fields else b""
                peer = self.say(head(line, *fields), body)
                answer = peer.answer(line.split(" ")[0])
                self.assertNotIn(SECRET, answer.body, line)
                if "?" not in target and "%25" not in target and "%5c" not in target:
                    self.assertIn(answer.status, (400, 403, 404, 409), line)
        self.assertContent(self.secret, SECRET)
        self.assertContent(self.server.path("f"), self.CONTENT)
        self.assertOnly("root", "secret", "log")

    def test_dots_within_stay_within(self):
        self.assertIn(self.ask("GET /a/../f").status, (200, 400, 404))
        self.assertEqual(self.ask("GET /a/").status, 200)


class Links(RawTest):
    POLICY = "beneath"
    SERVED = {"/inside": True, "/chain": True, "/dir/f2": True, "/absolute": False,
              "/outside": False,
              "/up/secret": False, "/proc": False, "/loop": False, "/dangling": False}

    @property
    def OPTIONS(self):  # noqa: N802
        return ("--upload", "--symlinks", self.POLICY)

    def setUp(self):
        super().setUp()
        self.secret = self.make("secret", SECRET)
        os.mkdir(self.server.path("d"))
        self.make("root/d/f2", b"f2")
        for name, target in (("inside", "f"), ("chain", "inside"), ("dir", "d"),
                             ("outside", "../secret"), ("up", ".."),
                             ("absolute", self.server.path("f")),
                             ("proc", f"/proc/self/root{self.secret}"),
                             ("loop", "loop"), ("dangling", "nowhere"),
                             ("leaving", "../new")):
            os.symlink(target, self.server.path(name))

    def test_are_followed_as_far_as_told(self):
        for target, served in self.SERVED.items():
            for method in ("GET", "HEAD"):
                answer = self.ask(f"{method} {target}")
                self.assertEqual(answer.status == 200, served, (target, answer.status))
                if not served:
                    self.assertIn(answer.status, (403, 404), target)
                    self.assertNotIn(SECRET, answer.body)

    def test_are_listed_where_they_are_followed(self):
        page = self.ask("GET /", "Accept: application/json").body.decode()
        names = {entry["name"].rstrip("/") for entry in json.loads(page)["entries"]}
        for target, served in self.SERVED.items():
            name = target.strip("/").split("/")[0]
            if name not in ("up", "loop", "dangling", "leaving"):
                self.assertEqual(name in names, served, name)

    def test_are_written_through_only_where_they_are_followed(self):
        for target in ("/outside", "/up/secret", "/up/new", "/leaving", "/loop", "/absolute"):
            if self.POLICY == "any":
                continue
            answer = self.ask(f"PUT {target}", "Content-Length: 3", body=b"BAD")
            self.assertIn(answer.status, (403, 404, 409), target)
        self.assertContent(self.secret, SECRET)
        self.assertContent(self.server.path("f"), self.CONTENT)
        self.assertFalse(os.path.exists(self.path("new")))

    def test_that_take_the_place_of_a_served_file_are_not_followed_out(self):
        peer = self.talk_to(self.server)
        self.assertEqual(peer.get("/f").body, self.CONTENT)
        os.unlink(self.server.path("f"))
        os.symlink("../secret", self.server.path("f"))
        answer = peer.get("/f")
        self.assertEqual(answer.body == SECRET, self.POLICY == "any")


class LinksNever(Links):
    POLICY = "never"
    SERVED = {target: False for target in Links.SERVED}


class LinksAny(Links):
    POLICY = "any"
    SERVED = {**Links.SERVED, "/absolute": True, "/outside": True, "/up/secret": True}
    # What a link of /proc leads to depends on who looks.
    del SERVED["/proc"]


class Dotfiles(RawTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.server.path(".hidden"))
        self.make("root/.hidden/f", b"hidden")
        self.make("root/.f", b"hidden")
        self.make("root/...", b"hidden")

    def test_are_not_there(self):
        for target in ("/.f", "/.hidden/f", "/.hidden/", "/.hidden", "/%2ef", "/...", "//.f"):
            self.assertEqual(self.ask(f"GET {target}").status, 404, target)
        for accept in ("text/html", "application/json", "text/plain"):
            self.assertNotIn(b"hidden", self.ask("GET /", f"Accept: {accept}").body)
            self.assertNotIn(b".f",
                             self.ask("GET /", f"Accept: {accept}").body.replace(b".font", b""))


class DotfilesAsked(Dotfiles):
    OPTIONS = ("--dotfiles",)

    def test_are_not_there(self):
        for target in ("/.f", "/.hidden/f", "/%2ef", "/..."):
            self.assertEqual(self.ask(f"GET {target}").body, b"hidden", target)
        self.assertIn(b".hidden", self.ask("GET /").body)
        for target in ("/..", "/.", "/../secret"):
            self.assertEqual(self.ask(f"GET {target}").status, 404, target)


class Kinds(RawTest):
    OPTIONS = ("--upload",)

    def setUp(self):
        super().setUp()
        os.mkfifo(self.server.path("fifo"))
        self.unix = socket.socket(socket.AF_UNIX)
        self.addCleanup(self.unix.close)
        self.unix.bind(self.server.path("socket"))

    def test_other_than_files_and_directories_are_not_served_and_hold_nobody_up(self):
        peer = self.talk_to(self.server)
        for target in ("/fifo", "/socket") * 3:
            for method in ("GET", "HEAD"):
                self.assertEqual(peer.ask(method, target).status, 403, target)
            self.assertEqual(peer.get("/f").body, self.CONTENT)
        page = self.ask("GET /").body
        self.assertNotIn(b"fifo", page)
        self.assertNotIn(b"socket", page)

    def test_a_fifo_that_somebody_writes_to_gives_nothing(self):
        end = os.open(self.server.path("fifo"), os.O_RDWR)
        self.addCleanup(os.close, end)
        os.write(end, SECRET)
        answer = self.ask("GET /fifo")
        self.assertEqual(answer.status, 403)
        self.assertEqual(os.read(end, 100), SECRET, "nothing of it was taken")

    def test_they_are_not_written_to(self):
        for target in ("/fifo", "/socket"):
            answer = self.ask(f"PUT {target}", "Content-Length: 3", body=b"BAD")
            self.assertIn(answer.status, (403, 409), target)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.server.path("fifo")).st_mode))
        self.assertTrue(stat.S_ISSOCK(os.stat(self.server.path("socket")).st_mode))

    @unittest.skipUnless(tool.IS_ROOT, "only root makes devices")
    def test_devices_likewise(self):
        try:
            os.mknod(self.server.path("zero"), stat.S_IFCHR | 0o666, os.makedev(1, 5))
            os.mknod(self.server.path("loop"), stat.S_IFBLK | 0o600, os.makedev(7, 250))
        except PermissionError:
            self.skipTest("this machine lets nobody make devices")
        for name in ("zero", "loop"):
            self.assertEqual(self.ask(f"GET /{name}").status, 403)
            answer = self.ask(f"PUT /{name}", "Content-Length: 3", body=b"BAD")
            self.assertIn(answer.status, (403, 409))

    def test_a_directory_is_no_file(self):
        os.mkdir(self.server.path("d"))
        answer = self.ask("GET /d")
        self.assertEqual((answer.status, answer.field("Location")), (301, "/d/"))
        self.make("root/d/index.html", b"<p>index")
        answer = self.ask("GET /d/")
        self.assertEqual((answer.body, answer.field("Content-Type")),
                         (b"<p>index", "text/html; charset=utf-8"))
        os.unlink(self.server.path("d", "index.html"))
        os.mkfifo(self.server.path("d", "index.html"))
        self.assertIn(self.ask("GET /d/").status, (200, 403))


class Rights(RawTest):
    """The tool as a user who may not read everything."""

    def serve(self, *options, **popen):
        def demote():
            os.setgroups([])
            os.setgid(tool.NOBODY)
            os.setuid(tool.NOBODY)

        if not tool.IS_ROOT:
            return super().serve(*options, **popen)
        os.chown(self.folder, tool.NOBODY, tool.NOBODY)
        return super().serve(*options, preexec_fn=demote, **popen)

    def test_that_are_missing_give_403(self):
        self.make("root/closed", SECRET, mode=0o000)
        os.mkdir(self.server.path("d"))
        self.make("root/d/f", SECRET)
        os.chmod(self.server.path("d"), 0o000)
        self.addCleanup(os.chmod, self.server.path("d"), 0o755)
        for target in ("/closed", "/d/", "/d/f"):
            answer = self.ask(f"GET {target}")
            self.assertEqual(answer.status, 403, target)
            self.assertNotIn(SECRET, answer.body)
        os.chmod(self.server.path("d"), 0o711)  # may be passed through, not listed
        self.assertEqual(self.ask("GET /d/").status, 403)
        self.assertEqual(self.ask("GET /d/f").body, SECRET)
        self.assertEqual(self.ask("GET /f").status, 200)


class Meanwhile(RawTest):
    def test_a_directory_is_swapped_by_renames(self):
        """Each answer is all of one of the two, or 404: never a mix, never from outside."""
        outside = self.make_folder("outside")
        self.make("outside/f", SECRET)
        contents = {}
        for name in ("one", "two"):
            os.mkdir(self.server.path(name))
            contents[name] = name.encode() * 1000
            self.make(f"root/{name}/f", contents[name])
        os.symlink(outside, self.server.path("link"))
        going = threading.Event()

        def swap():
            current, spare = self.server.path("one"), self.server.path("two")
            hold, link = self.server.path("hold"), self.server.path("link")
            while not going.is_set():
                for a, b in ((current, spare), (current, link)):
                    os.rename(a, hold)
                    os.rename(b, a)
                    os.rename(hold, b)

        thread = threading.Thread(target=swap)
        thread.start()
        try:
            peer = self.talk_to(self.server)
            for _ in range(2000):
                answer = peer.get("/one/f")
                if answer.status == 200:
                    self.assertIn(answer.body, contents.values())
                else:
                    self.assertIn(answer.status, (404, 503))
        finally:
            going.set()
            thread.join()

    def test_a_file_is_replaced(self):
        peer = self.talk_to(self.server)
        for number in range(50):
            self.make("new", b"%d" % number)
            os.rename(self.path("new"), self.server.path("f"))
            answer = tool.until(lambda body=b"%d" % number: peer.get("/f").body == body,
                                "the new one is served")
            self.assertTrue(answer)

    def test_a_file_goes_away(self):
        peer = self.talk_to(self.server)
        self.assertEqual(peer.get("/f").status, 200)
        os.unlink(self.server.path("f"))
        self.assertEqual(peer.get("/f").status, 404)


class Hosts(RawTest):
    """DNS rebinding: a page of any name can have its browser ask a server on this machine."""

    OPTIONS = ("--allow-host", "files.example", "--allow-host", "other.example")

    def test_that_are_not_ours_are_turned_away(self):
        for host in ("evil.example", "localhost.evil.example", "files.example.evil",
                     "xfiles.example", "127.0.0.1.nip.io",
                     "example", "0x7f000001", "2130706433", "127.1", "localhos",
                     "files.example@evil.example"):
            self.assertIn(self.ask("GET /f", host=host).status, (400, 421), host)
            self.assertIn(self.ask(f"GET http://{host}/f").status, (400, 421), host)

    def test_that_are_ours_are_served(self):
        for host in ("localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:80", "10.1.2.3", "[::1]",
                     "[::1]:80",
                     "files.example", "FILES.example:8080", "other.example", "files.example."):
            self.assertEqual(self.ask("GET /f", host=host).status, 200, host)


class HostsNotAllowed(Hosts):
    OPTIONS = ()

    def test_that_are_ours_are_served(self):
        for host, status in (("localhost", 200), ("127.0.0.1", 200), ("[::1]", 200),
                             ("files.example", 421)):
            self.assertEqual(self.ask("GET /f", host=host).status, status, host)


class Listening(RawTest):
    def have_ipv6(self):
        try:
            with socket.socket(socket.AF_INET6) as probe:
                probe.bind(("::1", 0))
        except OSError:
            self.skipTest("no IPv6 on this machine")

    def test_by_ipv6(self):
        self.have_ipv6()
        server = self.serve("--listen", "[::1]:0")
        self.assertRegex(server.url, r"\Ahttp://\[::1\]:\d+/\Z")
        self.assertEqual(self.talk_to(server).get("/f").body, self.CONTENT)
        self.assertStatus(self.run_tool("get", server.url + "f", self.path("there")), 0)
        self.assertContent(self.path("there"), self.CONTENT)
        self.assertEqual(self.talk_to(server).ask("GET", "http://evil.example/f").status, 421)

    def test_by_a_unix_socket(self):
        where = self.path("unix")
        self.serve("--listen", f"unix:{where}")
        peer = self.talk_to_path(where)
        self.assertEqual(peer.get("/f").body, self.CONTENT)
        for host in ("any.example", ""):
            peer.send(head("GET /f", host=host))
            self.assertEqual(peer.answer().body, self.CONTENT, "no browser comes by it")

    def test_by_several_at_once(self):
        where = self.path("unix")
        server = self.serve("--listen", "127.0.0.1:0", "--listen", "127.0.0.1:0", "--listen",
                            f"unix:{where}")
        self.assertEqual(self.talk_to(server).get("/f").status, 200)
        self.assertEqual(self.talk_to_path(where).get("/f").status, 200)


if __name__ == "__main__":
    tool.main()
