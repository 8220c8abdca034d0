#pragma once

#include "methods/support/job_engine.hpp"

namespace headrace {

/// As few and as large calls as the kernel takes.
class SendfileEngine final : public JobEngine {
 public:
  explicit SendfileEngine(const Job& job) : JobEngine(job) {}
  Progress advance(Bytes budget) override;
};

}  // namespace headrace
