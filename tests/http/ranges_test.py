"""Ranges as a client meets them: their bytes, what is said of them, what too many of them cost."""

import os
import re

import tool
from raw import RawTest, head
from tool import content

WHOLE = 200, b"0123456789"


class Single(RawTest):
    def ranged(self, value, target="/f", *fields):
        return self.ask(f"GET {target}", f"Range: {value}", *fields)

    def test_that_lie_within(self):
        for value, first, last in (("0-0", 0, 0), ("9-9", 9, 9), ("-1", 9, 9), ("-10", 0, 9),
                                   ("-999", 0, 9),
                                   ("5-999", 5, 9), ("5-", 5, 9), ("0-", 0, 9), ("0-9", 0, 9),
                                   ("3-6", 3, 6),
                                   ("0-18446744073709551615", 0, 9), ("0-" + "9" * 60, 0, 9),
                                   ("-" + "9" * 60, 0, 9),
                                   ("00003-0006", 3, 6)):
            answer = self.ranged(f"bytes={value}")
            self.assertEqual(answer.status, 206, value)
            self.assertEqual(answer.body, b"0123456789"[first:last + 1], value)
            self.assertEqual(answer.field("Content-Range"), f"bytes {first}-{last}/10")
            self.assertEqual(answer.field("Content-Length"), str(last - first + 1))

    def test_that_lie_outside(self):
        for value in ("10-", "10-10", "-0", "99999999999999999999-", "10-,11-12",
                      "18446744073709551616-"):
            answer = self.ranged(f"bytes={value}")
            self.assertEqual(answer.status, 416, value)
            self.assertEqual(answer.field("Content-Range"), "bytes */10")

    def test_that_are_none_are_ignored(self):
        for value in ("bytes=9-5", "bytes=abc", "bytes=", "bytes", "items=0-1", "bytes=1-2-3",
                      "bytes=--1",
                      "bytes=0x1-2", "bytes=-", "bytes=1", "bytes=+1-2", "bytes 0-1", "=0-1", "",
                      "bytes=0-1,x",
                      "bytes=0 - 1", "bytes=0-1;x"):
            answer = self.ranged(value)
            self.assertEqual((answer.status, answer.body), WHOLE, value)

    def test_whose_unit_is_in_another_case(self):
        self.assertEqual(self.ranged("BYTES=0-0").body, b"0")

    def test_on_two_lines_are_ignored(self):
        answer = self.ask("GET /f", "Range: bytes=0-0", "Range: bytes=1-1")
        self.assertEqual((answer.status, answer.body), WHOLE)

    def test_of_an_empty_file(self):
        self.make("root/empty")
        for value in ("0-", "-5", "0-0", "5-"):
            answer = self.ranged(f"bytes={value}", "/empty")
            self.assertIn((answer.status, answer.body), ((200, b""), (416, answer.body)), value)

    def test_have_the_fields_of_the_whole(self):
        whole, part = self.ask("GET /f"), self.ranged("bytes=0-0")
        for name in ("ETag", "Last-Modified", "Content-Type"):
            self.assertEqual(whole.field(name), part.field(name))
        self.assertEqual(whole.field("Accept-Ranges"), "bytes")
        self.assertIsNotNone(part.field("Date"))

    def test_of_what_is_not_there_change_nothing(self):
        self.assertEqual(self.ranged("bytes=0-0", "/none").status, 404)
        self.assertEqual(self.ranged("bytes=0-0", "/").status, 200)
        os.mkdir(self.server.path("folder"))
        self.assertEqual(self.ranged("bytes=0-0", "/folder").status, 301)


class Large(RawTest):
    CONTENT = content(5_000_000)

    def test_ranges_have_the_right_bytes(self):
        size = len(self.CONTENT)
        for first, last in ((0, size - 1), (1, size - 2), (4095, 4096), (65_535, 200_001),
                            (size - 100_000, size - 1),
                            (4_194_303, 4_194_304), (123_457, 3_456_789)):
            answer = self.ask("GET /f", f"Range: bytes={first}-{last}")
            self.assertEqual(answer.status, 206)
            self.assertSameBytes(answer.body, self.CONTENT[first:last + 1])

    def test_ranges_follow_each_other_on_one_connection(self):
        peer, size, step = self.talk_to(self.server), len(self.CONTENT), 999_999
        whole = b"".join(peer.get("/f", f"Range: bytes={first}-{first + step - 1}").body
                         for first in range(0, size, step))
        self.assertSameBytes(whole, self.CONTENT)

    def test_ranges_beyond_4_gib(self):
        at = (5 << 30) + 7
        self.make_sparse("root/sparse", 6 << 30, {at: b"here"})
        answer = self.ask("GET /sparse", f"Range: bytes={at - 2}-{at + 5}")
        self.assertEqual(answer.body, b"\0\0here\0\0")
        self.assertEqual(answer.field("Content-Range"), f"bytes {at - 2}-{at + 5}/{6 << 30}")
        self.assertEqual(self.ask("GET /sparse", "Range: bytes=-3").body, b"\0\0\0")


