#include "transfer/verification.hpp"

#include <fcntl.h>

#include <algorithm>
#include <span>
#include <vector>

#include "hash/hash.hpp"
#include "sys/read_write.hpp"
#include "sys/storage.hpp"
#include "transfer/disk_meter.hpp"

namespace headrace {
namespace {

// Large enough that a disk reads ahead within one piece, small enough to stay in a cache.
constexpr Bytes piece = mebibyte;

/// One of the two files, read piece by piece.
class Reader {
 public:
  Reader(DescriptorRef file, Bytes offset) : file_(file), offset_(offset), buffer_(piece) {}

  /// The next `bytes`; fewer where the file ends.
  Result<std::span<const std::byte>> next(Bytes bytes, const DiskMeter& meter) {
    const auto before = meter.read_bytes();
    const std::span wanted = std::span(buffer_).first(next_request(bytes, piece));
    std::size_t there = 0;
    while (there < wanted.size()) {
      const auto read = sys::pread(file_, wanted.subspan(there), offset_ + there);
      if (!read && read.error().code == std::errc::interrupted) continue;
      if (!read) return std::unexpected(read.error());
      if (*read == 0) break;
      there += *read;
    }
    offset_ += there;
    count(before, meter.read_bytes());
    hash_.add(wanted.first(there));
    return std::span<const std::byte>(wanted.first(there));
  }

  [[nodiscard]] std::string digest() const { return hexadecimal(hash_.value()); }
  [[nodiscard]] std::optional<Bytes> from_disk() const { return from_disk_; }

 private:
  void count(std::optional<Bytes> before, std::optional<Bytes> after) {
    if (!before || !after) from_disk_.reset();
    if (from_disk_) *from_disk_ += *after - *before;
  }

  DescriptorRef file_;
  Bytes offset_;
  std::vector<std::byte> buffer_;
  Hash hash_;
  std::optional<Bytes> from_disk_ = 0;
};

/// Out of memory, so that the disk is asked: advice, which other readers may outweigh. What came
/// from where is counted anyway.
void forget(DescriptorRef file, Bytes offset, Bytes bytes) {
  [[maybe_unused]] const auto advised =
      sys::posix_fadvise(file, offset, bytes, POSIX_FADV_DONTNEED);
}

class Comparison {
 public:
  Comparison(const Ranges& ranges, const Stop& stop, Report& report)
      : ranges_(ranges),
        stop_(stop),
        report_(report),
        source_(ranges.source, ranges.source_offset),
        destination_(ranges.destination, ranges.destination_offset) {}

  void run() {
    const auto written = sys::fsync(ranges_.destination);
    if (!written) {
      fail_with(written.error());
      return;
    }
    forget(ranges_.destination, ranges_.destination_offset, ranges_.bytes);
    forget(ranges_.source, ranges_.source_offset, ranges_.bytes);
    while (compared_ < ranges_.bytes) {
      if (stop_.requested != nullptr && stop_.requested->load()) {
        report_.outcome = Outcome::interrupted;
        return;
      }
      if (!compare_next()) return;
    }
    tell();
  }

 private:
  // False: failed, or one of the two ends here.
  bool compare_next() {
    const Bytes rest = ranges_.bytes - compared_;
    const auto sent = source_.next(rest, meter_);
    if (!sent) return fail_with(sent.error());
    const auto arrived = destination_.next(rest, meter_);
    if (!arrived) return fail_with(arrived.error());
    const auto [there, here] = std::ranges::mismatch(*sent, *arrived);
    const auto same = static_cast<Bytes>(there - sent->begin());
    if (!difference_ && (there != sent->end() || here != arrived->end())) {
      difference_ = compared_ + same;
    }
    compared_ += std::max(sent->size(), arrived->size());
    const bool both_whole = std::min(sent->size(), arrived->size()) == next_request(rest, piece);
    if (!both_whole) tell();
    return both_whole;
  }

  void tell() {
    report_.verification = Verification{.algorithm = std::string(digest_algorithm),
                                        .source_digest = source_.digest(),
                                        .destination_digest = destination_.digest(),
                                        .bytes = compared_,
                                        .source_from_disk = source_.from_disk(),
                                        .destination_from_disk = destination_.from_disk()};
    if (!difference_ && compared_ == ranges_.bytes && source_.digest() == destination_.digest()) {
      return;
    }
    report_.outcome = Outcome::mismatched;
    // Only what differs is looked into: no change after the last byte matters to a copy that is
    // equal.
    if (const auto change = change_since()) {
      report_.outcome = Outcome::source_changed;
      report_.change = change;
    }
    report_.notes.push_back("the ends differ from byte " +
                            std::to_string(difference_.value_or(compared_)) + " on");
  }

  [[nodiscard]] std::optional<Change> change_since() const {
    if (!ranges_.source_before) return std::nullopt;
    const auto now = look_at(ranges_.source, ranges_.source_path);
    return now ? change_between(*ranges_.source_before, *now) : std::nullopt;
  }

  bool fail_with(const Error& error) {
    report_.outcome = Outcome::failed;
    report_.error = error;
    return false;
  }

  const Ranges& ranges_;
  const Stop& stop_;
  Report& report_;
  DiskMeter meter_;
  Reader source_;
  Reader destination_;
  Bytes compared_ = 0;
  std::optional<Bytes> difference_;  // where the first one is
};

}  // namespace

void verify(const Ranges& ranges, const Stop& stop, Report& report) {
  Comparison{ranges, stop, report}.run();
}

}  // namespace headrace
