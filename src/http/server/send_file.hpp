#pragma once

#include <memory>

#include "http/server/cached_file.hpp"
#include "http/server/connection.hpp"

namespace headrace::http::server {

/// Sends a file, or ranges of it, as `answer` says. A small content goes with its head in one call;
/// all else is a transfer.
Step send_file(Connection& connection, const std::shared_ptr<CachedFile>& file, Answer answer);

}  // namespace headrace::http::server
