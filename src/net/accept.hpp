#pragma once

#include <chrono>
#include <optional>

#include "headrace/result.hpp"
#include "headrace/transfer.hpp"
#include "net/connection.hpp"
#include "net/listen.hpp"
#include "net/options.hpp"

namespace headrace::net {

/// Waits for the next connection; for ever when there is no `timeout`.
///
/// A connection that failed before it was taken is passed over. A local peer gets reno where a
/// pacing control is in force. Give the options the listener was given: unix sockets inherit none.
/// Errors: ECANCELED and ETIMEDOUT of "accept4"; EMFILE and the like.
Result<Connection> accept(const Listener& listener, const SocketOptions& options = {},
                          const Stop& stop = {},
                          std::optional<std::chrono::milliseconds> timeout = {});

}  // namespace headrace::net
