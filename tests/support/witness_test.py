"""The witness itself: what it understands of strace's lines, and that it finds false reports."""

import contextlib
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import calls  # noqa: E402
import witness  # noqa: E402

SOURCE = witness.matching("/s")
DESTINATION = witness.matching("/d")


def parsed(*lines):
    return calls.parse(lines)


def reported(legs, trace, **fields):
    report = {"legs": legs, "bytes": sum(leg["bytes"] for leg in legs), "stranded": 0} | fields
    return witness.Run(0, b"", b"", parsed(*trace), report)


def leg(method, bytes, calls, notes=()):
    return {"method": method, "bytes": bytes, "calls": calls, "notes": list(notes)}


def faults(legs, trace, **fields):
    return witness.check_report(reported(legs, trace, **fields), SOURCE, DESTINATION)


class Lines(unittest.TestCase):
    def test_a_plain_call(self):
        [call] = parsed('12 sendfile(4</d>, 3</s>, [0] => [100], 100) = 100')
        self.assertEqual((call.pid, call.name, call.result, call.error), (12, "sendfile", 100, None))
        self.assertEqual((call.source.name, call.destination.name), ("/s", "/d"))

    def test_an_error(self):
        [call] = parsed('12 read(0<pipe:[7]>, 0x7ff, 10) = -1 EAGAIN (Resource unavailable (really))')
        self.assertEqual((call.result, call.error, call.moved), (-1, "EAGAIN", 0))

    def test_an_injected_error(self):
        [call] = parsed('12 splice(3</s>, NULL, 4</d>, NULL, 1, 0) = -1 EINVAL (Invalid) (INJECTED)')
        self.assertEqual((call.result, call.error), (-1, "EINVAL"))

    def test_a_resumed_call_belongs_to_its_process(self):
        found = parsed('1 read(3</s>,  <unfinished ...>', '2 write(4</d>,  <unfinished ...>',
                       '1 <... read resumed>""..., 9)  = 5', '2 <... write resumed>""..., 9) = 6')
        self.assertEqual([(call.pid, call.name, call.result) for call in found],
                         [(1, "read", 5), (2, "write", 6)])
        self.assertEqual(found[0].source.name, "/s")

    def test_a_call_that_never_returns_moved_nothing(self):
        [call] = parsed('1 read(3</s>,  <unfinished ...>', '1 +++ killed by SIGKILL +++')
        self.assertEqual((call.name, call.result, call.moved), ("read", None, 0))

    def test_a_restarted_call_is_marked(self):
        [call] = parsed('1 read(3</s>, 0x1, 9) = ? ERESTARTSYS (To be restarted if SA_RESTART)')
        self.assertTrue(call.restarted)
        self.assertEqual(call.moved, 0)

    def test_names_with_every_sign(self):
        [call] = parsed(r'1 copy_file_range(3</w, (x) \74y\76/a\"\\\303\251>, NULL, '
                        r'4</t/#99>(deleted), NULL, 9223372035781033984, 0) = 9223372035781033000')
        self.assertEqual(call.source.name, '/w, (x) <y>/a"\\é')
        self.assertEqual(call.destination.name, "/t/#99")
        self.assertEqual(call.moved, 9223372035781033000)

    def test_vectors_and_strings_with_commas(self):
        [call] = parsed('1 pwritev2(4</d>, [{iov_base="a,\\"b)", iov_len=5}], 1, -1, RWF_NOWAIT) = 5')
        self.assertEqual((call.destination.name, call.result), ("/d", 5))
        self.assertEqual(calls.split('1, [2, 3], {a=(4, 5)}, "6, 7", 8<x, y>'),
                         ["1", "[2, 3]", "{a=(4, 5)}", '"6, 7"', "8<x, y>"])

    def test_clones_and_no_other_ioctl(self):
        found = parsed('1 openat(AT_FDCWD</>, "/s", O_RDONLY) = 3</s>',
                       '1 ioctl(4</d>, BTRFS_IOC_CLONE or FICLONE, 3) = 0',
                       '1 ioctl(4</d>, BTRFS_IOC_CLONE_RANGE or FICLONERANGE, '
                       '{src_fd=3</s>, src_offset=0, src_length=0, dest_offset=0}) = -1 EXDEV (No)',
                       '1 ioctl(4</d>, TCGETS, 0x7) = -1 ENOTTY (Inappropriate ioctl)')
        self.assertEqual([(call.name, call.source.name) for call in found],
                         [("FICLONE", "/s"), ("FICLONERANGE", "/s")])

    def test_calls_of_other_names_can_be_counted(self):
        lines = ['1 poll([{fd=3}], 1, -1 <unfinished ...>', '2 ppoll([], 0, NULL) = 0',
                 '1 <... poll resumed>) = 1', '1 read(3</s>, ""..., 9) = 5']
        self.assertEqual(calls.count(lines, ["poll", "ppoll"]), 2)

    def test_other_lines_are_passed_over(self):
        self.assertEqual(parsed('1 +++ exited with 0 +++', '', '1 --- SIGPIPE {si_signo=13} ---',
                                'strace: Process 7 attached'), [])


