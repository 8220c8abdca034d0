#include "http/server/file_cache.hpp"

namespace headrace::http::server {
namespace {

// So are memory and patience, and each comes back with what is closed.
bool is_out_of_descriptors(const Opened& opened) {
  const auto* const absent = std::get_if<Absent>(&opened);
  return absent != nullptr && absent->status == 503;
}

}  // namespace

FileCache::Cached FileCache::find(const std::string& path, Time now) {
  const auto found = by_path_.find(path);
  if (found == by_path_.end()) return open(path, now);
  const auto entry = found->second;
  if (!still_there(*entry, now)) {
    drop(entry);
    return open(path, now);
  }
  entry->asked_for = now;
  entries_.splice(entries_.begin(), entries_, entry);
  return entry->file;
}

bool FileCache::still_there(Entry& entry, Time now) {
  if (!entry.file->refresh(now)) return false;
  const bool fresh = now >= entry.looked_up && now - entry.looked_up < path_age;
  if (fresh) return true;
  const Opened opened = site_.find(entry.path);
  const auto* const file = std::get_if<OpenFile>(&opened);
  if (file == nullptr || !entry.file->is_same_as(file->status)) return false;
  entry.looked_up = now;
  return true;
}

FileCache::Cached FileCache::open(const std::string& path, Time now) {
  Opened opened = site_.find(path);
  // No descriptor is left: those of files that nobody is being sent come before the answer 503.
  if (is_out_of_descriptors(opened) && !entries_.empty()) {
    while (!entries_.empty()) drop(entries_.begin());
    opened = site_.find(path);
  }
  if (const auto* const absent = std::get_if<Absent>(&opened)) return *absent;
  if (auto* const directory = std::get_if<OpenDirectory>(&opened)) return std::move(*directory);
  auto file =
      std::make_shared<CachedFile>(std::get<OpenFile>(std::move(opened)), site_.media_types(), now);
  while (!entries_.empty() && entries_.size() >= most_) drop(std::prev(entries_.end()));
  entries_.push_front({.path = path, .file = file, .looked_up = now, .asked_for = now});
  by_path_.emplace(entries_.front().path, entries_.begin());
  return file;
}

// A clock that was set back leaves nothing open for longer.
void FileCache::drop_idle(Time now, std::chrono::milliseconds idle) {
  const auto is_idle = [&](const Entry& entry) {
    return now < entry.asked_for || now - entry.asked_for >= idle;
  };
  while (!entries_.empty() && is_idle(entries_.back())) drop(std::prev(entries_.end()));
}

void FileCache::forget(std::string_view path) {
  const auto found = by_path_.find(path);
  if (found != by_path_.end()) drop(found->second);
}

void FileCache::drop(Entries::iterator entry) {
  by_path_.erase(entry->path);
  entries_.erase(entry);
}

}  // namespace headrace::http::server
