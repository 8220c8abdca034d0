#include "http/server/closing.hpp"

#include <sys/socket.h>

#include "sys/socket.hpp"

namespace headrace::http::server {
namespace {

constexpr std::chrono::milliseconds look_every{250};  // at what is acknowledged
constexpr int reads_a_turn = 16;

}  // namespace

Step Closing::advance() {
  const Wire& wire = connection_.wire();
  const auto now = connection_.lane().loop().now();
  if (!half_closed_) {
    half_closed_ = true;
    limit_ = now + grace;
    if (!sys::shutdown(wire.socket(), SHUT_WR)) return Step::ended;
  }
  if (discard()) return Step::ended;
  if (wire.readable) return Step::again;
  if (now >= limit_) {
    // A slow client still has our last answer to take: its time-out watches over that.
    if (wire.acknowledged().ours) return Step::ended;
    limit_ = now + look_every;
  }
  connection_.wake_at(limit_);
  return Step::waits;
}

// True: the client has ended its side, or has said more than anybody listens to.
bool Closing::discard() {
  Wire& wire = connection_.wire();
  Input& input = connection_.input();
  for (int reads = 0; reads < reads_a_turn; ++reads) {
    discarded_ += input.view().size();
    input.consume(input.view().size());
    if (discarded_ > most) return true;
    if (!wire.readable) return false;
    const auto received = wire.receive(input, connection_.lane().input());
    if (received == Input::Received::nothing) return false;
    if (received != Input::Received::some) return true;
  }
  return false;
}

}  // namespace headrace::http::server
