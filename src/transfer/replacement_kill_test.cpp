#include <sys/ptrace.h>

#include <csignal>

#include "transfer/commit_testing.hpp"

namespace headrace {
namespace {

using namespace commit_testing;

enum class End { finished, killed, not_traced };

/// Runs `body` in a child and kills it at the given stop: every system call has one on its way in
/// and one on its way out.
template <class Body>
End run_until_stop(int stop, Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(2);
    static_cast<void>(::raise(SIGSTOP));
    ::_exit(body() ? 0 : 1);
  }
  int status = 0;
  for (int stops = 0; stops <= stop; ++stops) {
    if (::waitpid(child, &status, 0) != child) return End::not_traced;
    if (WIFEXITED(status)) {
      EXPECT_NE(WEXITSTATUS(status), 1) << "the replacement itself failed";
      return WEXITSTATUS(status) == 0 ? End::finished : End::not_traced;
    }
    if (stops < stop) ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  }
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return End::killed;
}

class KilledReplacement : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(BothTemporaries, KilledReplacement, testing::Bool(),
                         [](const auto& which) { return which.param ? "Named" : "Unnamed"; });

bool replace_whole(const std::string& path, bool named) {
  auto replacement = open_replacement(path, {.source = {}, .named_temporary = named});
  return replacement && put(*replacement, "new ") && put(*replacement, "content") &&
         replacement->commit().has_value();
}

/// Kills the replacement of `f` at each of its steps in turn; `check` sees the folder after each.
template <class Check>
void kill_at_each_step(bool exists, bool named, Check check) {
  int killed = 0;
  int hidden = 0;
  for (int stop = 1;; ++stop) {
    const Folder folder;
    if (exists) write_file(folder / "f", "old content");
    const End end = run_until_stop(stop, [&] { return replace_whole(folder / "f", named); });
    if (end == End::not_traced) GTEST_SKIP() << "no ptrace here";
    check(folder);
    for (const std::string& name : folder.names()) hidden += name == "f" ? 0 : 1;
    if (end == End::finished) break;
    ++killed;
  }
  EXPECT_GT(killed, 10);
  if (named) {
    EXPECT_GT(hidden, 0) << "the test never killed it while its name was there";
  } else {
    // Between the end of linkat and that of renameat, where the old file is replaced.
    EXPECT_LE(hidden, exists ? 2 : 0);
  }
}

TEST_P(KilledReplacement, LeavesTheOldFileOrTheNewOneWhole) {
  kill_at_each_step(true, GetParam(), [](const Folder& folder) {
    const std::string content = content_of(folder / "f");
    EXPECT_TRUE(content == "old content" || content == "new content") << content;
  });
}

TEST_P(KilledReplacement, LeavesNoFileOrTheNewOneWhole) {
  kill_at_each_step(false, GetParam(), [](const Folder& folder) {
    if (fs::exists(folder / "f")) {
      EXPECT_EQ(content_of(folder / "f"), "new content");
    }
  });
}

}  // namespace
}  // namespace headrace
