#include "net/finish.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <vector>

#include "net/outstanding.hpp"
#include "net/wait.hpp"
#include "sys/read_write.hpp"
#include "sys/socket.hpp"

namespace headrace::net {
namespace {

constexpr std::size_t discard_buffer = 64 * kibibyte;  // as much as a read of a socket often gives
// Between two looks at the stop, however fast a peer may talk.
constexpr int reads_a_turn = 16;

class Finisher {
 public:
  Finisher(DescriptorRef socket, const FinishLimits& limits, const Stop& stop)
      : socket_(socket), limits_(limits), stop_(stop), buffer_(discard_buffer) {
    const auto domain = sys::getsockopt(socket, sys::option::domain);
    is_unix_ = domain && *domain == AF_UNIX;
  }

  Finish run() {
    half_close();
    progressed();
    while (!result_.error && !turn()) wait();
    result_.unacknowledged = data_unacknowledged();
    return std::move(result_);
  }

 private:
  void half_close() {
    const auto closed = sys::shutdown(socket_, SHUT_WR);
    fin_counts_ = closed.has_value() && !is_unix_;
    if (closed) return;
    take_pending_error();  // a reset that came before says more than ENOTCONN
    if (!result_.error) result_.error = closed.error();
  }

  // One look at everything. True: it is over.
  bool turn() {
    discard();
    if (!result_.error) take_pending_error();
    if (result_.error) return true;
    const auto outstanding = unacknowledged(socket_);
    if (outstanding && outstanding != outstanding_) progressed();
    outstanding_ = outstanding;
    if (outstanding.value_or(0) == 0 && result_.peer_ended) return true;
    if (outstanding != 0) return false;
    if (!grace_end_) grace_end_ = deadline_after(limits_.grace);
    if (Clock::now() < *grace_end_) return false;
    result_.note = "the peer has acknowledged everything and keeps its side open";
    return true;
  }

  void discard() {
    for (int reads = 0; reads < reads_a_turn && !result_.peer_ended; ++reads) {
      const auto got = sys::recv(socket_, buffer_, MSG_DONTWAIT);
      if (!got) {
        const auto& code = got.error().code;
        if (code == std::errc::interrupted) continue;
        if (code != std::errc::resource_unavailable_try_again) result_.error = got.error();
        return;
      }
      result_.peer_ended = *got == 0;
      result_.discarded += *got;
      progressed();
    }
  }

  // After the peer's end recv() answers 0 for ever, even when a reset came later.
  void take_pending_error() {
    const auto pending = sys::getsockopt(socket_, sys::option::pending_error);
    if (pending && *pending != 0) {
      result_.error =
          Error{{*pending, std::system_category()}, sys::option::pending_error.get_call};
    }
  }

  void progressed() {
    idle_end_ = deadline_after(limits_.idle);
    back_off_.reset();
  }

  // poll tells of arriving bytes, not of acknowledgements: those are looked for. Once both sides
  // have ended poll reports a hang-up for ever, so the socket is left out.
  void wait() {
    const DescriptorRef watched = result_.peer_ended ? DescriptorRef{} : socket_;
    const Deadline until = grace_end_ ? grace_end_ : back_off_.next(idle_end_);
    const auto woken = wait_for(watched, POLLIN, until, stop_);
    if (!woken) {
      result_.error = woken.error();
    } else if (*woken == Woken::stopped) {
      result_.error = Error{{ECANCELED, std::system_category()}, "poll"};
    } else if (*woken == Woken::timed_out && !grace_end_ && idle_end_ &&
               Clock::now() >= *idle_end_) {
      give_up_if_idle();
    }
  }

  // One last look: the acknowledgement may have come during the wait.
  void give_up_if_idle() {
    if (unacknowledged(socket_) != outstanding_) return;
    result_.error = Error{{ETIMEDOUT, std::system_category()}, "poll"};
  }

  std::optional<Bytes> data_unacknowledged() {
    const auto outstanding = unacknowledged(socket_);
    if (!outstanding) return std::nullopt;
    if (is_unix_) {  // a peer that has gone leaves 0 behind, read or not
      return *outstanding == 0 && !result_.error ? outstanding : std::nullopt;
    }
    // The FIN is the last thing to be acknowledged and counts as one.
    return fin_counts_ && *outstanding > 0 ? *outstanding - 1 : *outstanding;
  }

  DescriptorRef socket_;
  FinishLimits limits_;
  Stop stop_;
  std::vector<std::byte> buffer_;
  bool is_unix_ = false;
  bool fin_counts_ = false;
  std::optional<Bytes> outstanding_;
  Deadline idle_end_;
  Deadline grace_end_;  // set when everything is acknowledged
  BackOff back_off_;
  Finish result_;
};

}  // namespace

std::optional<Bytes> abandon(DescriptorRef socket) {
  const auto domain = sys::getsockopt(socket, sys::option::domain);
  if (!domain || *domain == AF_UNIX) return std::nullopt;
  const auto outstanding = unacknowledged(socket);
  // Where that cannot be had the close is an orderly one: the caller's own report tells the rest.
  if (!sys::set_linger(socket, 0)) return outstanding;
  return outstanding;
}

Finish finish(DescriptorRef socket, const FinishLimits& limits, const Stop& stop) {
  return Finisher(socket, limits, stop).run();
}

}  // namespace headrace::net
