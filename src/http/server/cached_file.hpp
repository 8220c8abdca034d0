#pragma once

#include <sys/stat.h>

#include <chrono>
#include <optional>
#include <string>

#include "headrace/descriptor.hpp"
#include "headrace/facts.hpp"
#include "http/server/answer.hpp"
#include "http/server/site.hpp"
#include "http/server/small_read.hpp"

namespace headrace::http::server {

/// An open file and everything that is computed from it once, and not for each request.
///
/// Belongs to a loop's thread; its descriptor may be read elsewhere meanwhile, by offset.
class CachedFile {
 public:
  CachedFile(OpenFile file, const MediaTypes& types, std::chrono::system_clock::time_point now);

  /// Looks at the file by its descriptor; what has changed is computed anew. False: it has been
  /// removed or replaced, and its path leads elsewhere.
  bool refresh(std::chrono::system_clock::time_point now);
  [[nodiscard]] bool is_same_as(const struct stat& status) const;

  [[nodiscard]] DescriptorRef descriptor() const { return descriptor_.ref(); }
  [[nodiscard]] const FileFacts& facts() const { return facts_; }
  /// The head of the answer that sends all of it, without Date, Connection and the empty line.
  [[nodiscard]] const std::string& head() const { return head_; }
  /// What a transfer needs to know, asked at the first use after a change.
  Result<Facts> probed();

  /// Reads without sleeping on a disk; never answers `unknown`.
  SmallRead read(std::span<std::byte> room, Bytes offset);
  /// Would a read of these bytes sleep? Looks at both ends of them: what lies between has mostly
  /// come with them.
  bool is_cold(Bytes offset, Bytes length);

 private:
  void compute(std::chrono::system_clock::time_point now);

  Descriptor descriptor_;
  struct stat status_;
  FileFacts facts_;
  std::string head_;
  std::optional<Facts> probed_;
  Warmth warmth_ = Warmth::asked;
};

}  // namespace headrace::http::server
