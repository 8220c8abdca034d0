#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "http/message/head.hpp"
#include "http/server/server.hpp"
#include "net/connect.hpp"
#include "support/must.hpp"

namespace headrace::http::server {

/// The client's side of a connection. What does not come within ten seconds does not come.
class RawClient {
 public:
  explicit RawClient(const std::string& address) {
    auto connection = net::connect(*net::parse_address(address));
    if (!connection) testing::give_up("connect", connection.error().code.message());
    socket_ = std::move(connection->socket);
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    testing::must(::setsockopt(number(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience),
                  "setsockopt");
    testing::must(::fcntl(number(), F_SETFL, 0), "fcntl");
  }

  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(number(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // what was answered tells the rest
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  struct Answer {
    ResponseHead head;
    std::string body;
    [[nodiscard]] std::string field(std::string_view name) const {
      return std::string(find(head.fields, name).value_or(""));
    }
  };
  /// The next answer, with its body unless the request was a HEAD; status 0: there is none.
  Answer answer(bool body = true) {
    std::optional<std::size_t> length = head_end(received_);
    while (!length && receive()) length = head_end(received_);
    if (!length) return {};
    Answer answer{.head = *parse_response(received_.substr(0, *length)), .body = {}};
    received_.erase(0, *length);
    const std::size_t wanted =
        body ? std::strtoull(answer.field("Content-Length").c_str(), nullptr, 10) : 0;
    while (received_.size() < wanted && receive()) continue;
    answer.body = received_.substr(0, wanted);
    received_.erase(0, wanted);
    return answer;
  }
  /// Waits for the first bytes of an answer.
  bool has_begun() { return !received_.empty() || receive(); }
  Answer ask(std::string_view request) {
    send(request);
    return answer();
  }
  /// Has the server ended the connection, and sent nothing more?
  bool ended() { return received_.empty() && !receive(); }
  /// All until the connection ends.
  std::string rest() {
    while (receive()) continue;
    return std::exchange(received_, {});
  }

 private:
  [[nodiscard]] int number() const { return socket_.ref().number(); }
  bool receive() {
    std::array<char, 65536> buffer{};
    const ssize_t got = ::recv(number(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EAGAIN) testing::give_up("recv", "nothing came for ten seconds");
    if (got > 0) received_.append(buffer.data(), static_cast<std::size_t>(got));
    return got > 0;
  }

  Descriptor socket_;
  std::string received_;
};

/// A server on a port of its own, for as long as this lives.
class RunningServer {
 public:
  explicit RunningServer(Configuration configuration) {
    configuration.listen = {net::Address{.host = "127.0.0.1", .port = "0"}};
    if (configuration.threads == 0) configuration.threads = 2;
    auto opened = Server::open(std::move(configuration));
    if (!opened) testing::give_up(opened.error().call, opened.error().code.message());
    server_ = std::move(*opened);
    thread_ = std::jthread([this] { server_->run(); });
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  ~RunningServer() { server_->stop(); }

  [[nodiscard]] Server& server() { return *server_; }
  [[nodiscard]] RawClient client() const { return RawClient{server_->addresses().at(0)}; }
  /// Waits until it has ended by itself.
  void join() { thread_.join(); }

 private:
  std::unique_ptr<Server> server_;
  std::jthread thread_;
};

inline std::string get(std::string_view path, std::string_view fields = "") {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(fields) +
         "\r\n";
}

}  // namespace headrace::http::server
