#include "http/server/listeners.hpp"

#include <sys/socket.h>

#include "http/server/connection.hpp"
#include "http/server/turning_away.hpp"
#include "net/accept.hpp"
#include "probe/local.hpp"
#include "sys/socket.hpp"

namespace headrace::http::server {
namespace {

// In one call; the others of this loop wait meanwhile, and other loops may take the next.
constexpr int most_in_a_row = 16;

constexpr std::string_view default_host = "127.0.0.1";
constexpr std::string_view default_port = "8080";

std::vector<net::Address> addresses_of(const Configuration& configuration) {
  if (!configuration.listen.empty()) return configuration.listen;
  return {net::Address{.host = std::string(default_host), .port = std::string(default_port)}};
}

bool is_on_loopback(const net::Listener& listener) {
  const auto name = sys::getsockname(listener.socket.ref());
  const bool is_unix = name && name->storage.ss_family == AF_UNIX;
  return name && !is_unix && is_loopback(*name);
}

}  // namespace

Result<std::vector<Door>> open_doors(const Configuration& configuration) {
  std::vector<Door> doors;
  for (const net::Address& address : addresses_of(configuration)) {
    auto listener = net::listen(address, configuration.socket);
    if (!listener) return std::unexpected(listener.error());
    const bool loopback = is_on_loopback(*listener);
    doors.push_back({.listener = std::move(*listener), .loopback = loopback});
  }
  return doors;
}

Doorkeeper::Doorkeeper(Lane& lane, const Door& door)
    : lane_(lane), door_(door), pause_(lane.loop().timers(), [this] {
        if (!open()) pause_.set(lane_.loop().now() + pause);
      }) {}

Result<void> Doorkeeper::open() {
  auto watch = lane_.loop().watch(door_.listener.socket.ref(), EPOLLIN | EPOLLEXCLUSIVE, *this);
  if (!watch) return std::unexpected(watch.error());
  watch_ = std::move(*watch);
  return {};
}

void Doorkeeper::close() {
  // Not closed, since other loops still have its number; but who connects now is told at once.
  [[maybe_unused]] const auto ended = sys::shutdown(door_.listener.socket.ref(), SHUT_RDWR);
  watch_.forget();
  pause_.cancel();
}

void Doorkeeper::ready(std::uint32_t) {
  const auto& options = lane_.configuration().socket;
  for (int accepted = 0; accepted < most_in_a_row; ++accepted) {
    auto connection = net::accept(door_.listener, options, {}, std::chrono::milliseconds{0});
    if (connection) {
      welcome(std::move(*connection));
    } else if (connection.error().code == std::errc::timed_out) {
      return;
    } else if (connection.error().call == "accept4") {
      wait_a_little();
      return;
    }
  }
}

// Whoever is too many is told so, as long as that is no burden itself.
void Doorkeeper::welcome(net::Connection connection) {
  const Common& common = lane_.common();
  const bool full = common.connections >= common.most_connections;
  if (full && common.turned_away >= TurningAway::most) return;
  Connection& newcomer =
      lane_.adopt(std::make_unique<Connection>(lane_, std::move(connection), door_.loopback));
  std::unique_ptr<Activity> first;
  if (full) first = std::make_unique<TurningAway>(newcomer);
  if (!newcomer.start(std::move(first))) lane_.release(newcomer);
}

// Descriptors or memory are used up: a listener that stays watched would call for ever.
void Doorkeeper::wait_a_little() {
  watch_.forget();
  pause_.set(lane_.loop().now() + pause);
}

}  // namespace headrace::http::server
