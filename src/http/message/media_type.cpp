#include "http/message/media_type.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "http/message/ascii.hpp"
#include "http/message/field.hpp"

namespace headrace::http {
namespace {

constexpr std::string_view unknown_type = "application/octet-stream";

// What a machine without /etc/mime.types should still know, in the form of that file.
constexpr std::string_view built_in = R"(
application/epub+zip epub
application/gzip gz tgz
application/json json map
application/ld+json jsonld
application/manifest+json webmanifest
application/msword doc
application/pdf pdf
application/rtf rtf
application/sql sql
application/toml toml
application/vnd.debian.binary-package deb
application/vnd.ms-excel xls
application/vnd.ms-powerpoint ppt
application/vnd.oasis.opendocument.presentation odp
application/vnd.oasis.opendocument.spreadsheet ods
application/vnd.oasis.opendocument.text odt
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/wasm wasm
application/x-7z-compressed 7z
application/x-bzip2 bz2
application/x-iso9660-image iso
application/x-sh sh
application/x-tar tar
application/x-xz xz
application/xhtml+xml xhtml xht
application/xml xml xsl xsd
application/yaml yaml yml
application/zip zip
application/zstd zst
audio/aac aac
audio/flac flac
audio/midi mid midi
audio/mpeg mp3
audio/ogg oga ogg opus
audio/wav wav
audio/webm weba
font/otf otf
font/ttf ttf
font/woff woff
font/woff2 woff2
image/avif avif
image/bmp bmp
image/gif gif
image/jpeg jpeg jpg
image/jxl jxl
image/png png
image/svg+xml svg
image/tiff tif tiff
image/vnd.microsoft.icon ico
image/webp webp
text/calendar ics
text/css css
text/csv csv
text/html html htm
text/javascript js mjs
text/markdown md markdown
text/plain txt text log conf
text/tab-separated-values tsv
text/vcard vcf
text/x-c c cc cpp h hpp
text/x-python py
video/mp4 mp4 m4v
video/mpeg mpeg mpg
video/ogg ogv
video/quicktime mov
video/webm webm
video/x-matroska mkv
video/x-msvideo avi
)";

bool is_media_type(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && is_token(text.substr(0, slash)) &&
         is_token(text.substr(slash + 1));
}

/// The next piece of `text` up to one of `separators`, which is taken away with it.
std::string_view take(std::string_view& text, std::string_view separators) {
  const std::string_view piece = text.substr(0, text.find_first_of(separators));
  text.remove_prefix(std::min(piece.size() + 1, text.size()));
  return piece;
}

}  // namespace

MediaTypes::MediaTypes() { add(built_in); }

MediaTypes MediaTypes::load(std::string_view text) {
  MediaTypes types;
  types.add(text);
  return types;
}

void MediaTypes::add(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take(text, "\n");
    line = line.substr(0, line.find('#'));
    const std::string_view type = take(line, " \t\r");
    if (!is_media_type(type)) continue;
    const std::string value = lowered(type) + (type.starts_with("text/") ? "; charset=utf-8" : "");
    while (!line.empty()) {
      const std::string_view ending = take(line, " \t\r");
      if (!ending.empty()) types_.insert_or_assign(lowered(ending), value);
    }
  }
}

std::string_view MediaTypes::of(std::string_view file_name) const {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return unknown_type;
  const auto found = types_.find(lowered(file_name.substr(dot + 1)));
  return found == types_.end() ? unknown_type : std::string_view(found->second);
}

}  // namespace headrace::http
