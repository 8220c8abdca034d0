#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "headrace/bytes.hpp"
#include "http/server/answer.hpp"
#include "http/server/log_line.hpp"
#include "net/wait.hpp"

namespace headrace::http::server {

/// One request and what has become of it so far: what the log will tell.
struct Exchange {
  Request request;
  std::chrono::system_clock::time_point time;  ///< when its head had come
  net::Clock::time_point start;
  int status = 0;        ///< 0: nothing was answered yet
  bool keeps = true;     ///< another request may follow on the connection
  Bytes head_bytes = 0;  ///< of the answer, handed to the kernel
  Bytes bytes = 0;       ///< likewise, of its content
  Bytes received = 0;    ///< of the request's body
  LoggedPath path;
  std::string refusal;  ///< why the server itself said no
};

/// The exchange, over now, as the log has it; borrows from both.
AccessRecord record_of(const Exchange& exchange, std::string_view peer);

}  // namespace headrace::http::server
