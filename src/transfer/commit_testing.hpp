#pragma once

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "transfer/replacement.hpp"

// What the tests of destinations and replacements share.
namespace headrace::commit_testing {

namespace fs = std::filesystem;

/// A directory of the test's own; removed at the end.
class Folder {
 public:
  explicit Folder(const fs::path& parent = fs::temp_directory_path()) {
    std::string pattern = (parent / "headrace-commit-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path() const { return path_.string(); }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(path_)) found.insert(entry.path().filename());
    return found;
  }

 private:
  fs::path path_;
};

using Names = std::set<std::string>;

inline void write_file(const std::string& path, const std::string& content, mode_t mode = 0644) {
  std::ofstream(path, std::ios::binary) << content;
  ASSERT_EQ(::chmod(path.c_str(), mode), 0);
}

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline struct stat status_of(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status;
}

inline mode_t mode_of(const std::string& path) { return status_of(path).st_mode & 07777; }

inline Placed<Replacement> open_replacement(const std::string& path,
                                            const ReplacementOptions& options = {}) {
  auto destination = find_destination(path, "f");
  if (!destination) return std::unexpected(destination.error());
  return Replacement::open(std::move(*destination), options);
}

inline bool put(const Replacement& replacement, const std::string& content) {
  const ssize_t written = ::write(replacement.file().number(), content.data(), content.size());
  return written == static_cast<ssize_t>(content.size());
}

/// Runs `body` in a child process; true when it returned true there.
template <class Body>
bool in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body() ? 0 : 1);
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

inline constexpr uid_t nobody = 65534;

/// For a child: goes on without privileges.
inline bool become_nobody() {
  return ::setgroups(0, nullptr) == 0 && ::setgid(nobody) == 0 && ::setuid(nobody) == 0;
}

inline bool is_root() { return ::geteuid() == 0; }

}  // namespace headrace::commit_testing
