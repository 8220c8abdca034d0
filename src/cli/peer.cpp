#include "cli/peer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/console.hpp"
#include "headrace/explain.hpp"
#include "net/accept.hpp"
#include "net/address.hpp"
#include "net/connect.hpp"
#include "net/listen.hpp"

namespace headrace::cli {
namespace {

void complain_of_peer(std::string_view command, std::string_view doing, std::string_view address,
                      const PeerArguments& arguments, const Error& error) {
  const bool congestion = error.call.find("TCP_CONGESTION") != std::string_view::npos;
  if (congestion && arguments.congestion) {
    complain(command, "set the congestion control", *arguments.congestion, error);
  } else {
    complain(command, doing, address, error);
  }
}

std::optional<net::Connection> accept_one(std::string_view command, const net::Address& address,
                                          const net::SocketOptions& options,
                                          const PeerArguments& arguments, const Stop& stop) {
  const auto listener = net::listen(address, options, stop);
  if (!listener) {
    complain_of_peer(command, "listen on", arguments.address, arguments, listener.error());
    return std::nullopt;
  }
  if (!arguments.common.quiet) complain(command, "listening on " + listener->address);
  auto connection = net::accept(*listener, options, stop);
  if (!connection) {
    if (!stop.requested->load())
      complain(command, "accept on", listener->address, connection.error());
    return std::nullopt;
  }
  connection->notes.insert(connection->notes.end(), listener->notes.begin(), listener->notes.end());
  return std::move(*connection);
}

}  // namespace

bool address_is_valid(std::string_view command, const std::string& address) {
  const auto parsed = net::parse_address(address);
  if (parsed) return true;
  complain(command, fmt::format("'{}': {}", address, parsed.error().code.message()));
  return false;
}

std::optional<net::Connection> open_peer(std::string_view command, const PeerArguments& arguments,
                                         const Stop& stop) {
  const auto address = net::parse_address(arguments.address);
  if (!address) return std::nullopt;
  const net::SocketOptions options{.window = arguments.window, .congestion = arguments.congestion};
  if (arguments.listens) return accept_one(command, *address, options, arguments, stop);
  auto connection = net::connect(*address, options, arguments.common.idle_timeout, stop);
  if (!connection) {
    if (!stop.requested->load())
      complain_of_peer(command, "connect to", arguments.address, arguments, connection.error());
    return std::nullopt;
  }
  return std::move(*connection);
}

void add_connection(const net::Connection& connection, const PeerArguments& arguments,
                    Report& report) {
  report.congestion = connection.congestion;
  if (arguments.window) {
    report.notes.push_back(
        fmt::format("window of {} asked for; the kernel gave {} to send and {} to receive",
                    format_size(*arguments.window), format_size(connection.send_buffer),
                    format_size(connection.receive_buffer)));
  }
  report.notes.insert(report.notes.end(), connection.notes.begin(), connection.notes.end());
}

}  // namespace headrace::cli
