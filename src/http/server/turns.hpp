#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace::http::server {

class Turns;

/// What a loop calls. Belongs to the loop's thread. Destroying one, in a call to it or to another,
/// takes it out of the queue of turns; what it watches it forgets by its `Watch` members.
class Handler {
 public:
  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  virtual ~Handler();

  /// Something watched has epoll(7) `events`: EPOLLIN, EPOLLOUT..., always EPOLLERR and EPOLLHUP.
  virtual void ready(std::uint32_t events) = 0;
  /// The turn that `Loop::again` was asked for.
  virtual void turn() {}

 private:
  friend class Turns;
  void leave();

  Turns* queue_ = nullptr;  // that it stands in
  Handler* before_ = nullptr;
  Handler* behind_ = nullptr;
};

/// Handlers that wait for a turn, first come, first served; each stands in it once. Allocates
/// nothing.
class Turns {
 public:
  Turns() = default;
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  ~Turns();

  void add(Handler& handler);
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Gives a turn to those that stand here now, at most `most` of them. Who asks again meanwhile
  /// stands behind all others.
  void run(std::size_t most);

 private:
  friend class Handler;

  Handler* first_ = nullptr;
  Handler* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace headrace::http::server
