#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "headrace/bytes.hpp"
#include "http/server/logged_path.hpp"

namespace headrace::http::server {

/// One request and what became of it. Borrows its texts, which may hold any bytes: the line is
/// safe.
struct AccessRecord {
  std::chrono::system_clock::time_point time;  ///< when the request began
  std::string_view peer;
  std::string_view method;   ///< with `target` empty: no head could be read
  std::string_view target;   ///< as sent
  std::string_view version;  ///< "HTTP/1.1"
  int status = 0;            ///< 0: nothing was answered
  Bytes bytes = 0;           ///< of the answer's body
  Bytes head_bytes = 0;      ///< of the answer's head
  Bytes received = 0;        ///< of the request's body
  double seconds = 0;
  LoggedPath path;
  std::string_view refusal;  ///< why the server itself said no; empty: it did not
  std::string_view referer;
  std::string_view user_agent;
};

enum class LogFormat { combined, json };

/// The record as one line with its newline, whatever is in it: printable ASCII only.
///
/// `combined` is Apache's and nginx's line and the path behind it; bytes that are not printable
/// ASCII, quotes and backslashes are \xNN. `json` is one object; what is no UTF-8 becomes U+FFFD.
std::string log_line(const AccessRecord& record, LogFormat format);

/// The line that tells how many lines are missing at its place.
std::string lost_line(std::uint64_t lines, LogFormat format);

}  // namespace headrace::http::server
