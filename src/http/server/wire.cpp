#include "http/server/wire.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include "net/outstanding.hpp"
#include "sys/read_write.hpp"

namespace headrace::http::server {

Result<const Facts*> Wire::facts() {
  if (!facts_) {
    auto facts = probe(socket(), connection_.peer);
    if (!facts) return std::unexpected(facts.error());
    facts_ = std::move(*facts);
  }
  return &*facts_;
}

std::optional<std::size_t> Wire::send(std::span<const std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto sent = sys::send(socket(), bytes.subspan(done), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (!sent && sent.error().code == std::errc::interrupted) continue;
    if (!sent && sent.error().code != std::errc::resource_unavailable_try_again) return {};
    writable = sent.has_value();
    if (!sent) break;
    done += *sent;
  }
  sent_ += done;
  return done;
}

Input::Received Wire::receive(Input& input, std::span<std::byte> shared) {
  bool drained = false;
  const Input::Received received = input.receive(socket(), shared, drained);
  // Of an end that came with the last bytes nobody tells again.
  const bool end_follows = ending_ && received == Input::Received::some;
  readable = readable && (!drained || end_follows);
  return received;
}

Activity::Life Wire::acknowledged(Bytes more) const {
  const auto outstanding = net::unacknowledged(socket());
  const auto sent = static_cast<std::int64_t>(sent_ + more);
  return {.progress = sent - static_cast<std::int64_t>(outstanding.value_or(0)),
          .ours = outstanding == 0};
}

bool Wire::all_acknowledged() const { return net::unacknowledged(socket()) == 0; }

void Wire::told(std::uint32_t events) {
  constexpr std::uint32_t ends = EPOLLERR | EPOLLHUP;  // found out by the next call
  hung_up_ = hung_up_ || (events & EPOLLHUP) != 0;
  ending_ = ending_ || (events & (EPOLLRDHUP | ends)) != 0;
  readable = readable || (events & (EPOLLIN | EPOLLRDHUP | ends)) != 0;
  writable = writable || (events & (EPOLLOUT | ends)) != 0;
}

}  // namespace headrace::http::server
