#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

#include "support/must.hpp"
#include "support/temporary.hpp"
#include "transfer/guard.hpp"

// What the tests of leases and guards share.
namespace headrace::guard_testing {

using headrace::testing::must;
using headrace::testing::open_file;
using headrace::testing::TemporaryFolder;

inline constexpr std::size_t page = 4096;

/// A file with two pages of 'o', in a folder of its own.
struct Source {
  Source() = default;
  explicit Source(const std::filesystem::path& parent) : folder(parent) {}

  TemporaryFolder folder;
  std::filesystem::path path = folder.file("source", std::string(2 * page, 'o'));
  Descriptor file = open_file(path, O_RDONLY);
};

/// Whether the kernel gives a read lease on the file now; asked without the code under test.
inline bool kernel_leases(const Descriptor& file) {
  const int number = file.ref().number();
  if (::fcntl(number, F_SETLEASE, F_RDLCK) != 0) return false;
  must(::fcntl(number, F_SETLEASE, F_UNLCK), "fcntl");
  return true;
}

/// Whether a lease has to be the evidence: on an overlay one is given that tells nothing.
inline bool lease_is_due(const Descriptor& file) {
  constexpr std::array<std::int64_t, 4> telling{EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC,
                                                BTRFS_SUPER_MAGIC, TMPFS_MAGIC};
  struct statfs system{};
  must(::fstatfs(file.ref().number(), &system), "fstatfs");
  const bool tells = std::ranges::find(telling, system.f_type) != telling.end();
  return tells && kernel_leases(file);
}

inline Guard guard_of(const Source& source) {
  auto guard = Guard::begin(source.file.ref(), source.path.string());
  EXPECT_TRUE(guard);
  return std::move(*guard);
}

inline std::optional<Change> change_seen(const Guard& guard) {
  const auto change = guard.changed();
  EXPECT_TRUE(change);
  return change ? *change : std::nullopt;
}

/// Writes `text` at the beginning.
inline void overwrite(const Descriptor& file, std::string_view text = "new") {
  must(::pwrite(file.ref().number(), text.data(), text.size(), 0), "pwrite");
}

/// The first page of a file, mapped for reading and writing.
class Mapped {
 public:
  explicit Mapped(const Descriptor& file)
      : bytes_(static_cast<char*>(
            ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, file.ref().number(), 0))) {
    EXPECT_NE(static_cast<void*>(bytes_), MAP_FAILED);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  ~Mapped() { ::munmap(bytes_, page); }
  [[nodiscard]] char read() const { return *static_cast<volatile char*>(bytes_); }
  void store(char byte) { *static_cast<volatile char*>(bytes_) = byte; }

 private:
  char* bytes_;
};

/// A writer that opens the source in a thread of its own, where it may have to wait for a lease.
class Opener {
 public:
  explicit Opener(const std::filesystem::path& path, int flags = O_RDWR)
      : thread_([this, path, flags] { file_ = open_file(path, flags); }) {}

  /// Looks until the lease is given back; the test's time-out bounds it.
  void let_in(Guard& guard) {
    while (guard.notes().empty()) {
      guard.look();
      ::poll(nullptr, 0, 1);
    }
    thread_.join();
  }
  [[nodiscard]] const Descriptor& file() const { return file_; }

 private:
  Descriptor file_;
  std::jthread thread_;
};

}  // namespace headrace::guard_testing
