#pragma once

#include <optional>
#include <utility>

#include "http/client/connection.hpp"
#include "http/client/outgoing.hpp"
#include "http/client/put.hpp"

namespace headrace::http::client {

/// `Expect: 100-continue`: whether the server is asked before the body is sent.
class Expectation {
 public:
  Expectation(Expect wish, const Outgoing& outgoing);

  /// On this connection: its server may have shown that it never answers.
  [[nodiscard]] bool is_made_on(const Connection& connection) const;

  /// The server cannot meet it (417): it is not made again. False: it was not made.
  bool drop() { return std::exchange(made_, false); }

 private:
  bool made_;
  bool wished_;
};

/// After a head with an expectation: waits a moment for what the server says to it. Nothing: the
/// body may go. Else the final answer, which came instead.
Result<std::optional<ResponseHead>> answer_to_expectation(Connection& connection);

}  // namespace headrace::http::client
