#pragma once

#include <memory>
#include <vector>

#include "http/server/lane.hpp"
#include "http/server/listeners.hpp"
#include "http/server/loop.hpp"

namespace headrace::http::server {

/// One loop with all that belongs to it; its `run` is one thread's work.
class Crew {
 public:
  /// Borrows both. Watches the doors from now on.
  static Result<std::unique_ptr<Crew>> gather(Common& common, const std::vector<Door>& doors);

  Result<void> run() { return loop_->run(); }
  /// From any thread.
  void drain();
  void stop() { loop_->stop(); }

 private:
  Crew(Common& common, std::unique_ptr<Loop> loop)
      : loop_(std::move(loop)), lane_(common, *loop_) {}

  std::unique_ptr<Loop> loop_;
  Lane lane_;
  std::vector<std::unique_ptr<Doorkeeper>> doorkeepers_;
};

}  // namespace headrace::http::server
