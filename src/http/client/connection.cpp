#include "http/client/connection.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>
#include <variant>

#include "http/client/fault.hpp"
#include "net/connect.hpp"
#include "net/outstanding.hpp"
#include "sys/read_write.hpp"

namespace headrace::http::client {
namespace {

constexpr std::size_t receive_room = 16 * kibibyte;  // most answers are one read

// The two places that know what kind of session carries the bytes.
Result<std::size_t> send_some(Plain end, std::string_view bytes) {
  return sys::send(end.descriptor, std::as_bytes(std::span(bytes)), MSG_NOSIGNAL);
}

Result<std::size_t> receive_some(Plain end, std::span<std::byte> room, int flags = 0) {
  return sys::recv(end.descriptor, room, flags);
}

bool again(const Error& error) {
  return error.code == std::errc::interrupted ||
         error.code == std::errc::resource_unavailable_try_again;
}

std::unexpected<Error> faulty(Fault fault, std::string_view call) {
  return std::unexpected(Error{fault, call});
}

Result<void> answer_of(Result<net::Woken> woken) {
  if (!woken) return std::unexpected(woken.error());
  if (*woken == net::Woken::stopped) return fail("poll", ECANCELED);
  if (*woken == net::Woken::timed_out) return fail("poll", ETIMEDOUT);
  return {};
}

}  // namespace

Connection::Connection(net::Connection connection, Url url, const Settings& settings)
    : connection_(std::move(connection)),
      origin_(std::move(url)),
      idle_(settings.idle_timeout),
      window_(settings.socket.window),
      stop_(settings.stop),
      limits_(settings.limits) {}

Result<const Facts*> Connection::facts() {
  if (!facts_) {
    auto facts = probe(connection_.socket.ref(), connection_.peer);
    if (!facts) return std::unexpected(facts.error());
    facts_ = std::move(*facts);
  }
  return &*facts_;
}

Result<Connection> Connection::open(const Url& url, const Settings& settings) {
  if (url.scheme != "http") return faulty(Fault::scheme_not_offered, "connect");
  const net::Address address{
      .family = net::Address::Family::tcp, .host = url.host, .port = url.port, .path = {}};
  auto connected = net::connect(address, settings.socket, settings.idle_timeout, settings.stop);
  if (!connected) return std::unexpected(connected.error());
  return Connection{std::move(*connected), url, settings};
}

Result<void> Connection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (net::stop_requested(stop_)) return fail("poll", ECANCELED);
    const auto step = std::visit([&](auto end) { return send_some(end, bytes); }, endpoint());
    if (step) {
      bytes.remove_prefix(*step);
    } else if (!again(step.error())) {
      return std::unexpected(step.error());
    } else if (step.error().code != std::errc::interrupted) {
      const auto ready = answer_of(wait(POLLOUT, std::nullopt));
      if (!ready) return ready;
    }
  }
  return {};
}

std::span<const std::byte> Connection::buffered() const {
  return std::as_bytes(std::span(buffer_)).subspan(taken_);
}

void Connection::consume(std::size_t bytes) {
  taken_ += bytes;
  if (taken_ < buffer_.size()) return;
  buffer_.clear();
  taken_ = 0;
}

// Behind what is there already.
Result<std::size_t> Connection::receive_now() {
  std::array<std::byte, receive_room> room;  // NOLINT(*-member-init): filled before it is read
  const auto step = std::visit([&](auto end) { return receive_some(end, room); }, endpoint());
  if (step) buffer_.append(reinterpret_cast<const char*>(room.data()), *step);
  return step;
}

Result<std::size_t> Connection::receive_more(net::Deadline until) {
  for (;;) {
    if (net::stop_requested(stop_)) return fail("poll", ECANCELED);
    const auto step = receive_now();
    if (step || !again(step.error())) return step;
    if (step.error().code == std::errc::interrupted) continue;
    const auto ready = answer_of(wait(POLLIN, until));
    if (!ready) return std::unexpected(ready.error());
  }
}

