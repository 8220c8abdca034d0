// loops asio|epoll COUNT
//
// What does an event loop cost? One thread answers each arrival on a kept connection with the same
// prepared 1 KiB answer, nothing is parsed: by Boost.Asio's readiness (async_wait on the native
// descriptor) or by epoll itself. Says "listening on ADDRESS", answers COUNT requests, then prints
// the CPU seconds of each.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace {

std::string answer() {
  return "HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n" + std::string(1024, 'x');
}

/// Counts down; at the end the process says what it used.
class Tally {
 public:
  explicit Tally(long count) : left_(count), count_(count) {}
  void one() {
    if (--left_ > 0) return;
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    std::printf("%.3f us of CPU a request\n", (seconds(usage.ru_utime) + seconds(usage.ru_stime)) *
                                                  1e6 / static_cast<double>(count_));
    std::fflush(stdout);
    std::_Exit(0);
  }

 private:
  long left_;
  long count_;
};

/// One arrival, one answer. False: the peer has gone.
bool exchange(int socket, const std::string& text, Tally& tally) {
  std::array<char, 4096> request{};
  const ssize_t got = ::recv(socket, request.data(), request.size(), MSG_DONTWAIT);
  if (got <= 0) return got < 0 && errno == EAGAIN;
  if (::send(socket, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL) < 0) return false;
  tally.one();
  return true;
}

int listener() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), length);
  ::listen(socket, 1024);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length);
  std::printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  return socket;
}

int accepted(int from) {
  const int socket = ::accept4(from, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  const int on = 1;
  if (socket >= 0) ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return socket;
}

void by_epoll(Tally tally) {
  const std::string text = answer();
  const int from = listener();
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  const auto watch = [&](int descriptor) {
    epoll_event event{.events = EPOLLIN, .data = {.fd = descriptor}};
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
  };
  watch(from);
  std::array<epoll_event, 64> events{};
  for (;;) {
    const int count = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int descriptor = events.at(static_cast<std::size_t>(i)).data.fd;
      if (descriptor == from) {
        watch(accepted(from));
      } else if (!exchange(descriptor, text, tally)) {
        ::close(descriptor);
      }
    }
  }
}

using Socket = boost::asio::posix::stream_descriptor;

void serve(const std::shared_ptr<Socket>& socket, const std::string& text, Tally& tally) {
  socket->async_wait(Socket::wait_read, [&, socket](const boost::system::error_code& error) {
    if (!error && exchange(socket->native_handle(), text, tally)) serve(socket, text, tally);
  });
}

void accept(Socket& from, const std::string& text, Tally& tally) {
  from.async_wait(Socket::wait_read, [&](const boost::system::error_code&) {
    serve(std::make_shared<Socket>(from.get_executor(), accepted(from.native_handle())), text,
          tally);
    accept(from, text, tally);
  });
}

void by_asio(Tally tally) {
  const std::string text = answer();
  boost::asio::io_context context{1};
  Socket from{context, listener()};
  accept(from, text, tally);
  context.run();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view which = argc == 3 ? argv[1] : "";
  const Tally tally{argc == 3 ? std::atol(argv[2]) : 0};
  if (which == "epoll") by_epoll(tally);
  if (which == "asio") by_asio(tally);
  std::fputs("usage: loops asio|epoll COUNT\n", stderr);
  return 2;
}
