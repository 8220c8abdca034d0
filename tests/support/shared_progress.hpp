#pragma once

#include <sys/mman.h>

#include <functional>
#include <new>

#include "headrace/method.hpp"
#include "support/must.hpp"

namespace headrace::testing {

/// What a child leaves in memory that it shares with its parent: how its engine's turn ended.
class SharedProgress {
 public:
  SharedProgress()
      : memory_(::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    must(memory_ == MAP_FAILED ? -1 : 0, "mmap");
    new (memory_) Progress;
  }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;
  ~SharedProgress() { ::munmap(memory_, sizeof(Progress)); }
  Progress& operator*() const { return *static_cast<Progress*>(memory_); }
  Progress* operator->() const { return static_cast<Progress*>(memory_); }

  /// For the child: keeps how the turn ended; its status is 0.
  int keep(const Progress& progress) const {
    **this = progress;
    return 0;
  }

 private:
  void* memory_;
};

inline int errno_of(const Progress& progress) {
  return progress.error ? progress.error->code.value() : 0;
}

}  // namespace headrace::testing
