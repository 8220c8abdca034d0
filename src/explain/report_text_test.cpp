#include <gtest/gtest.h>

#include "explain/example_report_testing.hpp"
#include "headrace/explain.hpp"

namespace headrace {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(ReportText, TellsAWholeCopyInAFewLines) {
  EXPECT_EQ(to_text(example::whole_copy()),
            "copied 1GiB in 0.31 s: 3.2GiB/s, CPU 0.28 s/GiB (user 0 s, system 0.28 s)\n"
            "  path         kernel: copy_file_range\n"
            "  leg 1        copy_file_range  1GiB  1 call  0.31 s  finished\n"
            "  passed over  reflink: file-system-cannot-clone (this file system has no shared "
            "extents; ext4)\n"
            "  contract     live (writes to the source during the transfer may be in it)\n");
}

TEST(ReportText, TellsAFailureWithExactCountsAndEveryLeg) {
  EXPECT_EQ(
      to_text(example::broken_send()),
      "failed: sent 100MiB (104857617 bytes) of 1GiB in 25.0 ms: send: Connection reset by peer "
      "(ECONNRESET)\n"
      "  path         user: sendfile, read_write\n"
      "  leg 1        sendfile    96MiB  31 calls  12 waits  21.0 ms  refused: sendfile: Invalid "
      "argument (EINVAL)\n"
      "  leg 2        read_write  4MiB   9 calls   2 waits   4.00 ms  failed: send: Connection "
      "reset by peer (ECONNRESET)\n"
      "               note: buffer of 1MiB\n"
      "  error        shutdown: Transport endpoint is not connected (ENOTCONN)\n"
      "  advice       the peer broke off the connection: look at its log\n"
      "  bytes        moved 104857617, expected 1073741824, acknowledged 103809024, stranded 4096\n"
      "  passed over  sendfile: refused-when-tried (the kernel refused it when tried; sendfile: "
      "Invalid argument (EINVAL))\n"
      "  contract     live (later writes to the source may be seen)\n"
      "  exposure     peer-memory (bytes the peer has not read are still pages of the file)\n"
      "  congestion   reno (was bbr)\n"
      "  note         the kernel gave a send buffer of 4MiB\n");
}

TEST(ReportText, GivesNoRateForNoBytes) {
  const std::string text = to_text(Report{.command = "copy", .seconds = 0.5, .cpu_user = 0.1});
  EXPECT_TRUE(text.starts_with("copied 0 bytes in 0.50 s\n")) << text;
  EXPECT_FALSE(contains(text, "/s")) << text;
  EXPECT_FALSE(contains(text, "path")) << text;
}

TEST(ReportText, GivesNoRateWhereTheClockDidNotMove) {
  EXPECT_TRUE(to_text(Report{.bytes = 5}).starts_with("moved 5 bytes in 0 s\n"));
}

TEST(ReportText, GivesNoCpuRateForAFewBytes) {
  const std::string text = to_text(Report{.bytes = 17, .seconds = 0.001, .cpu_system = 0.0005});
  EXPECT_TRUE(contains(text, "CPU 0.500 ms (user 0 s, system 0.500 ms)")) << text;
}

TEST(ReportText, TakesTheVerbFromTheCommand) {
  EXPECT_TRUE(to_text(Report{.command = "send"}).starts_with("sent "));
  EXPECT_TRUE(to_text(Report{.command = "receive"}).starts_with("received "));
  EXPECT_TRUE(to_text(Report{.command = "copy"}).starts_with("copied "));
  EXPECT_TRUE(to_text(Report{}).starts_with("moved "));
}

TEST(ReportText, SaysHowItEndedWhenItIsNotWhole) {
  Report report{.command = "copy", .bytes = 1536, .expected = 4096, .seconds = 0.1};
  report.outcome = Outcome::interrupted;
  EXPECT_TRUE(contains(to_text(report), "interrupted: copied 1.5KiB (1536 bytes) of 4KiB in "));
  report.outcome = Outcome::source_changed;
  EXPECT_TRUE(contains(to_text(report), "the source changed meanwhile: copied 1.5KiB"));
  report.bytes = 0;
  report.outcome = Outcome::refused;
  EXPECT_TRUE(to_text(report).starts_with("refused: nothing copied: no method is left\n"));
}

TEST(ReportText, SaysWhatWasReadAgainAndFromWhere) {
  Report report{.command = "copy", .bytes = 2048};
  report.verification = Verification{.algorithm = "xxh3-128",
                                     .source_digest = "aa",
                                     .destination_digest = "aa",
                                     .bytes = 2048,
                                     .source_from_disk = 0,
                                     .destination_from_disk = 4096};
  EXPECT_TRUE(contains(to_text(report),
                       "2KiB read again, xxh3-128 aa; source from memory, destination from disk"));
  report.verification->destination_digest = "bb";
  report.verification->source_from_disk.reset();
  report.verification->destination_from_disk = 1024;
  EXPECT_TRUE(contains(to_text(report),
                       "xxh3-128 bb instead of aa; source from nobody knows where, destination "
                       "from memory and disk (1KiB)"));
}

TEST(ReportText, GivesTheReasonOfAFailureInItsFirstLine) {
  Report report{.command = "copy", .outcome = Outcome::failed};
  report.error = example::error("fallocate", ENOSPC);
  EXPECT_TRUE(to_text(report).starts_with(
      "failed: nothing copied: fallocate: No space left on device (ENOSPC)\n"));
  EXPECT_TRUE(contains(to_text(report), "  advice       free space"));
  report.error.reset();
  report.legs = {{.method = &example::sendfile,
                  .ending = Ending::refused,
                  .error = example::error("sendfile", EINVAL)}};
  report.outcome = Outcome::refused;
  EXPECT_TRUE(to_text(report).starts_with(
      "refused: nothing copied: sendfile: Invalid argument (EINVAL)\n"));
}

TEST(ReportText, NamesInItsFirstLineWhyEveryMethodWasRefused) {
  const Report report{.command = "copy",
                      .refused = {{&example::copy_file_range, not_named, ""},
                                  {&example::reflink, example::cannot_clone, "ext4"},
                                  {&example::read_write, below_required_class, ""}},
                      .outcome = Outcome::refused};
  EXPECT_TRUE(to_text(report).starts_with(
      "refused: nothing copied: reflink: file-system-cannot-clone, read_write: "
      "below-required-class\n"));
}

TEST(ReportText, SaysWhenThePeerHasEverything) {
  Report report{.command = "send", .bytes = 4096, .expected = 4096, .acknowledged = 4096};
  EXPECT_TRUE(contains(to_text(report), "  peer         acknowledged every byte\n"));
  report.acknowledged = 4000;
  EXPECT_TRUE(contains(to_text(report), "moved 4096, expected 4096, acknowledged 4000"));
}

TEST(ReportText, LeavesOutWhatNobodyAskedFor) {
  const Report report{.refused = {{&example::reflink, not_named, ""},
                                  {&example::sendfile, by_name_only, ""},
                                  {&example::read_write, below_required_class, ""}}};
  const std::string text = to_text(report);
  EXPECT_FALSE(contains(text, "reflink")) << text;
  EXPECT_FALSE(contains(text, "sendfile")) << text;
  EXPECT_TRUE(contains(text, "read_write: below-required-class")) << text;
}

TEST(ReportText, CallsAPausedLegStopped) {
  const Report report{
      .bytes = 9,
      .legs = {{.method = &example::sendfile, .bytes = 9, .calls = 1, .ending = Ending::paused}},
      .outcome = Outcome::interrupted};
  EXPECT_TRUE(contains(to_text(report), "stopped\n")) << to_text(report);
}

}  // namespace
}  // namespace headrace
