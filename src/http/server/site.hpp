#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "headrace/descriptor.hpp"
#include "headrace/result.hpp"
#include "http/message/listing.hpp"
#include "http/message/media_type.hpp"
#include "http/server/answer.hpp"
#include "http/server/configuration.hpp"

namespace headrace::http::server {

/// A regular file that may be served.
struct OpenFile {
  Descriptor descriptor;  ///< non-blocking, close-on-exec
  struct stat status{};
  std::string name;  ///< the last segment: tells the media type
};
struct OpenDirectory {
  Descriptor descriptor;
};
using Opened = std::variant<Absent, OpenDirectory, OpenFile>;

/// The status that answers a target the kernel refused to open.
int status_of(const Error& error);

/// One of the path's names begins with a dot.
bool is_hidden(std::string_view path);

/// The directory that is served. The kernel, not a text comparison, keeps targets beneath it.
///
/// Paths are decoded, byte-exact and begin with '/', as parse_target() gives them.
/// Threads: any, at once.
class Site {
 public:
  /// Errors: the directory cannot be opened ("openat").
  static Result<Site> open(const Configuration& configuration);

  /// Opens what a path leads to: a file, that of `index.html` where a path ends in '/' and its
  /// directory has one, a directory. May sleep on a disk.
  [[nodiscard]] Opened find(const std::string& path) const;
  /// Opens `path` as openat2(2) does with `flags`, under the rules for symbolic links. "/" is the
  /// directory itself.
  [[nodiscard]] Result<Descriptor> open(const std::string& path, int flags) const;
  /// What a directory that find() opened holds and may be shown. Sleeps on a disk.
  [[nodiscard]] Result<Listing> list(DescriptorRef directory, std::string path) const;

  [[nodiscard]] DescriptorRef root() const { return root_.ref(); }
  [[nodiscard]] const MediaTypes& media_types() const { return media_types_; }

 private:
  Site(Descriptor root, MediaTypes media_types, const Configuration& configuration)
      : root_(std::move(root)),
        media_types_(std::move(media_types)),
        dotfiles_(configuration.dotfiles),
        symlinks_(configuration.symlinks) {}

  [[nodiscard]] static Opened examine(Descriptor opened, std::string_view path);
  [[nodiscard]] Opened index_of(Descriptor directory, const std::string& path) const;
  [[nodiscard]] std::optional<Entry> entry(DescriptorRef directory, const std::string& path,
                                           std::string_view name) const;

  Descriptor root_;
  MediaTypes media_types_;
  bool dotfiles_;
  Symlinks symlinks_;
};

}  // namespace headrace::http::server
