#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "hash/hash.hpp"
#include "headrace/transfer.hpp"

namespace headrace::checked {

/// What was hashed, and what that took.
struct Hashed {
  Digest digest;
  Bytes bytes = 0;
  double seconds = 0;  ///< reading and hashing, waits left out
  double cpu_user = 0;
  double cpu_system = 0;
  bool reread = false;
  std::optional<Error> error;
};

/// Hashes a range of a file while the kernel moves it: a thread of its own follows the transfer and
/// reads what has moved, so that it comes from the page cache. Only pread(2), so that no position
/// moves. Borrows the file.
class SecondRead {
 public:
  /// Error: "pthread_create", where there may be no more threads.
  static Result<std::unique_ptr<SecondRead>> begin(DescriptorRef file, Bytes start,
                                                   const Stop& stop);
  SecondRead(const SecondRead&) = delete;
  SecondRead& operator=(const SecondRead&) = delete;
  ~SecondRead() { end_at(0); }

  /// So many bytes of the range have moved and may be read. Never fewer than before.
  void moved(Bytes bytes);
  /// `bytes` have moved in all: waits until they are hashed. Fewer are hashed where the file has no
  /// more. To be called once.
  Hashed finish(Bytes bytes);

 private:
  SecondRead(DescriptorRef file, Bytes start, const Stop& stop);
  void run();
  bool wait_for_more();
  bool read_on();
  void end_at(Bytes bytes);

  DescriptorRef file_;
  Bytes start_;
  Stop stop_;
  std::mutex mutex_;
  std::condition_variable more_;
  Bytes moved_ = 0;    // under the mutex
  bool over_ = false;  // likewise: no more will move
  Bytes until_ = 0;    // the thread's own copy of `moved_`
  Hash hash_;
  Hashed hashed_;
  std::unique_ptr<std::byte[]> buffer_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace headrace::checked