def parts_of(answer):
    """[(fields, bytes)] of a multipart/byteranges, taken apart by its own rules."""
    boundary = re.fullmatch(r'multipart/byteranges; boundary="?([^"]+)"?',
                            answer.field("Content-Type"))[1]
    pieces = (b"\r\n" + answer.body).split(b"\r\n--" + boundary.encode())
    assert pieces[-1].startswith(b"--"), pieces[-1]
    parts = []
    for piece in pieces[1:-1]:
        lines, _, data = piece[2:].partition(b"\r\n\r\n")
        parts.append((dict(line.decode().split(": ", 1) for line in lines.split(b"\r\n")), data))
    return parts


class Several(RawTest):
    CONTENT = content(1_000_000)

    def parts(self, value):
        answer = self.ask("GET /f", f"Range: bytes={value}")
        self.assertEqual(answer.status, 206, value)
        self.assertIsNone(answer.field("Content-Range"), "each part has its own")
        for fields, data in parts_of(answer):
            first, last, size = map(int,
                                    re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)",
                                                 fields["Content-Range"]).groups())
            self.assertEqual(size, len(self.CONTENT))
            self.assertSameBytes(data, self.CONTENT[first:last + 1])
            self.assertIn("Content-Type", fields)
            yield first, last

    def test_come_in_parts_in_the_order_asked_for(self):
        last = len(self.CONTENT) - 1
        for value, ranges in (("0-0,-1", [(0, 0), (last, last)]),
                              ("500-600,0-9", [(500, 600), (0, 9)]),
                              ("0-99999,300000-399999,900000-",
                               [(0, 99_999), (300_000, 399_999), (900_000, last)])):
            self.assertEqual(list(self.parts(value)), ranges)

    def test_of_which_one_is_left_are_one(self):
        for value, first, last in (("0-9,1000000-", 0, 9), ("0-9,10-19", 0, 19),
                                   ("0-9,5-14", 0, 14), (",3-4,", 3, 4)):
            answer = self.ask("GET /f", f"Range: bytes={value}")
            self.assertEqual(answer.status, 206)
            self.assertEqual(answer.field("Content-Range"), f"bytes {first}-{last}/1000000")
            self.assertSameBytes(answer.body, self.CONTENT[first:last + 1])

    def test_have_a_boundary_that_is_not_in_them(self):
        answer = self.ask("GET /f", "Range: bytes=0-0,5-5")
        boundary = answer.field("Content-Type").split("boundary=")[1]
        self.assertRegex(boundary, r"\A[0-9a-zA-Z'()+_,./:=?-]{16,70}\Z")
        self.assertNotIn(boundary.encode(), self.CONTENT)

    def test_that_are_too_many_or_too_much_cost_no_more_than_the_file(self):
        size = len(self.CONTENT)
        for value in (",".join(["0-"] * 1200), ",".join(f"{n}-{size - 1 - n}" for n in range(250)),
                      ",".join(f"{n}-{n}" for n in range(4000, 0, -2)), "0-0," + " ," * 2000,
                      ",".join(f"{n}-{n}" for n in range(0, 4000, 2)), ",".join(["-1"] * 5000),
                      ",".join(["0-0", "0-"] * 500), "0-," * 3 + "0-"):
            answer = self.ask("GET /f", f"Range: bytes={value}")
            self.assertIn(answer.status, (200, 206, 416), value[:60])
            self.assertLessEqual(len(answer.body), size + 40 * 200, value[:60])
            if answer.status == 200:
                self.assertSameBytes(answer.body, self.CONTENT)

    def test_in_a_head_that_is_too_large_are_refused(self):
        self.assertRefused(head("GET /f", "Range: bytes=" + ",".join(["0-"] * 30_000)), 431)

    def test_leave_the_memory_as_it_was(self):
        def resident():
            with open(f"/proc/{self.server.pid}/status", encoding="ascii") as file:
                return int(next(line for line in file
                                if line.startswith("VmRSS:")).split()[1]) << 10

        value = ",".join(f"{n * 20_000}-{n * 20_000 + 15_000}" for n in range(30))
        peer, before = self.talk_to(self.server), resident()
        for _ in range(30):
            self.assertEqual(peer.get("/f", f"Range: bytes={value}").status, 206)
        self.assertLess(resident() - before, 32 << 20)


if __name__ == "__main__":
    tool.main()
