#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "headrace/endpoint.hpp"
#include "headrace/transfer.hpp"
#include "http/message/head.hpp"
#include "http/message/url.hpp"
#include "net/connection.hpp"
#include "net/options.hpp"
#include "net/wait.hpp"

namespace headrace::http::client {

/// What every exchange of a client has in common.
struct Settings {
  net::SocketOptions socket;
  std::optional<std::chrono::milliseconds> idle_timeout;  ///< longest silence; absent: none
  Stop stop;
  std::string user_agent;
  HeadLimits limits;
  unsigned most_redirects = 10;
};

/// Interim answers (1xx) before a final one: servers send one or two.
inline constexpr int most_interim = 32;

/// What came of waiting for an answer.
enum class Heard { head, nothing, closed };

/// One connection to one origin, on which exchanges follow each other; every wait is bounded by the
/// settings. It never assumes that the socket is plain: whoever does asks `endpoint()`.
///
/// Errors of all its calls: the failing system call; "poll" with ETIMEDOUT after silence and with
/// ECANCELED after a stop. Threads: one caller at a time.
class Connection {
 public:
  /// Connects to the origin of `url`. Errors: net::connect()'s; Fault::scheme_not_offered.
  static Result<Connection> open(const Url& url, const Settings& settings);

  /// Where bodies go to and come from.
  [[nodiscard]] Endpoint endpoint() const { return Plain{connection_.socket.ref()}; }

  /// Sends all of `bytes`.
  Result<void> send(std::string_view bytes);

  /// Waits for one whole head, an interim one (1xx) too, and takes it out of the buffer. What the
  /// peer takes of what was sent counts as a sign of life.
  /// Errors: a HeadFault; Fault::closed_before_answer, Fault::closed_in_answer; ECONNRESET.
  Result<ResponseHead> receive_head();

  /// Waits at most `limit` for the first byte of an answer.
  Result<Heard> wait_for_answer(std::chrono::milliseconds limit);

  /// Takes in what has come, without a wait, and drops interim answers. True where a final answer
  /// has begun, or what is none at all.
  bool final_answer_begins();

  /// What came together with a head and belongs behind it: the first bytes of the body.
  [[nodiscard]] std::span<const std::byte> buffered() const;
  void consume(std::size_t bytes);
  /// Waits for bytes behind those, until `until` at most, and buffers them; 0: the peer's end.
  Result<std::size_t> receive_more(net::Deadline until = {});

  /// A look without a wait: false where the server has closed, or says what nobody asked for.
  [[nodiscard]] bool still_open() const;

  /// What probing the socket says; asked once, since it is the same for every exchange.
  Result<const Facts*> facts();

  [[nodiscard]] const Url& origin() const { return origin_; }
  [[nodiscard]] net::Connection& net() { return connection_; }
  [[nodiscard]] const net::Connection& net() const { return connection_; }

  /// Puts into the report what only the connection knows.
  void describe_in(Report& report) const;

  bool reused = false;          ///< an exchange was made on it before this one
  bool waited_in_vain = false;  ///< for a 100 Continue: this server sends none

 private:
  Connection(net::Connection connection, Url url, const Settings& settings);
  Result<net::Woken> wait(short events, net::Deadline until);
  Result<std::size_t> receive_now();
  bool peer_took_bytes();

  net::Connection connection_;
  std::optional<Facts> facts_;
  Url origin_;
  std::optional<std::chrono::milliseconds> idle_;
  std::optional<Bytes> window_;  // asked for
  Stop stop_;
  HeadLimits limits_;
  std::string buffer_;  // received and not yet consumed, from taken_ on
  std::size_t taken_ = 0;
  int interim_ = 0;  // answers, since the last final one
  std::optional<Bytes> unacknowledged_;
};

}  // namespace headrace::http::client
