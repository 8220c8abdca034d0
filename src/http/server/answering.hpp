#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "http/server/answer.hpp"
#include "http/server/connection.hpp"
#include "http/server/outgoing.hpp"

namespace headrace::http::server {

/// Answers the head of the connection's exchange: at once where that can be done without waiting,
/// else by what the connection becomes.
Step answer(Connection& connection);

/// Appends the head of the exchange's answer, which is decided now; `prepared`: of the whole file.
void begin_answer(Connection& connection, const Answer& answer, std::string_view prepared,
                  std::string& text);

/// An answer without a file, for who sends it later: its head, and its text unless it is to HEAD.
Outgoing outgoing(Connection& connection, const Answer& answer);
/// The same, sent now as far as possible.
Step reply(Connection& connection, const Answer& answer, std::string_view prepared = {});

/// Sends `bytes`, of which `head` are no content; what the kernel does not take now goes later.
Step send_all(Connection& connection, std::span<const std::byte> bytes, std::size_t head);

}  // namespace headrace::http::server
