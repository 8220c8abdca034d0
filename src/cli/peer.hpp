#pragma once

#include <optional>
#include <string_view>

#include "cli/arguments.hpp"
#include "headrace/transfer.hpp"
#include "net/connection.hpp"

namespace headrace::cli {

/// Is it an address at all? Complains and answers false.
bool address_is_valid(std::string_view command, const std::string& address);

/// The one connection of a `send` or `receive`: connects, or listens and takes the first peer, as
/// the arguments say. Where it listens, the address (with the port the kernel chose) goes to
/// standard error, unless quiet. Complains and gives nothing where that fails or is interrupted.
std::optional<net::Connection> open_peer(std::string_view command, const PeerArguments& arguments,
                                         const Stop& stop);

/// Puts what only the connection knows into the report.
void add_connection(const net::Connection& connection, const PeerArguments& arguments,
                    Report& report);

}  // namespace headrace::cli
