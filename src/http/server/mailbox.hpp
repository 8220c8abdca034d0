#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "headrace/descriptor.hpp"

namespace headrace::http::server {

/// Functions for a loop, from any thread. Outlives the loop in the hands of whoever may still post.
class Mailbox {
 public:
  using Letter = std::move_only_function<void()>;

  static Result<std::shared_ptr<Mailbox>> open();

  /// Its loop will call `letter` on its own thread, in the order of posting. Where the loop has
  /// gone, `letter` is destroyed uncalled, on this thread, and the answer is false.
  bool post(Letter letter);

  /// Wakes the loop. Safe from a signal handler.
  void ring() noexcept;

 private:
  friend class Loop;
  explicit Mailbox(Descriptor bell) : bell_(std::move(bell)) {}

  [[nodiscard]] DescriptorRef bell() const { return bell_.ref(); }
  void silence();  // before `take`, so that no letter is overlooked
  std::vector<Letter> take();
  void close();

  Descriptor bell_;  // an eventfd
  std::mutex mutex_;
  std::vector<Letter> letters_;
  bool closed_ = false;
};

}  // namespace headrace::http::server
