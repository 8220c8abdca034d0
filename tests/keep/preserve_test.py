"""`copy --preserve`: what a copy keeps of its source, and of the file whose place it takes."""
# labels: strace

import errno
import os
import struct
import unittest

import tool
from tool import IS_ROOT, NOBODY, ToolTest, content, needs, strace

NEW = content(10_000)
OLD = b"the old content"
ACL = "system.posix_acl_access"
USER_OBJ, USER, GROUP_OBJ, MASK, OTHER = 0x01, 0x02, 0x04, 0x10, 0x20
NO_ID = 0xFFFFFFFF
FRIEND = 4242


def access_list(owner, friend, group, mask, other):
    """A list that names one user, as the kernel takes it."""
    entries = [(USER_OBJ, owner, NO_ID), (USER, friend, FRIEND), (GROUP_OBJ, group, NO_ID),
               (MASK, mask, NO_ID), (OTHER, other, NO_ID)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


SHARED = access_list(6, 6, 0, 6, 0)  # mode 0660, but the group itself may nothing


def list_of(path):
    try:
        return os.getxattr(path, ACL)
    except OSError as error:
        if error.errno != errno.ENODATA:
            raise
        return None


class Preserve(ToolTest):
    def setUp(self):
        super().setUp()
        self.source = self.make("a", NEW, mode=0o640)
        self.destination = self.path("b")
        os.utime(self.source, ns=(1_000_000_007, 999_999_999_987_654_321))

    def copy(self, *options, status=0, words=(), **popen):
        done = self.run_tool("copy", *options, self.source, self.destination, json_report=True, **popen)
        self.assertStatus(done, status, *words)
        return done.report

    def mode(self):
        return os.stat(self.destination).st_mode & 0o7777

    def set_attribute(self, path, name, value):
        try:
            os.setxattr(path, name, value)
        except OSError as error:
            self.skipTest(f"{name} cannot be set here: {error}")

    def test_keeps_mode_and_times_unless_told_otherwise(self):
        self.copy()
        there = os.stat(self.destination)
        self.assertEqual((self.mode(), there.st_mtime_ns), (0o640, 999_999_999_987_654_321))

    def test_keeps_what_is_named_and_nothing_else(self):
        self.copy("--preserve", "times")
        self.assertEqual(os.stat(self.destination).st_mtime_ns, 999_999_999_987_654_321)
        self.assertNotEqual(self.mode() & 0o004, 0, "by umask")
        self.copy("--preserve", "mode")
        self.assertEqual(self.mode(), 0o640)
        self.assertNotEqual(os.stat(self.destination).st_mtime_ns, 999_999_999_987_654_321)

    def test_keeps_it_in_place_too(self):
        self.make("b", OLD, mode=0o600)
        self.set_attribute(self.source, "user.note", b"kept")
        self.copy("--in-place", "--preserve", "mode,xattr")
        self.assertEqual((self.mode(), os.getxattr(self.destination, "user.note")), (0o640, b"kept"))

    # -- Owner --

    @unittest.skipUnless(IS_ROOT, "needs root to give files away")
    def test_owner_and_group_where_asked_for(self):
        os.chown(self.source, 7, 8)
        self.make("b", OLD)
        os.chown(self.destination, 9, 10)
        self.copy()
        there = os.stat(self.destination)
        self.assertEqual((there.st_uid, there.st_gid), (9, 10), "those of the file replaced")
        os.chmod(self.source, 0o6755)
        self.copy("--preserve", "owner,mode")
        there = os.stat(self.destination)
        self.assertEqual((there.st_uid, there.st_gid, self.mode()), (7, 8, 0o6755))

    @unittest.skipUnless(IS_ROOT, "needs root to become somebody else")
    def test_an_owner_that_cannot_be_kept(self):
        os.chmod(self.source, 0o644)
        folder = self.make_folder("d")
        os.chown(folder, NOBODY, NOBODY)
        self.destination = os.path.join(folder, "b")
        nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}

        def copy(*options):
            return self.run_tool("copy", *options, self.source, self.destination, **nobody)

        self.assertStatus(copy("--preserve", "owner"), 1, "metadata-not-kept", "owner", "was made")
        self.assertOnly(folder=folder)
        self.assertStatus(copy("--preserve", "all"), 0, "note", "owner and group not kept")
        self.assertEqual(os.stat(self.destination).st_uid, NOBODY)

    @unittest.skipUnless(IS_ROOT, "needs root to give files away")
    def test_set_id_bits_without_their_owner(self):
        os.chown(self.source, 7, 8)
        os.chmod(self.source, 0o4755)
        report = self.copy()
        self.assertEqual(report["notes"], ["set-user-ID not kept: the file has another owner or group"])
        self.assertEqual(self.mode(), 0o755)
        os.unlink(self.destination)
        self.copy("--preserve", "mode", status=1,
                  words=["set-user-ID not kept", "metadata-not-kept", "was made"])
        self.assertOnly("a")
        self.copy("--preserve", "mode,owner")
        self.assertEqual(self.mode(), 0o4755)

    # -- Extended attributes --

    def test_attributes_where_asked_for(self):
        self.set_attribute(self.source, "user.note", b"of a")
        self.make("b", OLD)
        self.set_attribute(self.destination, "user.old", b"of b")
        self.copy("--preserve", "xattr")
        self.assertEqual(os.getxattr(self.destination, "user.note"), b"of a")
        self.assertNotIn("user.old", os.listxattr(self.destination), "it told of the old content")
        self.copy()
        self.assertEqual([name for name in os.listxattr(self.destination) if name.startswith("user.")], [])

    @needs("strace")
    def test_attributes_that_cannot_be_kept(self):
        self.set_attribute(self.source, "user.note", b"of a")
        self.make("b", OLD)
        refusing = strace("-e", "trace=fsetxattr", "-e", "inject=fsetxattr:error=EOPNOTSUPP")
        self.copy("--preserve", "xattr", status=1, wrap=refusing,
                  words=["user.note", "metadata-not-kept", "is what it was"])
        self.assertContent(self.destination, OLD)
        self.assertOnly("a", "b")
        report = self.copy("--preserve", "all", wrap=refusing)
        self.assertTrue(any("user.note not kept" in note for note in report["notes"]), report["notes"])
        self.assertContent(self.destination, NEW)

    # -- Access lists --

    def test_the_list_of_the_source_where_asked_for(self):
        self.set_attribute(self.source, ACL, SHARED)
        for options in (["acl"], ["acl,mode"], ["all"]):
            self.copy("--preserve", *options)
            self.assertEqual(list_of(self.destination), SHARED, options)
            self.assertEqual(self.mode(), 0o660)

    def test_a_mode_without_its_list_opens_nothing(self):
        self.set_attribute(self.source, ACL, SHARED)
        self.copy()
        self.assertEqual((list_of(self.destination), self.mode()), (None, 0o600))

    @needs("strace")
    def test_a_list_that_cannot_be_read_opens_nothing(self):
        for call, path, options in (("fgetxattr", self.source, []),
                                    ("lgetxattr", self.destination, ["--no-preserve"])):
            self.make("b", OLD)
            self.set_attribute(path, ACL, SHARED)
            refusing = strace("-e", f"trace={call}", "-e", f"inject={call}:error=EACCES")
            report = self.copy(*options, wrap=refusing)
            self.assertTrue(any("access list" in note for note in report["notes"]), report["notes"])
            self.assertEqual((list_of(self.destination), self.mode() & 0o070), (None, 0), call)

    def test_a_source_without_a_list_takes_it_away_where_asked_for(self):
        self.make("b", OLD)
        self.set_attribute(self.destination, ACL, SHARED)
        self.copy("--preserve", "acl")
        self.assertEqual((list_of(self.destination), self.mode()), (None, 0o640))

    def test_the_list_of_the_file_replaced_stays_cut_by_the_mode(self):
        self.make("b", OLD)
        self.set_attribute(self.destination, ACL, SHARED)
        self.copy()
        self.assertEqual(list_of(self.destination), access_list(6, 6, 0, 4, 0))
        self.assertEqual(self.mode(), 0o640)

    def test_the_list_of_the_file_replaced_stays_as_writing_in_place_leaves_it(self):
        for options in ([], ["--no-preserve"]):
            lists = []
            for more in ([], ["--in-place"]):
                self.make("b", OLD)
                self.set_attribute(self.destination, ACL, SHARED)
                self.copy(*options, *more)
                lists.append((list_of(self.destination), self.mode()))
                os.unlink(self.destination)
            self.assertEqual(lists[0], lists[1], options)

    def test_a_file_without_a_list_gets_none_from_its_directory(self):
        self.make("b", OLD, mode=0o604)
        self.set_attribute(self.folder, "system.posix_acl_default", access_list(7, 7, 7, 7, 0))
        self.copy("--no-preserve")
        self.assertEqual((list_of(self.destination), self.mode()), (None, 0o604))

    @needs("strace")
    def test_a_list_that_cannot_be_kept(self):
        self.set_attribute(self.source, ACL, SHARED)
        refusing = strace("-e", "trace=fsetxattr", "-e", "inject=fsetxattr:error=EOPNOTSUPP")
        self.copy("--preserve", "acl", status=1, wrap=refusing, words=["access list not kept"])
        self.assertOnly("a")
        report = self.copy("--preserve", "all", wrap=refusing)
        self.assertTrue(any("access list not kept" in note for note in report["notes"]))
        self.assertEqual(self.mode(), 0o600, "not wider than the list was")

    # -- What is not understood --

    def test_what_makes_no_sense_is_status_2(self):
        for options, words in ((["--preserve", "links"], ["links", "mode, times"]),
                               (["--preserve", "mode", "--no-preserve"], ["--no-preserve"])):
            done = self.run_tool("copy", *options, self.source, self.destination)
            self.assertStatus(done, 2, *words)
        self.assertStatus(self.run_tool("copy", "--preserve", "mode", self.source, "/dev/null"), 2,
                          "--preserve")
        self.assertStatus(self.run_tool("copy", "--preserve", "mode", "/dev/null", self.destination), 2,
                          "--preserve")
        self.assertOnly("a")


if __name__ == "__main__":
    tool.main()
