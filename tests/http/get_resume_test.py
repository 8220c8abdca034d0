"""`get --resume`: what is here is gone on with only where nothing says that it is another thing."""

import os
import signal

import tool
from getting import TAG, GetTest, cut, head, head_of_rest, rest, whole
from tool import content

DATA = content(200_000)
HAVE = 120_000
OVERLAP = 64 << 10


class Parts(GetTest):
    """FILE.part with its validator."""

    def test_are_gone_on_with(self):
        self.serve(rest(DATA, HAVE))
        self.leave_part(DATA[:HAVE], len(DATA))
        done = self.get_as(0, "--resume")
        self.assertContent(self.there, DATA)
        self.assertOnly("f")
        request = self.requests[0]
        self.assertEqual(request.field("range"), f"bytes={HAVE}-")
        self.assertEqual(request.field("if-range"), TAG)
        self.assertEqual(request.field("accept-encoding"), "identity")
        self.assertEqual(done.report["bytes"], len(DATA) - HAVE)
        self.assertNotes(done, f"continued at byte {HAVE}")

    def test_are_those_of_an_interrupted_run(self):
        self.serve(cut(head(len(DATA)), DATA[:HAVE]), rest(DATA, HAVE))
        self.get_as(1)
        self.get_as(0, "--resume")
        self.assertContent(self.there, DATA)
        self.assertEqual(self.requests[1].field("if-range"), TAG)

    def test_are_those_of_a_killed_run(self):
        def answer(peer):
            peer.send(head(len(DATA)) + DATA[:HAVE])
            peer.rest()

        def go_on(peer):
            start = int(self.requests[-1].field("range")[len("bytes="):-1])
            self.assertGreater(start, 0)
            peer.answer(*rest(DATA, start))

        self.serve(answer, go_on)
        started = self.start("get", self.url, self.there)
        tool.until(lambda: os.path.exists(self.part) and os.path.getsize(self.part), "bytes come")
        started.signal(signal.SIGKILL)
        started.finish()
        self.get_as(0, "--resume")
        self.assertContent(self.there, DATA)
        self.assertOnly("f")

    def test_can_be_gone_on_with_again_and_again(self):
        def piece(start, end):
            return cut(head_of_rest(start, len(DATA)), DATA[start:end])

        self.serve(piece(100, 1000), piece(1000, 150_000), piece(150_000, len(DATA)))
        self.leave_part(DATA[:100], len(DATA))
        self.get_as(1, "--resume", words=("1000", "--resume"))
        self.get_as(1, "--resume")
        self.get_as(0, "--resume")
        self.assertContent(self.there, DATA)

    def test_with_a_date_for_a_validator(self):
        date = "Sun, 06 Nov 1994 08:49:37 GMT"
        self.serve(rest(DATA, HAVE))
        self.leave_part(DATA[:HAVE], len(DATA), validator=date)
        self.get_as(0, "--resume")
        self.assertEqual(self.requests[0].field("if-range"), date)
        self.assertContent(self.there, DATA)

    def test_of_another_version_start_over(self):
        new = content(5000, 2)
        self.serve((200, new, [("ETag", '"v2"')]))
        self.leave_part(DATA[:HAVE], len(DATA))
        self.assertNotes(self.get_as(0, "--resume"), "started over")
        self.assertContent(self.there, new)
        self.assertOnly("f")

    def test_that_the_answer_does_not_continue_start_over(self):
        size = len(DATA)
        answers = {
            "another start": rest(DATA, HAVE - 1),
            "everything": rest(DATA, 0),
            "another total": rest(DATA, HAVE, size + 1),
            "no total": rest(DATA, HAVE, "*"),
            "not all": (206, DATA[HAVE:-1], [("Content-Range", f"bytes {HAVE}-{size - 2}/{size}")]),
            "another tag": (206, DATA[HAVE:], [("Content-Range", f"bytes {HAVE}-{size - 1}/{size}"),
                                               ("ETag", '"v2"')]),
            "no range": (206, DATA[HAVE:]),
            "several": (206, b"--x", [("Content-Type", "multipart/byteranges; boundary=x")]),
            "refused, although it is there": (416, b"", [("Content-Range", f"bytes */{size}")]),
            "refused without a length": (416, b"a page"),
        }
        for name, answer in answers.items():
            with self.subTest(name):
                self.requests = []
                self.serve(answer, whole(DATA))
                self.leave_part(DATA[:HAVE], len(DATA))
                self.assertNotes(self.get_as(0, "--resume"), "started over")
                self.assertContent(self.there, DATA)
                self.assertOnly("f")
                self.assertIsNone(self.requests[1].field("range"))
                self.assertIsNone(self.requests[1].field("if-range"))

    def test_that_are_complete_are_only_put_in_place(self):
        self.serve((416, b"a page", [("Content-Range", f"bytes */{len(DATA)}")]))
        self.leave_part(DATA, len(DATA))
        done = self.get_as(0, "--resume")
        self.assertContent(self.there, DATA)
        self.assertOnly("f")
        self.assertEqual(done.report["bytes"], 0)

    def test_that_are_longer_stay(self):
        self.serve((416, b"a page", [("Content-Range", "bytes */10")]))
        self.leave_part(DATA, None)
        self.get_as(1, "--resume", words=(str(len(DATA)), "has 10;"))
        self.assertPart(DATA)

    def test_of_an_encoded_answer_stay(self):
        for answer in (whole(b"zzz", ("Content-Encoding", "gzip")),
                       rest(DATA, HAVE, None, ("Content-Encoding", "br"))):
            with self.subTest(answer[0]):
                self.serve(answer)
                self.leave_part(DATA[:HAVE], len(DATA))
                self.get_as(1, "--resume", words=("encoded",))
                self.assertPart(DATA[:HAVE])

    def test_stay_when_the_server_fails(self):
        for status in (404, 412, 503):
            with self.subTest(status):
                self.serve((status, b"because"))
                self.leave_part(DATA[:HAVE], len(DATA))
                self.get_as(5, "--resume", words=("because",))
                self.assertPart(DATA[:HAVE])

    def test_of_another_url_start_over(self):
        self.serve(whole(DATA))
        self.leave_part(content(HAVE, 3), len(DATA), url="http://elsewhere/f")
        self.assertNotes(self.get_as(0, "--resume"), "no part of this URL")
        self.assertIsNone(self.requests[0].field("range"))
        self.assertContent(self.there, DATA)

    def test_with_a_record_cut_off_start_over(self):
        self.serve(whole(DATA))
        self.make("f.part", content(HAVE, 3))
        self.make("f.part.json", b'{"url": "htt')
        self.get_as(0, "--resume")
        self.assertContent(self.there, DATA)
        self.assertOnly("f")

    def test_without_a_validator_are_compared(self):
        self.serve(rest(DATA, HAVE - OVERLAP))
        self.leave_part(DATA[:HAVE], len(DATA), validator="")
        done = self.get_as(0, "--resume")
        self.assertIsNone(self.requests[0].field("if-range"))
        self.assertEqual(done.report["bytes"], len(DATA) - HAVE)
        self.assertContent(self.there, DATA)

    def test_without_resume_start_over(self):
        self.serve(whole(DATA))
        self.leave_part(content(HAVE, 3), len(DATA))
        self.get_as(0)
        self.assertIsNone(self.requests[0].field("range"))
        self.assertContent(self.there, DATA)
        self.assertOnly("f")


