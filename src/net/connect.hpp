#pragma once

#include <chrono>
#include <optional>

#include "headrace/result.hpp"
#include "headrace/transfer.hpp"
#include "net/address.hpp"
#include "net/connection.hpp"
#include "net/options.hpp"

namespace headrace::net {

/// Connects to `address`, trying what its name resolves to in turn.
///
/// `timeout` bounds the whole, name lookup included; each address but the last gets an equal share
/// of what is left, so that one that swallows everything does not hide the others. For a peer on
/// this machine the loopback rule applies (congestion.hpp), before the connect: it matters there.
/// Errors: that of the last address tried; ECANCELED and ETIMEDOUT of "connect"; resolve()'s.
Result<Connection> connect(const Address& address, const SocketOptions& options = {},
                           std::optional<std::chrono::milliseconds> timeout = {},
                           const Stop& stop = {});

}  // namespace headrace::net
