#pragma once

#include <optional>
#include <utility>

#include "http/client/connection.hpp"

namespace headrace::http::client {

/// Settings, and the connection that the last exchange left open.
///
/// Threads: one caller at a time.
class Client {
 public:
  explicit Client(Settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] const Settings& settings() const { return settings_; }

  /// A connection to the origin of `url`: the kept one where it leads there and is still open, else
  /// a new one, which takes its place. Valid until the next call of this client.
  Result<Connection*> to(const Url& url);

  /// After an exchange: whether another one may follow on its connection. Where not it is closed;
  /// to be told also after a failure.
  void keep(bool open);

  /// Ends a message that is not complete by a reset, so that nobody can take it for a whole one.
  /// Returns what the peer had not acknowledged, where that can be known.
  std::optional<Bytes> abandon();

 private:
  Settings settings_;
  std::optional<Connection> connection_;
};

}  // namespace headrace::http::client
