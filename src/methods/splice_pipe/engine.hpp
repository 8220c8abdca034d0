#pragma once

#include "methods/support/job_engine.hpp"
#include "methods/support/transit_pipe.hpp"

namespace headrace {

/// Source to a pipe of ours, the pipe to the destination, in turns.
class SplicePipeEngine final : public JobEngine {
 public:
  explicit SplicePipeEngine(const Job& job) : JobEngine(job) {}
  Progress advance(Bytes budget) override;
  [[nodiscard]] std::vector<std::string> notes() const override;

 private:
  enum class Step { moved, ended, stopped };
  Step fill(Bytes most);
  Step drain();
  void count_stranded();

  std::optional<TransitPipe> pipe_;
};

}  // namespace headrace
