#include "support/ends.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <sys/socket.h>
#include <termios.h>

#include <array>
#include <csignal>

#include "support/must.hpp"

namespace headrace::testing {
namespace {

Descriptor nonblocking(Descriptor descriptor) {
  const int flags = must(::fcntl(descriptor.ref().number(), F_GETFL), "fcntl");
  must(::fcntl(descriptor.ref().number(), F_SETFL, flags | O_NONBLOCK), "fcntl");
  return descriptor;
}

Pair in_mode(Pair pair, Mode mode) {
  if (mode == Mode::blocking) return pair;
  return {nonblocking(std::move(pair.near)), nonblocking(std::move(pair.far))};
}

// True when the descriptor is ready, false when `stop` was closed by its owner.
bool wait_for(DescriptorRef descriptor, short events, const Descriptor& stop) {
  std::array<pollfd, 2> both{{{descriptor.number(), events, 0}, {stop.ref().number(), POLLIN, 0}}};
  while (::poll(both.data(), both.size(), -1) < 0) {
    if (errno != EINTR) must(-1, "poll");
  }
  return both[1].revents == 0;
}

}  // namespace

Pipe open_pipe(Mode mode, int capacity) {
  std::array<int, 2> ends{};
  must(::pipe2(ends.data(), O_CLOEXEC | (mode == Mode::nonblocking ? O_NONBLOCK : 0)), "pipe2");
  if (capacity > 0) must(::fcntl(ends[0], F_SETPIPE_SZ, capacity), "fcntl");
  return {Descriptor{ends[0]}, Descriptor{ends[1]}};
}

Pair connected_tcp(Mode mode) {
  const Descriptor listener{must(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);  // port 0: the kernel picks a free one
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  must(::bind(listener.ref().number(), generic, size), "bind");
  must(::listen(listener.ref().number(), 1), "listen");
  must(::getsockname(listener.ref().number(), generic, &size), "getsockname");
  Descriptor near{must(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket")};
  must(::connect(near.ref().number(), generic, size), "connect");
  Descriptor far{
      must(::accept4(listener.ref().number(), nullptr, nullptr, SOCK_CLOEXEC), "accept4")};
  return in_mode({std::move(near), std::move(far)}, mode);
}

Pair connected_unix(Mode mode) {
  std::array<int, 2> ends{};
  must(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
  return in_mode({Descriptor{ends[0]}, Descriptor{ends[1]}}, mode);
}

Pair open_terminal(Mode mode) {
  int user = -1;
  int terminal = -1;
  must(::openpty(&user, &terminal, nullptr, nullptr, nullptr), "openpty");
  Pair pair{Descriptor{terminal}, Descriptor{user}};
  must(::fcntl(user, F_SETFD, FD_CLOEXEC), "fcntl");
  must(::fcntl(terminal, F_SETFD, FD_CLOEXEC), "fcntl");
  termios settings{};
  must(::tcgetattr(terminal, &settings), "tcgetattr");
  ::cfmakeraw(&settings);
  must(::tcsetattr(terminal, TCSANOW, &settings), "tcsetattr");
  return in_mode(std::move(pair), mode);
}

void close_with_reset(Descriptor socket) {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  must(::setsockopt(socket.ref().number(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once),
       "setsockopt");
  must(socket.close() ? 0 : -1, "close");
}

std::size_t fill(DescriptorRef destination) {
  const std::string piece(4096, 'f');
  std::size_t total = 0;
  for (;;) {
    const auto written = ::write(destination.number(), piece.data(), piece.size());
    if (written < 0 && errno == EAGAIN) return total;
    total += static_cast<std::size_t>(must(written, "write"));
  }
}

Drain::Drain(DescriptorRef source)
    : source_(source), stop_(open_pipe()), thread_([this] { run(); }) {}

Drain::~Drain() {
  stop_.writer = Descriptor{};  // its hang-up ends the wait
}

const std::string& Drain::bytes() {
  if (thread_.joinable()) thread_.join();
  return bytes_;
}

void Drain::run() {
  std::array<char, 65536> buffer{};
  while (wait_for(source_, POLLIN, stop_.reader)) {
    const auto got = ::read(source_.number(), buffer.data(), buffer.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got < 0 && errno != EIO && errno != ECONNRESET) must(got, "read");
    if (got <= 0) return;
    bytes_.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

// Non-blocking, since a blocked write could not be told to stop.
Feed::Feed(Descriptor destination, std::string bytes)
    : destination_(nonblocking(std::move(destination))),
      bytes_(std::move(bytes)),
      stop_(open_pipe()),
      thread_([this] { run(); }) {}

Feed::~Feed() { stop_.writer = Descriptor{}; }

void Feed::run() {
  sigset_t broken_pipe;  // a reader that went away is the test's own affair: EPIPE says it
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  must(-::pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr), "pthread_sigmask");
  std::string_view rest = bytes_;
  while (!rest.empty() && wait_for(destination_.ref(), POLLOUT, stop_.reader)) {
    const auto sent = ::write(destination_.ref().number(), rest.data(), rest.size());
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (sent < 0) break;
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  destination_ = Descriptor{};
}

}  // namespace headrace::testing
