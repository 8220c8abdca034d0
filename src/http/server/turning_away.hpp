#pragma once

#include "http/server/closing.hpp"
#include "http/server/outgoing.hpp"

namespace headrace::http::server {

/// Tells a client that there are too many: 503, whatever it asks for.
class TurningAway final : public Activity {
 public:
  /// Connections beyond the most there may be that are told so at the same time; others are closed
  /// without a word.
  static constexpr std::size_t most = 64;

  explicit TurningAway(Connection& connection);

  Step advance() override;
  [[nodiscard]] Life life() const override { return connection_.wire().acknowledged(); }

 private:
  Connection& connection_;
};

}  // namespace headrace::http::server