Result<ResponseHead> Connection::receive_head() {
  std::size_t looked_at = 0;
  for (;;) {
    const auto bytes = std::string_view(buffer_).substr(taken_);
    if (const auto end = head_end(bytes, looked_at)) {
      auto head = parse_response(bytes.substr(0, *end), limits_);
      if (!head) return head;
      consume(*end);
      interim_ = head->status < 200 ? interim_ + 1 : 0;
      return head;
    }
    looked_at = bytes.size();
    if (bytes.size() > limits_.most) {
      return std::unexpected(Error{oversized(bytes), "receive_head"});
    }
    const auto more = receive_more();
    if (!more) return std::unexpected(more.error());
    if (*more > 0) continue;
    return faulty(looked_at == 0 ? Fault::closed_before_answer : Fault::closed_in_answer, "recv");
  }
}

Result<Heard> Connection::wait_for_answer(std::chrono::milliseconds limit) {
  if (!buffered().empty()) return Heard::head;
  const auto woken =
      net::wait_for(connection_.socket.ref(), POLLIN, net::deadline_after(limit), stop_);
  if (woken && *woken == net::Woken::timed_out) return Heard::nothing;
  if (const auto ready = answer_of(woken); !ready) return std::unexpected(ready.error());
  const auto more = receive_more();
  // A reset is an end too; what came before it was received.
  if (!more && more.error().code == std::errc::operation_canceled) {
    return std::unexpected(more.error());
  }
  return more && *more > 0 ? Heard::head : Heard::closed;
}

bool Connection::final_answer_begins() {
  // An end or a reset is the transfer's to notice.
  if (const auto step = receive_now(); !step && buffered().empty()) return false;
  constexpr std::string_view up_to_status = "HTTP/1.1 ";
  while (interim_ <= most_interim) {
    const auto bytes = std::string_view(buffer_).substr(taken_);
    if (bytes.size() <= up_to_status.size()) return false;
    if (bytes[up_to_status.size()] != '1') return true;
    const auto end = head_end(bytes);
    if (!end) return bytes.size() > limits_.most;
    const auto head = parse_response(bytes.substr(0, *end), limits_);
    if (!head || head->status == 101) return true;
    consume(*end);
    ++interim_;
  }
  return true;
}

bool Connection::still_open() const {
  if (!buffered().empty()) return false;
  std::array<std::byte, 1> room{};
  const auto looked = std::visit(
      [&](auto end) { return receive_some(end, room, MSG_PEEK | MSG_DONTWAIT); }, endpoint());
  return !looked && again(looked.error());
}

void Connection::describe_in(Report& report) const {
  report.congestion = connection_.congestion;
  if (window_) {
    report.notes.push_back("window of " + std::to_string(*window_) +
                           " bytes asked for; the kernel gave " +
                           std::to_string(connection_.send_buffer) + " to send and " +
                           std::to_string(connection_.receive_buffer) + " to receive");
  }
  report.notes.insert(report.notes.end(), connection_.notes.begin(), connection_.notes.end());
}

// Silence ends where the peer takes bytes: it is slow, but alive.
Result<net::Woken> Connection::wait(short events, net::Deadline until) {
  net::Deadline silence_ends = net::deadline_after(idle_);
  for (;;) {
    net::Deadline look = net::earlier(silence_ends, until);
    if (idle_) look = net::earlier(look, net::deadline_after(*idle_ / 4));
    const auto woken = net::wait_for(connection_.socket.ref(), events, look, stop_);
    if (!woken || *woken != net::Woken::timed_out) return woken;
    if (peer_took_bytes()) silence_ends = net::deadline_after(idle_);
    const auto now = net::Clock::now();
    if ((silence_ends && now >= *silence_ends) || (until && now >= *until)) return woken;
  }
}

bool Connection::peer_took_bytes() {
  const auto before = unacknowledged_;
  unacknowledged_ = net::unacknowledged(connection_.socket.ref());
  return before && unacknowledged_ && *unacknowledged_ < *before;
}

}  // namespace headrace::http::client
