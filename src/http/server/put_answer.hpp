#pragma once

#include "http/server/answer.hpp"
#include "http/server/connection.hpp"

namespace headrace::http::server {

/// Answers a PUT: takes its body, or says why not.
Step begin_put(Connection& connection, const Surroundings& surroundings);

}  // namespace headrace::http::server
