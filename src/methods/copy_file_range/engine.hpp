#pragma once

#include "methods/support/job_engine.hpp"

namespace headrace {

/// A copy within the kernel, or within the file server; the file system may share extents instead.
class CopyFileRangeEngine final : public JobEngine {
 public:
  explicit CopyFileRangeEngine(const Job& job) : JobEngine(job) {}
  Progress advance(Bytes budget) override;
  [[nodiscard]] std::vector<std::string> notes() const override;
};

}  // namespace headrace
