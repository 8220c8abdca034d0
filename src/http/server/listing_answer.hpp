#pragma once

#include "http/server/connection.hpp"

namespace headrace::http::server {

/// Answers with what is in `directory`, which is read on a worker. `answer`: its head so far.
Step list(Connection& connection, Descriptor directory, Answer answer);

}  // namespace headrace::http::server
