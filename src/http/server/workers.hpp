#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "http/server/loop.hpp"

namespace headrace::http::server {

/// Threads for what may sleep on a disk. Signals sent to the process never reach them, SIGPIPE of
/// their own writes included.
class Workers {
 public:
  using Job = std::move_only_function<void()>;

  static Result<std::unique_ptr<Workers>> start(std::size_t threads);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  /// Finishes every job first, those that have not begun included: somebody waits for them on a
  /// disk (a rename, a removal). To be called before or after the loops are gone.
  ~Workers();

  /// Calls `job` on some thread, in the order of calling. From any thread.
  void run(Job job);

  /// Calls `work` on some thread, then `completion` with what it returned on the thread of `asker`.
  /// Where that loop is gone by then, `completion` is dropped uncalled.
  template <class Work, class Completion>
  void run(const Loop& asker, Work work, Completion completion) {
    run([mailbox = asker.mailbox(), work = std::move(work),
         completion = std::move(completion)]() mutable {
      if constexpr (std::is_void_v<std::invoke_result_t<Work&>>) {
        work();
        mailbox->post(std::move(completion));
      } else {
        mailbox->post([result = work(), completion = std::move(completion)]() mutable {
          completion(std::move(result));
        });
      }
    });
  }

 private:
  Workers() = default;
  void serve();

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Job> jobs_;
  bool finishing_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace headrace::http::server