class Reports(unittest.TestCase):
    SENDFILE = ['1 sendfile(4</d>, 3</s>, NULL, 9) = 5', '1 sendfile(4</d>, 3</s>, NULL, 4) = 4']
    LOOP = ['1 read(3</s>, ""..., 9) = 9', '1 write(4</d>, ""..., 9) = 9', '1 read(3</s>, "", 9) = 0']
    PIPE = ['1 splice(3</s>, NULL, 7<pipe:[1]>, NULL, 9, 0) = 9',
            '1 splice(6<pipe:[1]>, NULL, 4</d>, NULL, 9, 0) = 9']

    def test_true_ones_have_no_fault(self):
        self.assertEqual(faults([leg("sendfile", 9, 2)], self.SENDFILE), [])
        self.assertEqual(faults([leg("read_write", 9, 3)], self.LOOP), [])
        self.assertEqual(faults([leg("splice_pipe", 9, 2)], self.PIPE), [])
        self.assertEqual(faults([leg("reflink", 9, 1)],
                                ['1 ioctl(4</d>, FICLONERANGE, {src_fd=3</s>, src_offset=0}) = 0']), [])

    def test_a_mapping_makes_no_call_on_its_side(self):
        self.assertEqual(faults([leg("mmap_write", 9, 1)], self.LOOP[1:2]), [])
        self.assertEqual(faults([leg("mmap_read", 9, 2)], [self.LOOP[0], self.LOOP[2]]), [])
        self.assertTrue(faults([leg("mmap_write", 8, 1)], self.LOOP[1:2]))
        self.assertTrue(faults([leg("mmap_write", 9, 1)], self.LOOP))
        self.assertTrue(faults([leg("mmap_read", 8, 2)], [self.LOOP[0], self.LOOP[2]]))
        self.assertTrue(faults([leg("mmap_read", 9, 3)], self.LOOP))

    def test_several_legs_are_told_apart(self):
        legs = [leg("sendfile", 9, 2), leg("splice_pipe", 9, 2), leg("read_write", 9, 3)]
        self.assertEqual(faults(legs, self.SENDFILE + self.PIPE + self.LOOP), [])

    def test_other_writes_do_not_count(self):
        self.assertEqual(faults([leg("sendfile", 9, 2)],
                                self.SENDFILE + ['1 write(2<pipe:[5]>, ""..., 99) = 99']), [])

    def test_the_read_that_confirms_the_end_may_be_extra(self):
        trace = self.SENDFILE + ['1 read(3</s>, "", 1) = 0']
        noted = leg("sendfile", 9, 2, [witness.END_BY_READ])
        self.assertEqual(faults([noted], trace), [])
        self.assertEqual(faults([noted, leg("read_write", 0, 0)], trace), [])

    def test_wrong_bytes_are_found(self):
        self.assertTrue(faults([leg("sendfile", 8, 2)], self.SENDFILE))
        self.assertTrue(faults([leg("splice_pipe", 9, 2)], self.PIPE[:1]))
        self.assertTrue(faults([leg("read_write", 9, 2)], self.LOOP[1:]))

    def test_wrong_call_counts_are_found(self):
        self.assertTrue(faults([leg("sendfile", 9, 1)], self.SENDFILE))
        self.assertTrue(faults([leg("read_write", 9, 2)], self.LOOP))

    def test_a_method_that_did_not_run_is_found(self):
        self.assertTrue(faults([leg("splice", 9, 2)], self.SENDFILE))
        self.assertTrue(faults([leg("reflink", 9, 1)], []))

    def test_a_method_that_is_not_told_is_found(self):
        self.assertTrue(faults([leg("sendfile", 9, 2)], self.SENDFILE + self.LOOP))

    def test_legs_that_do_not_add_up_are_found(self):
        self.assertTrue(faults([leg("sendfile", 9, 2)], self.SENDFILE, bytes=10))

    def test_stranded_bytes_were_taken_and_not_given(self):
        trace = [self.PIPE[0], self.PIPE[1].replace("= 9", "= 5")]
        self.assertEqual(faults([leg("splice_pipe", 5, 2)], trace, stranded=4), [])
        self.assertTrue(faults([leg("splice_pipe", 5, 2)], trace))

    VMSPLICE = ['1 read(3</s>, ""..., 9) = 9', '1 vmsplice(6<pipe:[1]>, [{}], 1, 2) = 9',
                '1 splice(5<pipe:[1]>, NULL, 4</d>, NULL, 9, 2) = 9']

    def test_a_vmsplice_stands_between_a_read_and_a_splice(self):
        self.assertEqual(faults([leg("vmsplice", 9, 3)], self.VMSPLICE), [])
        self.assertTrue(faults([leg("vmsplice", 9, 2)], self.VMSPLICE))
        self.assertTrue(faults([leg("vmsplice", 9, 3)], self.VMSPLICE[:2]))
        self.assertTrue(faults([leg("read_write", 9, 3)], self.VMSPLICE))

    def test_a_send_without_a_copy_stands_behind_a_read(self):
        trace = ['1 read(3</s>, ""..., 9) = 9', '1 sendto(4</d>, ""..., 9, 0, NULL, 0) = 9']
        self.assertEqual(faults([leg("send_zerocopy", 9, 2)], trace), [])
        self.assertTrue(faults([leg("send_zerocopy", 9, 2)], trace[:1]))

    def test_a_missing_report_is_a_fault(self):
        run = witness.Run(0, b"", b"", [], None)
        self.assertTrue(witness.check_report(run, SOURCE, DESTINATION))


