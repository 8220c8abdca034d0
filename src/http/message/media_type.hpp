#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace headrace::http {

/// Media types by the ending of a file's name. Threads: many readers at once.
class MediaTypes {
 public:
  /// The built-in list alone.
  MediaTypes();
  /// The built-in list, and over it `text`: lines "TYPE ENDING..." as in /etc/mime.types. Lines
  /// that are none are left out: what is returned by of() can always stand in a header.
  static MediaTypes load(std::string_view text);

  /// The value of a Content-Type field for a file of this name: text types have charset=utf-8, and
  /// an unknown ending is application/octet-stream. Valid as long as this object.
  [[nodiscard]] std::string_view of(std::string_view file_name) const;

 private:
  void add(std::string_view text);

  std::unordered_map<std::string, std::string> types_;  // by ending, in lower case
};

}  // namespace headrace::http
