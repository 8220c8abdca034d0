#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::testing {

/// A folder of the test's own, removed with all it holds at the end of its life.
class TemporaryFolder {
 public:
  TemporaryFolder();
  /// Made in `parent`, to choose the file system.
  explicit TemporaryFolder(const std::filesystem::path& parent);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  /// Writes a file of that name and content into the folder.
  [[nodiscard]] std::filesystem::path file(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

/// An unnamed file with that content, open for reading and writing, at offset 0.
Descriptor file_holding(std::string_view content);
/// Opens a file as open(2) does; O_CLOEXEC is added. New files get mode 0644.
Descriptor open_file(const std::filesystem::path& path, int flags);

/// The whole content, whatever the position; the position stays.
std::string read_all(DescriptorRef file);
std::string read_all(const Descriptor& file);
/// The whole content of what the path names, read to its end.
std::string read_all(const std::filesystem::path& path);

/// Bytes that do not compress and differ by seed; the same for the same seed.
std::string random_bytes(std::size_t bytes, std::uint64_t seed = 1);

/// Where the descriptor stands.
Bytes offset_of(DescriptorRef file);
Bytes offset_of(const Descriptor& file);

/// Descriptors open in this process now; to see that none leaks.
std::size_t open_descriptors();

}  // namespace headrace::testing
