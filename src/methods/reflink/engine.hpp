#pragma once

#include "methods/support/job_engine.hpp"

namespace headrace {

/// One FICLONERANGE for the whole job: it is done or it is not.
class ReflinkEngine final : public JobEngine {
 public:
  explicit ReflinkEngine(const Job& job) : JobEngine(job) {}
  Progress advance(Bytes budget) override;
};

}  // namespace headrace
