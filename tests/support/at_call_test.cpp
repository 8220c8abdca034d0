#include "support/at_call.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "support/temporary.hpp"

namespace headrace::testing {
namespace {

int write_two(const Descriptor& file) {
  const bool both =
      ::write(file.ref().number(), "a", 1) == 1 && ::write(file.ref().number(), "b", 1) == 1;
  return both ? 7 : 8;
}

TEST(RunUntil, DoesSomethingBetweenTheProgramAndItsCall) {
  const Descriptor file = file_holding("old");
  int before = 0;
  const int status = run_until(
      {SYS_write, file.ref()},
      [&] {
        ++before;
        EXPECT_EQ(read_all(file), "old");
      },
      [&] { return write_two(file); });
  EXPECT_EQ(status, 7);
  EXPECT_EQ(before, 1);
  EXPECT_EQ(read_all(file), "abd");
}

TEST(RunUntil, TellsTheSignalThatKilledTheChild) {
  const Descriptor file = file_holding("");
  const int status = run_until(
      {SYS_write, file.ref()}, [] {},
      [&] {
        write_two(file);
        return std::raise(SIGUSR1);  // a sanitizer takes SIGBUS for itself
      });
  EXPECT_EQ(status, 128 + SIGUSR1);
}

}  // namespace
}  // namespace headrace::testing
