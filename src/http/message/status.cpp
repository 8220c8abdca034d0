#include "http/message/status.hpp"

#include <algorithm>
#include <array>

namespace headrace::http {
namespace {

struct Row {
  int status;
  std::string_view phrase;
};

// RFC 9110 15, and 425, 428, 429, 431, 507 and 511 of RFC 8470, RFC 6585 and RFC 4918.
constexpr std::array rows{
    Row{100, "Continue"},
    Row{101, "Switching Protocols"},
    Row{103, "Early Hints"},
    Row{200, "OK"},
    Row{201, "Created"},
    Row{202, "Accepted"},
    Row{203, "Non-Authoritative Information"},
    Row{204, "No Content"},
    Row{205, "Reset Content"},
    Row{206, "Partial Content"},
    Row{300, "Multiple Choices"},
    Row{301, "Moved Permanently"},
    Row{302, "Found"},
    Row{303, "See Other"},
    Row{304, "Not Modified"},
    Row{305, "Use Proxy"},
    Row{307, "Temporary Redirect"},
    Row{308, "Permanent Redirect"},
    Row{400, "Bad Request"},
    Row{401, "Unauthorized"},
    Row{402, "Payment Required"},
    Row{403, "Forbidden"},
    Row{404, "Not Found"},
    Row{405, "Method Not Allowed"},
    Row{406, "Not Acceptable"},
    Row{407, "Proxy Authentication Required"},
    Row{408, "Request Timeout"},
    Row{409, "Conflict"},
    Row{410, "Gone"},
    Row{411, "Length Required"},
    Row{412, "Precondition Failed"},
    Row{413, "Content Too Large"},
    Row{414, "URI Too Long"},
    Row{415, "Unsupported Media Type"},
    Row{416, "Range Not Satisfiable"},
    Row{417, "Expectation Failed"},
    Row{421, "Misdirected Request"},
    Row{422, "Unprocessable Content"},
    Row{425, "Too Early"},
    Row{426, "Upgrade Required"},
    Row{428, "Precondition Required"},
    Row{429, "Too Many Requests"},
    Row{431, "Request Header Fields Too Large"},
    Row{500, "Internal Server Error"},
    Row{501, "Not Implemented"},
    Row{502, "Bad Gateway"},
    Row{503, "Service Unavailable"},
    Row{504, "Gateway Timeout"},
    Row{505, "HTTP Version Not Supported"},
    Row{507, "Insufficient Storage"},
    Row{511, "Network Authentication Required"},
};
static_assert(std::ranges::is_sorted(rows, {}, &Row::status));

}  // namespace

std::string_view reason_phrase(int status) {
  const auto* const row = std::ranges::lower_bound(rows, status, {}, &Row::status);
  return row != rows.end() && row->status == status ? row->phrase : std::string_view{};
}

}  // namespace headrace::http
