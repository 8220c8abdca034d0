#pragma once

#include <sys/resource.h>

namespace headrace {

/// CPU seconds of the calling thread since construction; getrusage(2) RUSAGE_THREAD.
class CpuMeter {
 public:
  CpuMeter() { ::getrusage(RUSAGE_THREAD, &start_); }
  struct Spent {
    double user = 0;
    double system = 0;
  };
  [[nodiscard]] Spent spent() const {
    rusage now{};
    ::getrusage(RUSAGE_THREAD, &now);
    return {.user = seconds(now.ru_utime) - seconds(start_.ru_utime),
            .system = seconds(now.ru_stime) - seconds(start_.ru_stime)};
  }

 private:
  static double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  rusage start_{};
};

}  // namespace headrace
