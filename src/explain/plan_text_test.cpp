#include <gtest/gtest.h>

#include "explain/example_report_testing.hpp"
#include "headrace/explain.hpp"

namespace headrace {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(PlanText, StartsWithTheChosenMethodAndGivesTheFactsBehindIt) {
  const Plan plan{.usable = {&example::sendfile, &example::read_write},
                  .refused = {{&example::reflink, example::cannot_clone, ""},
                              {&example::copy_file_range, by_name_only, ""}}};
  EXPECT_EQ(to_text(plan, example::file("big", gibibyte + 1), example::local_tcp()),
            "plan: sendfile (kernel)\n"
            "  then         read_write (user)\n"
            "  passed over  reflink: file-system-cannot-clone (this file system has no shared "
            "extents)\n"
            "  passed over  copy_file_range: by-name-only (no measurement shows it ahead: taken "
            "only by --method)\n"
            "  source       big: regular-file, on ext4, 1GiB (1073741825 bytes)\n"
            "  destination  127.0.0.1:9000: tcp, buffers: send 4MiB, receive 1MiB, congestion "
            "control reno, the peer is on this machine, non-blocking\n"
            "  contract     live: a write to the source is seen by the reader until it has taken "
            "the bytes\n");
}

TEST(PlanText, SaysWhenThereIsNoWay) {
  const Plan plan{.refused = {{&example::sendfile, below_required_class, ""}}};
  const std::string text = to_text(plan, {.kind = Kind::pipe}, {.kind = Kind::terminal});
  EXPECT_TRUE(text.starts_with("plan: no way")) << text;
  EXPECT_TRUE(contains(text, "sendfile: below-required-class")) << text;
}

TEST(PlanText, SaysThatTheSizeOfAPseudoFileMeansNothing) {
  Facts source = example::file("/proc/version", 0);
  source.pseudo = true;
  source.file_system = "proc";
  const std::string text = to_text(Plan{}, source, {.kind = Kind::pipe, .pipe_capacity = 65536});
  EXPECT_TRUE(contains(text, "on proc, made when read, its size means nothing\n")) << text;
  EXPECT_FALSE(contains(text, "0 bytes")) << text;
  EXPECT_TRUE(contains(text, "destination  pipe, capacity 64KiB\n")) << text;
}

TEST(PlanText, EachContractHasItsOwnSentence) {
  const auto with = [](Contract contract) {
    return to_text(Plan{.contract = contract}, {}, {.kind = Kind::regular});
  };
  EXPECT_TRUE(contains(with(Contract::live), "live: a write to the source while it is read"));
  EXPECT_TRUE(contains(with(Contract::stable), "stable: the bytes are those read"));
  EXPECT_TRUE(contains(with(Contract::guarded), "guarded: the source is compared"));
}

TEST(PlanText, LetsNoFileNameSteerTheTerminal) {
  const std::string text = to_text(Plan{}, example::file("\x1b]0;x\a", 1), {});
  EXPECT_FALSE(contains(text, "\x1b")) << text;
}

}  // namespace
}  // namespace headrace
