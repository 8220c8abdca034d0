#pragma once

#include <cstddef>
#include <string>

#include "http/server/activity.hpp"
#include "http/server/exchange.hpp"
#include "http/server/wire.hpp"

namespace headrace::http::server {

/// A head and a small content on their way: memory of our own, for what the kernel did not take at
/// once.
class Outgoing {
 public:
  /// `head`: how many of the bytes are no content.
  Outgoing(std::string bytes, std::size_t head) : bytes_(std::move(bytes)), head_(head) {}

  /// Sends on. `waits`: for the wire to be writable.
  Step advance(Wire& wire, Exchange& exchange);

 private:
  std::string bytes_;
  std::size_t head_;
  std::size_t sent_ = 0;
};

/// Counts bytes of an answer whose first `head` bytes are its head, of which `before` went before.
void count_answer(Exchange& exchange, std::size_t head, std::size_t before, std::size_t sent);

}  // namespace headrace::http::server
