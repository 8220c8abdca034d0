#include "http/message/listing.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

#include "http/message/target.hpp"
#include "http/message/utf8.hpp"

namespace headrace::http {
namespace {

constexpr std::string_view page_start = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
)";

constexpr std::string_view parent_link = R"(<p><a href="../">Parent directory</a></p>
)";

constexpr std::string_view table_start = R"(<table>
<thead><tr><th scope="col">Name</th><th scope="col" class="size">Size</th><th scope="col" class="time">Modified (UTC)</th></tr></thead>
<tbody>
)";

// `bdi` and `plaintext` keep a name in Arabic or Hebrew from turning its neighbours around.
constexpr std::string_view style = R"(
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .35rem .5rem; text-align: left; vertical-align: top; }
tbody th { font-weight: normal; overflow-wrap: anywhere; unicode-bidi: plaintext; }
tbody tr:hover { background: #8882; }
.size, .time { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
a { text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
p { opacity: .75; }
)";

bool is_directory(const Entry& entry) { return entry.kind == Entry::Kind::directory; }

void sort(Listing& listing) {
  std::ranges::sort(listing.entries, [](const Entry& left, const Entry& right) {
    return std::tuple(!is_directory(left), std::string_view(left.name)) <
           std::tuple(!is_directory(right), std::string_view(right.name));
  });
}

std::string link_to(const Entry& entry) {
  return encode_segment(entry.name) + (is_directory(entry) ? "/" : "");
}

std::string name_shown(const Entry& entry) {
  return shown(entry.name) + (is_directory(entry) ? "/" : "");
}

std::string escaped(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

/// "0 B", "1.5 KiB": rounded down to a tenth, so that nothing looks larger than it is.
std::string size_text(Bytes size) {
  constexpr std::array<std::string_view, 6> units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (size < kibibyte) return std::to_string(size) + " B";
  Bytes unit = kibibyte;
  std::size_t index = 0;
  while (size / unit >= 1024) {
    unit *= 1024;
    ++index;
  }
  const Bytes tenths = size % unit * 10 / unit;
  return std::to_string(size / unit) + "." + std::to_string(tenths) + " " +
         std::string(units.at(index));
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count).append(" ").append(count == 1 ? one : many);
}

std::string summary(const Listing& listing) {
  Bytes bytes = 0;
  std::size_t directories = 0;
  for (const Entry& entry : listing.entries) {
    if (is_directory(entry)) ++directories;
    if (!is_directory(entry)) bytes += entry.size;
  }
  return counted(directories, "directory", "directories") + ", " +
         counted(listing.entries.size() - directories, "file", "files") + ", " + size_text(bytes);
}

std::string size_cell(const Entry& entry) {
  if (is_directory(entry)) return {};
  return R"(<data value=")" + std::to_string(entry.size) + R"(">)" + size_text(entry.size) +
         "</data>";
}

std::string time_cell(const Entry& entry) {
  const std::string iso = print_iso_date(entry.modified);
  std::string text = iso.substr(0, iso.size() - 1);  // the heading says UTC
  std::ranges::replace(text, 'T', ' ');
  return R"(<time datetime=")" + iso + R"(">)" + text + "</time>";
}

void add_row(std::string& html, const Entry& entry) {
  html.append(R"(<tr><th scope="row"><a href=")").append(link_to(entry)).append(R"("><bdi>)");
  html.append(escaped(name_shown(entry))).append(R"(</bdi></a></th><td class="size">)");
  html.append(size_cell(entry)).append(R"(</td><td class="time">)").append(time_cell(entry));
  html.append("</td></tr>\n");
}

/// As JSON's string, quotes included; what is not UTF-8 becomes U+FFFD.
std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

void add_object(std::string& json, const Entry& entry) {
  json.append(R"({"name":)").append(json_string(entry.name));
  json.append(R"(,"href":)").append(json_string(link_to(entry)));
  json.append(R"(,"kind":)").append(is_directory(entry) ? R"("directory")" : R"("file")");
  json.append(R"(,"size":)").append(is_directory(entry) ? "null" : std::to_string(entry.size));
  json.append(R"(,"modified":)").append(json_string(print_iso_date(entry.modified))).append("}");
}

}  // namespace

std::string listing_html(Listing listing) {
  sort(listing);
  const std::string path = escaped(shown(listing.path));
  std::string html(page_start);
  html.append("<title>").append(path).append("</title>\n<style>").append(style);
  html.append("</style>\n</head>\n<body>\n<main>\n<h1><bdi>").append(path).append("</bdi></h1>\n");
  if (listing.path != "/") html.append(parent_link);
  html.append(table_start);
  for (const Entry& entry : listing.entries) add_row(html, entry);
  html.append("</tbody>\n</table>\n<p>").append(summary(listing));
  html.append("</p>\n</main>\n</body>\n</html>\n");
  return html;
}

std::string listing_json(Listing listing) {
  sort(listing);
  std::string json = R"({"path":)" + json_string(listing.path) + R"(,"entries":[)";
  for (const Entry& entry : listing.entries) {
    if (&entry != &listing.entries.front()) json += ',';
    add_object(json, entry);
  }
  return json.append("]}\n");
}

std::string listing_text(Listing listing) {
  constexpr std::size_t size_width = 15;  // up to a petabyte stands in its column
  sort(listing);
  std::string text;
  for (const Entry& entry : listing.entries) {
    const std::string size = is_directory(entry) ? "-" : std::to_string(entry.size);
    text.append(print_iso_date(entry.modified)).append(" ");
    text.append(size_width - std::min(size_width, size.size()), ' ').append(size).append(" ");
    text.append(name_shown(entry)).append("\n");
  }
  return text;
}

}  // namespace headrace::http
