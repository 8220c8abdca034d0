#include "http/server/cached_file.hpp"

#include <algorithm>
#include <array>

#include "sys/files.hpp"

namespace headrace::http::server {
namespace {

using Clock = std::chrono::system_clock;

// A change within one tick of the kernel's clock may leave no trace in ctime: 10 ms at 100 Hz, the
// slowest it is built with; doubled, as the guard of a transfer has it.
constexpr std::chrono::milliseconds clock_step{20};

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool same_time(const timespec& left, const timespec& right) {
  return left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec;
}

bool same_version(const struct stat& left, const struct stat& right) {
  return left.st_size == right.st_size && same_time(left.st_mtim, right.st_mtim) &&
         same_time(left.st_ctim, right.st_ctim);
}

// ctime alone: everybody may set mtime.
bool is_young(const struct stat& status, Clock::time_point now) {
  const Clock::time_point changed{std::chrono::duration_cast<Clock::duration>(
      std::chrono::nanoseconds{nanoseconds(status.st_ctim)})};
  return now - changed < clock_step;
}

FileVersion version_of(const struct stat& status) {
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = static_cast<Bytes>(status.st_size),
          .modified_nanoseconds = nanoseconds(status.st_mtim),
          .changed_nanoseconds = nanoseconds(status.st_ctim)};
}

std::string head_of(const FileFacts& facts) {
  std::string head = "HTTP/1.1 200 OK\r\nContent-Type: ";
  head += facts.media_type;
  head += "\r\nContent-Length: " + std::to_string(facts.size);
  head += "\r\nAccept-Ranges: bytes\r\nETag: " + to_string(facts.tag);
  head += "\r\nLast-Modified: " + print_date(facts.modified) + "\r\n";
  return head;
}

}  // namespace

CachedFile::CachedFile(OpenFile file, const MediaTypes& types, Clock::time_point now)
    : descriptor_(std::move(file.descriptor)), status_(file.status) {
  facts_.media_type = types.of(file.name);
  compute(now);
}

void CachedFile::compute(Clock::time_point now) {
  facts_.size = static_cast<Bytes>(status_.st_size);
  facts_.tag = entity_tag_of(version_of(status_), is_young(status_, now));
  // Never later than the Date it goes with (RFC 9110 8.8.2.1).
  facts_.modified = std::min(Time{std::chrono::seconds{status_.st_mtim.tv_sec}},
                             std::chrono::floor<std::chrono::seconds>(now));
  facts_.modified_strong = now >= facts_.modified + std::chrono::seconds{1};
  head_ = head_of(facts_);
  probed_.reset();
}

bool CachedFile::refresh(Clock::time_point now) {
  const auto status = sys::fstat(descriptor_.ref());
  if (!status || status->st_nlink == 0) return false;
  const bool aged = (facts_.tag.weak && !is_young(*status, now)) ||
                    (!facts_.modified_strong && now >= facts_.modified + std::chrono::seconds{1});
  if (!aged && same_version(status_, *status)) return true;
  status_ = *status;
  compute(now);
  return true;
}

bool CachedFile::is_same_as(const struct stat& status) const {
  return status_.st_dev == status.st_dev && status_.st_ino == status.st_ino;
}

Result<Facts> CachedFile::probed() {
  if (!probed_) {
    auto facts = probe(descriptor_.ref());
    if (!facts) return facts;
    probed_ = std::move(*facts);
  }
  return *probed_;
}

SmallRead CachedFile::read(std::span<std::byte> room, Bytes offset) {
  if (warmth_ == Warmth::never_known) return SmallRead::cold;
  const auto read = read_small(descriptor_.ref(), room, offset, warmth_ == Warmth::always);
  if (read != SmallRead::unknown) return read;
  warmth_ = warmth_of(descriptor_.ref());
  return this->read(room, offset);
}

bool CachedFile::is_cold(Bytes offset, Bytes length) {
  std::array<std::byte, 1> byte{};
  if (length == 0 || warmth_ == Warmth::always) return false;
  return read(byte, offset) == SmallRead::cold ||
         (length > 1 && read(byte, offset + length - 1) == SmallRead::cold);
}

}  // namespace headrace::http::server
