#pragma once

#include "methods/support/job_engine.hpp"

namespace headrace {

/// One splice(2) a step: one of the two ends is a pipe already.
class SpliceEngine final : public JobEngine {
 public:
  explicit SpliceEngine(const Job& job) : JobEngine(job) {}
  Progress advance(Bytes budget) override;
};

}  // namespace headrace
