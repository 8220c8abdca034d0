#include "http/client/client.hpp"

#include "net/finish.hpp"

namespace headrace::http::client {

Result<Connection*> Client::to(const Url& url) {
  const bool usable =
      connection_ && origin(connection_->origin()) == origin(url) && connection_->still_open();
  if (usable) {
    connection_->reused = true;
    return &*connection_;
  }
  connection_.reset();
  auto opened = Connection::open(url, settings_);
  if (!opened) return std::unexpected(opened.error());
  return &connection_.emplace(std::move(*opened));
}

void Client::keep(bool open) {
  if (!open) connection_.reset();
}

std::optional<Bytes> Client::abandon() {
  if (!connection_) return std::nullopt;
  const auto unacknowledged = net::abandon(connection_->net().socket.ref());
  connection_.reset();
  return unacknowledged;
}

}  // namespace headrace::http::client
