#include <fcntl.h>
#include <gtest/gtest.h>

#include "denied/attempt.hpp"
#include "support/ends.hpp"
#include "support/limits.hpp"
#include "support/must.hpp"

namespace headrace::testing {
namespace {

// Visits every pair of ordinary ends.
void for_each_pair(const std::function<void(const std::function<Ends()>& make)>& visit) {
  const TemporaryFolder folder;
  for (const PairKind& kind : pair_kinds()) {
    SCOPED_TRACE(kind.name);
    if (!kind.cloning) visit([&] { return kind.make(folder.path()); });
  }
}

void expect_whole(const Seen& seen) {
  EXPECT_EQ(seen.outcome, Outcome::complete);
  EXPECT_EQ(seen.bytes, content_size);
}

const Method& method_named(std::string_view name) {
  for (const Method* method : all_methods()) {
    if (method->name == name) return *method;
  }
  give_up(name, "is no method");
}

Denial set_pipe_size_denied(int number) { return denied(SYS_fcntl, number).where(1, F_SETPIPE_SZ); }

TEST(NoPipe, IsARefusalAndTheNextMethodMovesAll) {
  if (sanitized) GTEST_SKIP() << "the sanitizer itself needs a pipe";
  if (!can_deny()) GTEST_SKIP() << "no seccomp notification here";
  const Method& method = method_named("splice_pipe");
  for_each_pair([&](const auto& make) {
    if (!serves(method, make())) return;
    for (const int number : {EMFILE, ENFILE, EPERM, ENOMEM}) {
      const std::vector<Denial> denials{denied(SYS_pipe2, number)};
      const Seen next = attempt(make(), denials, before_all_others(method));
      expect_whole(next);
      EXPECT_EQ(next.refused_errno, number);
      const Seen only = attempt(make(), denials, alone(method));
      EXPECT_EQ(only.outcome, Outcome::refused);
      EXPECT_EQ(only.bytes, 0U);
      EXPECT_EQ(only.last_errno, number);
    }
  });
}

TEST(NoPipe, ASmallerOneServesAndIsTold) {
  if (!can_deny()) GTEST_SKIP() << "no seccomp notification here";
  const Method& method = method_named("splice_pipe");
  for_each_pair([&](const auto& make) {
    if (!serves(method, make())) return;
    for (const int number : {EPERM, EBUSY, ENOMEM}) {
      const Seen seen = attempt(make(), {set_pipe_size_denied(number)}, alone(method));
      expect_whole(seen);
      EXPECT_TRUE(seen.note);
    }
  });
}

// Past the soft limit of all pipes an ordinary user gets pipes of two slots.
void use_up_pipes() {
  const auto held = std::make_shared<std::vector<Pipe>>();
  constexpr int tries = 400;
  constexpr int two_slots = 8192;
  for (int i = 0; i < tries; ++i) {
    held->push_back(open_pipe());
    ::fcntl(held->back().reader.ref().number(), F_SETPIPE_SZ, 1 << 20);
    const int capacity = ::fcntl(held->back().reader.ref().number(), F_GETPIPE_SZ);
    if (capacity > two_slots) continue;
    static const auto for_ever = held;
    return;
  }
  give_up("pipes", "do not get smaller");
}

TEST(UnprivilegedUser, MovesAllThroughPipesOfTwoSlots) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const auto prepare = [] {
    become_nobody();
    use_up_pipes();
  };
  for_each_pair([&](const auto& make) {
    expect_whole(attempt(make(), {}, {}, std::chrono::seconds(5), prepare));
    for (const Method* method : all_methods()) {
      SCOPED_TRACE(method->name);
      if (!serves(*method, make())) continue;
      if (method->path_class == PathClass::shared) continue;
      expect_whole(attempt(make(), {}, alone(*method), std::chrono::seconds(5), prepare));
    }
  });
}

TEST(OpenFiles, SixteenAreEnough) {
  for_each_pair([&](const auto& make) {
    // The ends may stand higher: what counts is what a transfer opens itself.
    expect_whole(attempt(make(), {}, {}, std::chrono::seconds(5), [] { limit_open_files(16); }));
  });
}

TEST(OpenFiles, NoneLeftIsEnough) {
  if (sanitized) GTEST_SKIP() << "the sanitizer itself needs a pipe";
  for_each_pair([&](const auto& make) {
    // poll(2) takes as many descriptors as may be open, so three; no new one can be had.
    expect_whole(attempt(make(), {}, {}, std::chrono::seconds(5), [] { limit_open_files(3); }));
  });
}

// With none there is no waiting: what needs none moves, the rest says so.
TEST(OpenFiles, ALimitThatForbidsPollIsNeverAHang) {
  if (sanitized) GTEST_SKIP() << "the sanitizer itself needs a pipe";
  const auto none = [] { limit_open_files(0); };
  for_each_pair([&](const auto& make) {
    attempt(make(), {}, {}, std::chrono::seconds(5), none);
    for (const Method* method : all_methods()) {
      SCOPED_TRACE(method->name);
      if (!serves(*method, make())) continue;
      attempt(make(), {}, alone(*method), std::chrono::seconds(5), none);
    }
  });
}

TEST(Poll, ThatIsDeniedIsAFailureAndNoBusyLoop) {
  const Pipe empty = open_pipe(Mode::nonblocking);
  const Pair silent = connected_tcp();
  const Descriptor destination = file_holding("");
  for (const Descriptor* source : {&empty.reader, &silent.near}) {
    const int status = run_in_child([&] {
      for (const int call : {SYS_poll, SYS_ppoll}) deny_call(call, ENOSYS);
      const auto report = transfer(body_of(source->ref()), Plain{destination.ref()});
      return report && report->outcome == Outcome::failed ? 0 : 1;
    });
    EXPECT_EQ(status, 0);
  }
}

// What container profiles leave out; both answers are in use.
TEST(SeccompProfile, WithoutTheFastCallsEverythingStillMoves) {
  for (const int number : {EPERM, ENOSYS}) {
    const auto profile = [number] {
      for (const int call : {SYS_splice, SYS_tee, SYS_vmsplice, SYS_copy_file_range,
                             SYS_io_uring_setup, SYS_io_uring_enter}) {
        deny_call(call, number);
      }
    };
    for_each_pair([&](const auto& make) {
      expect_whole(attempt(make(), {}, {}, std::chrono::seconds(5), profile));
      const auto more = [&] {
        profile();
        for (const int call : {SYS_sendfile, SYS_preadv2, SYS_pwritev2}) deny_call(call, number);
      };
      const Seen seen = attempt(make(), {}, {}, std::chrono::seconds(5), more);
      EXPECT_TRUE(seen.outcome == Outcome::complete || seen.last_errno == number);
    });
  }
}

TEST(SeccompProfile, RequireIsRefusedLoudlyWhereOnlyReadAndWriteAreLeft) {
  const auto profile = [] {
    for (const int call : {SYS_splice, SYS_copy_file_range, SYS_sendfile}) deny_call(call, ENOSYS);
  };
  for_each_pair([&](const auto& make) {
    const Wishes kernel{.require = PathClass::kernel};
    const Seen seen = attempt(make(), {}, kernel, std::chrono::seconds(5), profile);
    EXPECT_EQ(seen.outcome, Outcome::refused);
    EXPECT_EQ(seen.bytes, 0U);
  });
}

}  // namespace
}  // namespace headrace::testing
