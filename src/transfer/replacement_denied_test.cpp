#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "transfer/commit_testing.hpp"

// What a replacement does where the kernel or a sandbox denies one of its calls.
namespace headrace {
namespace {

using namespace commit_testing;

/// For a child: `call` fails with `number` from here on, when argument `argument` has all `bits`.
bool deny(long call, unsigned argument, unsigned bits, int number) {
  const auto at = [&](std::size_t offset) { return static_cast<__u32>(offset); };
  std::array<sock_filter, 7> filter{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at(offsetof(seccomp_data, nr))),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<__u32>(call), 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at(offsetof(seccomp_data, args) + 8 * argument)),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<__u32>(number)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{.len = filter.size(), .filter = filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool deny(long call, int number) { return deny(call, 0, 0, number); }

// O_TMPFILE contains O_DIRECTORY; this is the bit that is its own.
constexpr unsigned unnamed_file = O_TMPFILE & ~O_DIRECTORY;

/// "old" becomes "new" in a child that first runs `denied`; the named temporary is the expected one
/// or not.
template <class Deny>
void expect_replaced(Deny denied, bool named) {
  const Folder folder;
  write_file(folder / "f", "old");
  EXPECT_TRUE(in_child([&] {
    if (!denied()) return false;
    auto replacement = open_replacement(folder / "f");
    auto fresh = open_replacement(folder / "g");
    return replacement && fresh && replacement->has_temporary_name() == named &&
           put(*replacement, "new") && replacement->commit() && fresh->commit();
  }));
  EXPECT_EQ(content_of(folder / "f"), "new");
  EXPECT_EQ(folder.names(), (Names{"f", "g"}));
}

/// The commit fails in a child that first runs `denied`, and nothing else happens.
template <class Deny>
void expect_failure(Deny denied, Reason reason, int number) {
  const Folder folder;
  write_file(folder / "f", "old");
  EXPECT_TRUE(in_child([&] {
    auto replacement = open_replacement(folder / "f");
    if (!replacement || !put(*replacement, "new") || !denied()) return false;
    const auto committed = replacement->commit();
    return !committed && committed.error().reason == reason &&
           committed.error().error->code.value() == number;
  }));
  // The child ended without running destructors of its parent's scope, but those of its own.
  EXPECT_EQ(content_of(folder / "f"), "old");
  EXPECT_EQ(folder.names(), Names{"f"});
}

TEST(DeniedReplacement, TakesANamedTemporaryWhereUnnamedOnesAreRefused) {
  for (const int number : {EOPNOTSUPP, EISDIR, EINVAL, ENOENT, ENOSYS}) {
    expect_replaced([&] { return deny(SYS_openat, 2, unnamed_file, number); }, true);
  }
}

TEST(DeniedReplacement, FailsWhereAnUnnamedFileMeetsARealError) {
  const Folder folder;
  for (const int number : {ENOSPC, EDQUOT, EIO, ENOMEM, EMFILE}) {
    EXPECT_TRUE(in_child([&] {
      if (!deny(SYS_openat, 2, unnamed_file, number)) return false;
      const auto replacement = open_replacement(folder / "f");
      return !replacement && replacement.error().reason == destination_failed &&
             replacement.error().error->code.value() == number;
    })) << number;
  }
  EXPECT_EQ(folder.names(), Names{});
}

TEST(DeniedReplacement, LinksThroughProcWhereLinkingADescriptorIsRefused) {
  for (const int number : {ENOENT, EPERM, EINVAL}) {
    expect_replaced([&] { return deny(SYS_linkat, 4, AT_EMPTY_PATH, number); }, false);
  }
}

TEST(DeniedReplacement, LeavesNothingWhereLinkingIsRefused) {
  expect_failure([] { return deny(SYS_linkat, EPERM); }, directory_not_writable, EPERM);
  expect_failure([] { return deny(SYS_linkat, ENOSPC); }, destination_failed, ENOSPC);
}

TEST(DeniedReplacement, LeavesNothingWhereRenamingIsRefused) {
  expect_failure([] { return deny(SYS_renameat, EBUSY); }, destination_is_mount_point, EBUSY);
  expect_failure([] { return deny(SYS_renameat, EPERM); }, directory_not_writable, EPERM);
  expect_failure([] { return deny(SYS_renameat, EIO); }, destination_failed, EIO);
}

TEST(DeniedReplacement, ReportsWhatOnlyClosingTells) {
  expect_failure([] { return deny(SYS_close, EDQUOT); }, destination_failed, EDQUOT);
}

TEST(DeniedReplacement, DoesWithoutTheCallsThatOldSandboxesRefuse) {
  expect_replaced([] { return deny(SYS_statx, EPERM); }, false);
  expect_replaced([] { return deny(SYS_faccessat2, EPERM); }, false);
  expect_replaced([] { return deny(SYS_capget, EPERM); }, false);
}

TEST(DeniedReplacement, NotesWhatCouldNotBeKept) {
  const Folder folder;
  write_file(folder / "source", "x", 0751);
  EXPECT_TRUE(in_child([&] {
    auto replacement = open_replacement(
        folder / "f", {.source = status_of(folder / "source"), .named_temporary = false});
    if (!replacement || !deny(SYS_fchmod, EPERM) || !deny(SYS_utimensat, EPERM)) return false;
    const auto committed = replacement->commit();
    return committed && committed->notes.size() == 2 &&
           committed->notes[0].starts_with("mode not kept: fchmod: ") &&
           committed->notes[1].starts_with("times not kept: futimens: ");
  }));
  EXPECT_EQ(mode_of(folder / "f"), 0600U) << "narrower than wanted, never wider";
}

}  // namespace
}  // namespace headrace
