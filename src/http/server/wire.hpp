#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "headrace/bytes.hpp"
#include "headrace/facts.hpp"
#include "http/server/activity.hpp"
#include "http/server/input.hpp"
#include "net/connection.hpp"

namespace headrace::http::server {

/// The socket of one connection, what the loop has told about it, and what went over it.
class Wire {
 public:
  explicit Wire(net::Connection connection) : connection_(std::move(connection)) {}

  [[nodiscard]] DescriptorRef socket() const { return connection_.socket.ref(); }
  [[nodiscard]] const net::Connection& connection() const { return connection_; }
  /// What probing the socket says; asked once.
  Result<const Facts*> facts();

  /// Hands as much of `bytes` to the kernel as it takes; fewer: it is not writable any more.
  /// Absent: the connection is gone.
  std::optional<std::size_t> send(std::span<const std::byte> bytes);
  Input::Received receive(Input& input, std::span<std::byte> shared);
  /// Handed to the kernel by somebody else.
  void count_sent(Bytes bytes) { sent_ += bytes; }
  /// How far the client has taken what was sent to it; `more`: sent, and not counted yet.
  [[nodiscard]] Activity::Life acknowledged(Bytes more = 0) const;

  [[nodiscard]] bool all_acknowledged() const;
  /// Nobody will take a byte any more: the client has reset the connection, or closed a unix one.
  [[nodiscard]] bool hung_up() const { return hung_up_; }

  void told(std::uint32_t events);
  /// Told by the loop; false again once a call answers EAGAIN, or is expected to.
  bool readable = false;
  bool writable = false;

 private:
  net::Connection connection_;
  std::optional<Facts> facts_;
  Bytes sent_ = 0;
  bool hung_up_ = false;
  bool ending_ = false;  // the client's side has ended, or the connection has
};

}  // namespace headrace::http::server
