#pragma once

#include <filesystem>
#include <optional>

#include "support/temporary.hpp"

namespace headrace::testing {

/// A small file system with shared extents (xfs, else btrfs), mounted for this process alone and
/// gone with it. Only root has it, and only where loop devices and a mkfs are there.
class CloningFileSystem {
 public:
  CloningFileSystem();
  CloningFileSystem(const CloningFileSystem&) = delete;
  CloningFileSystem& operator=(const CloningFileSystem&) = delete;
  ~CloningFileSystem();

  /// Absent where it cannot be had.
  [[nodiscard]] const std::optional<std::filesystem::path>& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::optional<std::filesystem::path> path_;
};

}  // namespace headrace::testing
