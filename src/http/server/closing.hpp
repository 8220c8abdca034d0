#pragma once

#include <string>

#include "headrace/bytes.hpp"
#include "http/server/connection.hpp"

namespace headrace::http::server {

/// Ends a connection so that the last answer is not lost: half-closes, reads and throws away what
/// the client still sends, and closes when it has ended its side too.
///
/// Closing with unread input would reset the connection, and a reset destroys what is on its way.
class Closing final : public Activity {
 public:
  /// What a client may still send, and how long, once it has acknowledged all we sent.
  static constexpr Bytes most = 16 * mebibyte;
  static constexpr std::chrono::seconds grace{5};

  explicit Closing(Connection& connection) : connection_(connection) {}

  Step advance() override;
  [[nodiscard]] Life life() const override { return connection_.wire().acknowledged(); }
  Step time_out() override { return Step::ended; }

 private:
  bool discard();

  Connection& connection_;
  bool half_closed_ = false;
  Bytes discarded_ = 0;
  Clock::time_point limit_;
};

}  // namespace headrace::http::server
