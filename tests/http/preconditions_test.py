"""Validators and the conditions made with them, as RFC 9110 section 13 has them."""

import email.utils
import os

import tool
from raw import RawTest
from serving import Closed

LONG_AGO = 1_000_000_000
DATE = "Sun, 09 Sep 2001 01:46:40 GMT"
EARLIER, LATER = "Sun, 09 Sep 2001 01:46:39 GMT", "Sun, 09 Sep 2001 01:46:41 GMT"
NOT_DATES = ("garbage", "", "Sun, 09 Sep 2001 01:46:40", "2001-09-09T01:46:40Z", "1000000000",
             "Sun, 32 Sep 2001 01:46:40 GMT")


class Conditions(RawTest):
    def setUp(self):
        super().setUp()
        os.utime(self.server.path("f"), (LONG_AGO, LONG_AGO))
        # A file that was changed just now has a weak tag until the clock has moved on.
        self.tag = tool.until(self.strong_tag, "the tag is strong")

    def strong_tag(self):
        tag = self.ask("GET /f").field("ETag")
        return None if tag.startswith("W/") else tag

    def status(self, *fields, method="GET", target="/f"):
        return self.ask(f"{method} {target}", *fields).status

    def assertStatuses(self, rows, method="GET"):  # noqa: N802
        for fields, status in rows:
            fields = (fields,) if isinstance(fields, str) else fields
            self.assertEqual(self.status(*fields, method=method), status, fields)


class Validators(Conditions):
    def test_are_a_quoted_tag_and_a_date(self):
        answer = self.ask("GET /f")
        self.assertRegex(answer.field("ETag"), r'\A"[!#-~]+"\Z')
        self.assertEqual(answer.field("Last-Modified"), DATE)

    def test_change_with_the_content_even_where_size_and_time_do_not(self):
        self.make("root/f", b"9876543210")
        os.utime(self.server.path("f"), (LONG_AGO, LONG_AGO))
        self.assertNotEqual(self.ask("GET /f").field("ETag").removeprefix("W/"), self.tag)

    def test_of_one_content_stay_the_same(self):
        for _ in range(3):
            self.assertEqual(self.ask("GET /f").field("ETag"), self.tag)
            self.assertEqual(self.ask("HEAD /f").field("ETag"), self.tag)

    def test_of_a_young_file_are_weak(self):
        for number in range(20):
            self.make("root/young", b"%d" % number)
            answer = self.ask("GET /young")
            self.assertEqual(answer.body, b"%d" % number)
        tags = {self.ask("GET /young").field("ETag") for _ in range(2)}
        self.assertEqual(len({tag.removeprefix("W/") for tag in tags}), 1, tags)


class IfNoneMatch(Conditions):
    def test_compares_weakly(self):
        other = '"other"'
        self.assertStatuses([(f"If-None-Match: {value}", status) for value, status in (
            (self.tag, 304), (f"W/{self.tag}", 304), ("*", 304), (other, 200),
            (f"{other}, {self.tag}", 304),
            (f"{other},W/{self.tag}", 304), (f"{self.tag[:-1]}x\"", 200),
            (self.tag.strip('"'), 200),
            (self.tag.swapcase() if self.tag.swapcase() != self.tag else other, 200),
            ("garbage", 200))])

    def test_is_answered_with_what_a_cache_needs(self):
        answer = self.ask("GET /f", f"If-None-Match: {self.tag}")
        self.assertEqual((answer.status, answer.field("ETag")), (304, self.tag))
        self.assertIsNotNone(answer.field("Date"))
        self.assertEqual(answer.field("Last-Modified"), DATE)

    def test_of_head_likewise(self):
        self.assertStatuses([(f"If-None-Match: {self.tag}", 304), ('If-None-Match: "x"', 200)],
                            "HEAD")

    def test_stands_above_the_date(self):
        self.assertStatuses([(('If-None-Match: "x"', f"If-Modified-Since: {LATER}"), 200),
                             ((f"If-None-Match: {self.tag}", f"If-Modified-Since: {EARLIER}"),
                              304)])


class IfModifiedSince(Conditions):
    def test_compares_dates_in_all_their_forms(self):
        forms = (DATE, "Sunday, 09-Sep-01 01:46:40 GMT", "Sun Sep  9 01:46:40 2001")
        self.assertStatuses([(f"If-Modified-Since: {value}", 304) for value in (*forms, LATER)] +
                            [(f"If-Modified-Since: {EARLIER}", 200)])

    def test_is_ignored_where_it_is_no_date_or_several(self):
        self.assertStatuses([(f"If-Modified-Since: {value}", 200) for value in NOT_DATES] +
                            [((f"If-Modified-Since: {LATER}", f"If-Modified-Since: {LATER}"), 200)])


class IfMatch(Conditions):
    def test_compares_strongly(self):
        self.assertStatuses([(f"If-Match: {value}", status) for value, status in (
            (self.tag, 200), (f"W/{self.tag}", 412), ("*", 200), ('"other"', 412),
            (f'"other", {self.tag}', 200),
            ("garbage", 412))])

    def test_stands_above_the_date(self):
        self.assertStatuses([((f"If-Match: {self.tag}", f"If-Unmodified-Since: {EARLIER}"), 200),
                             (('If-Match: "x"', f"If-Unmodified-Since: {LATER}"), 412)])


