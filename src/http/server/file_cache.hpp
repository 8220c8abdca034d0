#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "http/server/cached_file.hpp"
#include "http/server/site.hpp"

namespace headrace::http::server {

/// The files of a site that one loop has open: opening, probing and printing a head cost more than
/// sending a small file does.
///
/// What it answers with is as fresh as if it had been opened now, but for one second after a
/// directory on its path was renamed: a file is looked at by fstat(2) each time, by its path each
/// second. Belongs to a loop's thread.
class FileCache {
 public:
  using Time = std::chrono::system_clock::time_point;
  using Cached = std::variant<Absent, OpenDirectory, std::shared_ptr<CachedFile>>;

  /// A path is believed for this long.
  static constexpr std::chrono::seconds path_age{1};

  /// `most`: files kept open, those in use not counted.
  FileCache(const Site& site, std::size_t most) : site_(site), most_(most) {}
  FileCache(const FileCache&) = delete;
  FileCache& operator=(const FileCache&) = delete;
  ~FileCache() = default;

  /// What `path` leads to now. Directories and what is absent are not kept.
  Cached find(const std::string& path, Time now);
  /// Closes what nobody has asked for during `idle`: the disk space of a file that was deleted
  /// comes back only then.
  void drop_idle(Time now, std::chrono::milliseconds idle);
  /// Opens the path anew the next time: a PUT has replaced it.
  void forget(std::string_view path);
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string path;
    std::shared_ptr<CachedFile> file;
    Time looked_up;
    Time asked_for;
  };
  using Entries = std::list<Entry>;

  Cached open(const std::string& path, Time now);
  bool still_there(Entry& entry, Time now);
  void drop(Entries::iterator entry);

  const Site& site_;
  std::size_t most_;
  Entries entries_;                                                  // the last used first
  std::unordered_map<std::string_view, Entries::iterator> by_path_;  // borrows from entries_
};

}  // namespace headrace::http::server
