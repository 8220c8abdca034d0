#include "explain/exit_status.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace headrace {
namespace {

TEST(ExitStatus, TellsEveryOutcomeApart) {
  EXPECT_EQ(exit_status({.outcome = Outcome::complete}, 0), 0);
  EXPECT_EQ(exit_status({.outcome = Outcome::failed}, 0), 1);
  EXPECT_EQ(exit_status({.outcome = Outcome::refused}, 0), 3);
  EXPECT_EQ(exit_status({.outcome = Outcome::source_changed}, 0), 4);
}

TEST(ExitStatus, OfAnInterruptedTransferSaysWhichSignal) {
  EXPECT_EQ(exit_status({.outcome = Outcome::answered_early}, 0), 1);
  EXPECT_EQ(exit_status({.outcome = Outcome::interrupted}, SIGINT), 130);
  EXPECT_EQ(exit_status({.outcome = Outcome::interrupted}, SIGTERM), 143);
  EXPECT_EQ(exit_status({.outcome = Outcome::interrupted}, 0), 1);
}

TEST(ExitStatus, OfAWholeTransferIgnoresALateSignal) {
  EXPECT_EQ(exit_status({.outcome = Outcome::complete}, SIGINT), 0);
}

}  // namespace
}  // namespace headrace