class Live(unittest.TestCase):
    def setUp(self):
        if reason := witness.why_not():
            self.skipTest(reason)
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    if sys.version_info < (3, 11):
        def enterContext(self, context):
            stack = contextlib.ExitStack()
            self.addCleanup(stack.close)
            return stack.enter_context(context)

    def test_dd_moves_what_it_moves(self):
        source = os.path.join(self.folder, "a (b), <c>")
        with open(source, "wb") as file:
            file.write(b"x" * 10000)
        out = os.path.join(self.folder, "to", "file")
        os.mkdir(os.path.dirname(out))
        run = witness.run(["dd", "if=" + source, "of=" + out, "bs=4096"])
        self.assertEqual(run.status, 0)
        sums = witness.bytes_by_call(run, witness.path(source), witness.inside(os.path.dirname(out)))
        self.assertEqual(sums["read", True, False], witness.Moved(4, 10000))
        self.assertEqual(sums["write", False, True], witness.Moved(3, 10000))

    def test_standard_ends_are_known_by_their_inode(self):
        reader, writer = os.pipe()
        os.write(writer, b"hello")
        os.close(writer)
        source = witness.descriptor(reader)
        run = witness.run(["cat"], stdin=reader)
        os.close(reader)
        self.assertEqual(run.stdout, b"hello")
        self.assertEqual(witness.bytes_by_call(run, source, witness.matching("none")),
                         {("read", True, False): witness.Moved(2, 5)})

    def test_a_hang_ends(self):
        run = witness.run(["sleep", "1000"], timeout=0.5)
        self.assertTrue(run.timed_out)

    def test_the_status_is_the_commands(self):
        self.assertEqual(witness.run(["sh", "-c", "exit 3"]).status, 3)
        self.assertEqual(witness.run(["sh", "-c", "kill -TERM $$"]).status, 143)


if __name__ == "__main__":
    unittest.main()
