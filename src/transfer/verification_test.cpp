#include "transfer/verification.hpp"

#include <array>

#include "transfer/commit_testing.hpp"
#include "transfer/disk_meter.hpp"

namespace headrace {
namespace {

using namespace commit_testing;

/// Two files and what `verify` says of them.
class Verify : public testing::Test {
 protected:
  Report verified(const std::string& source, const std::string& destination, Ranges ranges = {}) {
    write_file(folder_ / "a", source);
    write_file(folder_ / "b", destination);
    const Descriptor from{::open((folder_ / "a").c_str(), O_RDONLY | O_CLOEXEC)};
    const Descriptor to{::open((folder_ / "b").c_str(), O_RDWR | O_CLOEXEC)};
    ranges.source = from.ref();
    ranges.destination = to.ref();
    if (ranges.bytes == 0) ranges.bytes = source.size();
    Report report;
    verify(ranges, {.requested = &stop_, .wake = {}}, report);
    EXPECT_EQ(::lseek(from.ref().number(), 0, SEEK_CUR), 0);
    EXPECT_EQ(::lseek(to.ref().number(), 0, SEEK_CUR), 0);
    return report;
  }
  std::atomic<bool> stop_ = false;  // NOLINT(*-non-private-member-variables-in-classes)

 private:
  Folder folder_;
};

std::string text_of(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t at = 0; at < size; ++at) text[at] = static_cast<char>(at * 7 % 251);
  return text;
}

TEST_F(Verify, FindsEqualRangesEqual) {
  const std::string text = text_of(3'000'001);
  const Report report = verified(text, text);
  EXPECT_EQ(report.outcome, Outcome::complete);
  ASSERT_TRUE(report.verification);
  EXPECT_EQ(report.verification->bytes, text.size());
  EXPECT_EQ(report.verification->source_digest, report.verification->destination_digest);
  EXPECT_EQ(report.verification->source_digest.size(), 32U);
}

TEST_F(Verify, NamesTheFirstByteThatDiffers) {
  const std::string text = text_of(3'000'001);
  std::string other = text;
  other[2'500'000] = static_cast<char>(other[2'500'000] ^ 1);
  other.back() = '?';
  const Report report = verified(text, other);
  EXPECT_EQ(report.outcome, Outcome::mismatched);
  EXPECT_EQ(report.notes, std::vector<std::string>{"the ends differ from byte 2500000 on"});
  EXPECT_NE(report.verification->source_digest, report.verification->destination_digest);
}

TEST_F(Verify, BlamesASourceThatChangedAndNotTheCopy) {
  const Folder folder;
  write_file(folder / "a", "before");
  write_file(folder / "b", "before");
  const Descriptor from{::open((folder / "a").c_str(), O_RDWR | O_CLOEXEC)};
  const Descriptor to{::open((folder / "b").c_str(), O_RDWR | O_CLOEXEC)};
  const std::array<struct timespec, 2> long_ago{{{.tv_sec = 1}, {.tv_sec = 1}}};
  ASSERT_EQ(::futimens(from.ref().number(), long_ago.data()), 0);
  const auto state = look_at(from.ref(), folder / "a");
  ASSERT_TRUE(state);
  const Ranges ranges{.source = from.ref(),
                      .destination = to.ref(),
                      .bytes = 6,
                      .source_before = *state,
                      .source_path = folder / "a"};
  ASSERT_EQ(::pwrite(to.ref().number(), "B", 1, 0), 1);
  Report corrupt;
  verify(ranges, {}, corrupt);
  EXPECT_EQ(corrupt.outcome, Outcome::mismatched);
  EXPECT_FALSE(corrupt.change);
  ASSERT_EQ(::pwrite(from.ref().number(), "C", 1, 0), 1);
  Report changed;
  verify(ranges, {}, changed);
  EXPECT_EQ(changed.outcome, Outcome::source_changed);
  ASSERT_TRUE(changed.change);
  EXPECT_EQ(changed.change->kind, Change::Kind::overwritten);
}

TEST_F(Verify, FindsAnEndThatIsTooShort) {
  const std::string text = text_of(2'000'000);
  EXPECT_EQ(verified(text, text.substr(0, 1'500'000)).notes,
            std::vector<std::string>{"the ends differ from byte 1500000 on"});
  EXPECT_EQ(verified(text.substr(0, 10), text, {.bytes = 11}).outcome, Outcome::mismatched);
  EXPECT_EQ(verified(text, text, {.bytes = text.size() + 1}).outcome, Outcome::mismatched)
      << "both are shorter than what was moved";
}

TEST_F(Verify, ReadsOnlyTheRanges) {
  const Ranges ranges{.source_offset = 3, .destination_offset = 1, .bytes = 4};
  EXPECT_EQ(verified("abcSAMEx", "-SAMEy", ranges).outcome, Outcome::complete);
}

TEST_F(Verify, EndsWhenStopped) {
  stop_ = true;
  const Report report = verified("same", "same");
  EXPECT_EQ(report.outcome, Outcome::interrupted);
  EXPECT_FALSE(report.verification);
}

TEST_F(Verify, FailsWhereAnEndCannotBeRead) {
  const Folder folder;
  write_file(folder / "b", "x");
  const Descriptor both{::open((folder / "b").c_str(), O_WRONLY | O_CLOEXEC)};
  Report report;
  verify({.source = both.ref(), .destination = both.ref(), .bytes = 1}, {}, report);
  EXPECT_EQ(report.outcome, Outcome::failed);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->code, std::errc::bad_file_descriptor);
}

TEST(DiskMeter, FindsTheNumberAmongTheOthers) {
  EXPECT_EQ(read_bytes_in("rchar: 1\nread_bytes: 4096\nwrite_bytes: 7\n"), 4096U);
  EXPECT_FALSE(read_bytes_in("rchar: 1\n"));
  EXPECT_FALSE(read_bytes_in("rchar: 1\nread_bytes: many\n"));
}

}  // namespace
}  // namespace headrace
