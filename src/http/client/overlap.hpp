#pragma once

#include "http/client/connection.hpp"

namespace headrace::http::client {

/// Whether the next `length` bytes of the connection are those of `file` at `offset`. Takes them
/// off the connection, as far as they are compared. Errors: the connection's;
/// BodyFault::ended_early; pread(2).
Result<bool> same_as_next(Connection& connection, DescriptorRef file, Bytes offset, Bytes length);

}  // namespace headrace::http::client