class Files(GetTest):
    """FILE itself, where there is no FILE.part."""

    def test_whose_end_is_the_servers_are_gone_on_with(self):
        self.make("f", DATA[:HAVE], 0o640)
        self.serve(rest(DATA, HAVE - OVERLAP))
        done = self.get_as(0, "--resume")
        self.assertEqual(self.requests[0].field("range"), f"bytes={HAVE - OVERLAP}-")
        self.assertIsNone(self.requests[0].field("if-range"))
        self.assertEqual(done.report["bytes"], len(DATA) - HAVE)
        self.assertContent(self.there, DATA)
        self.assertEqual(os.stat(self.there).st_mode & 0o777, 0o640)
        self.assertOnly("f")

    def test_shorter_than_what_is_compared_likewise(self):
        self.make("f", DATA[:5])
        self.serve(rest(DATA, 0))
        self.get_as(0, "--resume")
        self.assertEqual(self.requests[0].field("range"), "bytes=0-")
        self.assertContent(self.there, DATA)

    def test_whose_end_is_another_start_over(self):
        for at in (HAVE - 1, HAVE - OVERLAP):
            with self.subTest(at):
                data = bytearray(DATA[:HAVE])
                data[at] ^= 1
                self.make("f", data)
                self.serve(rest(DATA, HAVE - OVERLAP), whole(DATA))
                self.assertNotes(self.get_as(0, "--resume"), "started over")
                self.assertContent(self.there, DATA)
                self.assertOnly("f")

    def test_stay_what_they_are_until_all_has_come(self):
        self.make("f", DATA[:HAVE])
        start = HAVE - OVERLAP
        self.serve(cut(head_of_rest(start, len(DATA)), DATA[start:150_000]), rest(DATA, 150_000))
        self.get_as(1, "--resume")
        self.assertContent(self.there, DATA[:HAVE])
        self.assertPart(DATA[:150_000])
        self.get_as(0, "--resume")
        self.assertEqual(self.requests[1].field("if-range"), TAG)
        self.assertContent(self.there, DATA)
        self.assertOnly("f")

    def test_cut_off_while_they_are_compared_stay(self):
        self.make("f", DATA[:HAVE])
        start = HAVE - OVERLAP
        self.serve(cut(head_of_rest(start, len(DATA)), DATA[start:start + 10]))
        self.get_as(1, "--resume")
        self.assertContent(self.there, DATA[:HAVE])
        self.assertOnly("f")

    def test_that_are_complete_stay(self):
        before = None
        for answer in (rest(DATA, len(DATA) - OVERLAP),
                       (416, b"a page", [("Content-Range", f"bytes */{len(DATA)}")])):
            with self.subTest(answer[0]):
                self.make("f", DATA)
                before = os.stat(self.there)
                self.serve(answer)
                done = self.get_as(0, "--resume")
                self.assertEqual(done.report["bytes"], 0)
                self.assertEqual(os.stat(self.there).st_ino, before.st_ino)
                self.assertContent(self.there, DATA)
                self.assertOnly("f")

    def test_that_are_longer_stay_and_both_lengths_are_told(self):
        short = DATA[:150_000]
        first = len(DATA) - OVERLAP
        less = ("Content-Range", f"bytes {first}-149999/150000")
        answers = {"refused": (416, b"a page", [("Content-Range", "bytes */150000")]),
                   "less": (206, short[first:], [less]),
                   "everything": whole(short)}
        for name, answer in answers.items():
            with self.subTest(name):
                self.make("f", DATA)
                self.serve(answer)
                self.get_as(1, "--resume", words=("200000", "150000"))
                self.assertContent(self.there, DATA)
                self.assertOnly("f")

    def test_start_over_where_ranges_are_ignored(self):
        self.make("f", DATA[:HAVE])
        self.serve(whole(DATA))
        self.get_as(0, "--resume")
        self.assertContent(self.there, DATA)
        self.assertOnly("f")

    def test_stay_when_an_ignored_range_ends_early(self):
        self.make("f", DATA[:HAVE])
        self.serve(cut(head(len(DATA)), DATA[:100]))
        self.get_as(1, "--resume")
        self.assertContent(self.there, DATA[:HAVE])
        self.assertPart(DATA[:100])

    def test_that_are_empty_or_absent_are_fetched(self):
        for name in ("empty", "absent"):
            with self.subTest(name):
                if name == "empty":
                    self.make("f")
                self.serve(whole(DATA))
                self.get_as(0, "--resume")
                self.assertIsNone(self.requests[0].field("range"))
                self.requests = []
                self.assertContent(self.there, DATA)
                os.unlink(self.there)


if __name__ == "__main__":
    tool.main()
