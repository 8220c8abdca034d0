#pragma once

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "http/message/url.hpp"
#include "net/accept.hpp"
#include "net/listen.hpp"

// What the tests of this folder share: a server on a thread of its own.
namespace headrace::http::client::testing {

/// One connection, from the server's side; blocking.
class ServerEnd {
 public:
  explicit ServerEnd(DescriptorRef socket) : socket_(socket) {}

  void send(std::string_view text) const {
    while (!text.empty()) {
      const auto sent = ::send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  /// Up to and with the empty line; empty where the client has ended.
  std::string head() {
    std::size_t end = std::string::npos;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!more()) return {};
    }
    return take(end + 4);
  }

  /// Fewer where the client has ended.
  std::string body(std::size_t bytes) {
    while (buffer_.size() < bytes && more()) {
    }
    return take(std::min(bytes, buffer_.size()));
  }

 private:
  bool more() {
    std::string room(std::size_t{1} << 16, '\0');
    const auto got = ::recv(socket_.number(), room.data(), room.size(), 0);
    if (got > 0) buffer_.append(room, 0, static_cast<std::size_t>(got));
    return got > 0;
  }

  std::string take(std::size_t bytes) {
    std::string taken = buffer_.substr(0, bytes);
    buffer_.erase(0, bytes);
    return taken;
  }

  DescriptorRef socket_;
  std::string buffer_;
};

/// Gives each connection to `script`, one after the other, and closes it then.
class HttpServer {
 public:
  using Script = std::function<void(ServerEnd)>;

  explicit HttpServer(Script script) : script_(std::move(script)) {}
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer() = default;

  [[nodiscard]] Url url(std::string_view target) const {
    return parse_url("http://" + listener_.address + std::string(target)).value();
  }

 private:
  void run(const std::stop_token& stop) {
    const std::atomic<bool> never = false;
    while (!stop.stop_requested()) {
      auto taken = net::accept(listener_, {}, Stop{&never, {}}, std::chrono::milliseconds{20});
      if (!taken) continue;
      const int flags = ::fcntl(taken->socket.ref().number(), F_GETFL);
      ::fcntl(taken->socket.ref().number(), F_SETFL, flags & ~O_NONBLOCK);
      script_(ServerEnd{taken->socket.ref()});
    }
  }

  Script script_;
  net::Listener listener_ = net::listen(net::parse_address("127.0.0.1:0").value()).value();
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};
};

}  // namespace headrace::http::client::testing
