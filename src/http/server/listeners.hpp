#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "http/server/lane.hpp"
#include "net/listen.hpp"

namespace headrace::http::server {

/// A listening socket of the server, shared by its loops.
struct Door {
  net::Listener listener;
  bool loopback = false;  ///< its address is one of the loopback ones
};

/// Listens on every address of the configuration, or on none. Errors: net::listen's.
Result<std::vector<Door>> open_doors(const Configuration& configuration);

/// Accepts connections for one lane from one door: the loop that is free takes the next.
class Doorkeeper final : public Handler {
 public:
  /// A loop that finds no descriptor free does not look again before.
  static constexpr std::chrono::milliseconds pause{100};

  Doorkeeper(Lane& lane, const Door& door);

  Result<void> open();
  /// Accepts no more.
  void close();

  void ready(std::uint32_t events) override;

 private:
  void welcome(net::Connection connection);
  void wait_a_little();

  Lane& lane_;
  const Door& door_;
  Timer pause_;
  Watch watch_;
};

}  // namespace headrace::http::server