class IfUnmodifiedSince(Conditions):
    def test_compares_dates(self):
        self.assertStatuses([(f"If-Unmodified-Since: {value}", status) for value, status in (
            (DATE, 200), (LATER, 200), (EARLIER, 412))])

    def test_is_ignored_where_it_is_no_date(self):
        self.assertStatuses([(f"If-Unmodified-Since: {value}", 200) for value in NOT_DATES])


class Order(Conditions):
    def test_is_that_of_the_rfc(self):
        self.assertStatuses([
            ((f"If-Match: {self.tag}", f"If-None-Match: {self.tag}"), 304),
            (('If-Match: "x"', f"If-None-Match: {self.tag}"), 412),
            ((f"If-Unmodified-Since: {EARLIER}", f"If-None-Match: {self.tag}"), 412),
            ((f"If-None-Match: {self.tag}", "Range: bytes=0-0"), 304),
            ((f"If-Match: {self.tag}", "Range: bytes=0-0"), 206),
            (("If-Match: \"x\"", "Range: bytes=99-"), 412)])

    def test_conditions_count_only_where_the_answer_would_be_a_success(self):
        os.mkdir(self.server.path("folder"))
        for field in ('If-Match: "x"', "If-Match: *", "If-None-Match: *",
                      f"If-Modified-Since: {LATER}"):
            self.assertEqual(self.status(field, target="/none"), 404, field)
            self.assertEqual(self.status(field, target="/folder"), 301, field)
            self.assertEqual(self.status(field, method="POST"), 405, field)
            self.assertEqual(self.status(field, method="OPTIONS"), 200, field)

    def test_listings_have_no_validators_to_compare(self):
        for field in ('If-None-Match: "x"', f"If-Modified-Since: {LATER}"):
            self.assertEqual(self.status(field, target="/"), 200)


class IfRange(Conditions):
    def ranged(self, value):
        answer = self.ask("GET /f", "Range: bytes=4-7",
                          *(f"If-Range: {one}" for one in [value] if one is not None))
        if answer.status == 200:
            self.assertSameBytes(answer.body, b"0123456789")
        else:
            self.assertEqual((answer.status, answer.body), (206, b"4567"))
        return answer.status

    def test_gives_a_part_only_for_the_exact_validator(self):
        for value in (None, self.tag, DATE):
            self.assertEqual(self.ranged(value), 206, value)
        for value in (f"W/{self.tag}", self.tag[:-1] + 'x"', f'{self.tag}, "a"',
                      self.tag.strip('"'), "*", LATER,
                      EARLIER, *NOT_DATES):
            self.assertEqual(self.ranged(value), 200, value)

    def test_twice_gives_the_whole(self):
        answer = self.ask("GET /f", "Range: bytes=4-7", f"If-Range: {self.tag}",
                          f"If-Range: {self.tag}")
        self.assertEqual(answer.status, 200)

    def test_of_what_has_changed_gives_the_whole_new_file(self):
        new = b"new-9876543210!"
        self.make("root/f", new)
        for value in (self.tag, DATE):
            answer = self.ask("GET /f", "Range: bytes=4-7", f"If-Range: {value}")
            self.assertEqual((answer.status, answer.body), (200, new))

    def test_of_a_date_within_its_second_gives_the_whole(self):
        """A second change in that second would not be seen."""
        answer, date = None, None
        while answer is None or answer.field("Date") != date:  # the clock has moved on
            self.make("root/f", b"young file")
            date = self.ask("GET /f").field("Last-Modified")
            answer = self.ask("GET /f", "Range: bytes=4-7", f"If-Range: {date}")
        self.assertEqual((answer.status, answer.body), (200, b"young file"))

    def test_without_a_range_is_ignored(self):
        for value in (self.tag, '"x"', DATE, LATER):
            self.assertEqual(self.status(f"If-Range: {value}"), 200)


class Uploads(Conditions):
    OPTIONS = ("--upload",)

    def put(self, *fields, target="/f", body=b"new"):
        try:
            return self.ask(f"PUT {target}", f"Content-Length: {len(body)}", *fields,
                            body=body).status
        except (Closed, ConnectionError):
            self.fail("no answer")

    def test_replace_only_what_is_expected(self):
        for field in ('If-Match: "x"', f"If-Match: W/{self.tag}", f"If-Unmodified-Since: {EARLIER}",
                      "If-None-Match: *",
                      f"If-None-Match: {self.tag}"):
            self.assertEqual(self.put(field), 412, field)
            self.assertContent(self.server.path("f"), b"0123456789")
        self.assertEqual(self.put(f"If-Match: {self.tag}"), 204)
        self.assertContent(self.server.path("f"), b"new")
        self.assertEqual(self.put(f"If-Match: {self.tag}"), 412)

    def test_make_only_what_is_not_there(self):
        self.assertEqual(self.put("If-Match: *", target="/new"), 412)
        self.assertFalse(os.path.exists(self.server.path("new")))
        self.assertEqual(self.put("If-None-Match: *", target="/new"), 201)
        self.assertEqual(self.put("If-None-Match: *", target="/new", body=b"other"), 412)
        self.assertContent(self.server.path("new"), b"new")

    def test_do_not_hear_the_date_of_readers(self):
        self.assertEqual(self.put(f"If-Modified-Since: {email.utils.formatdate(usegmt=True)}"), 204)


if __name__ == "__main__":
    tool.main()
