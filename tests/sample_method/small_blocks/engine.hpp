#pragma once

#include <array>
#include <span>

#include "methods/support/job_engine.hpp"

namespace headrace {

/// Reads a block, writes it, and keeps what the destination did not take for its next turn.
class SmallBlocksEngine final : public JobEngine {
 public:
  explicit SmallBlocksEngine(const Job& job) : JobEngine(job) {}
  Progress advance(Bytes budget) override;

 private:
  Result<std::size_t> read_block();
  void count_stranded();

  // One page: small on purpose, so that even a short file takes several rounds.
  std::array<std::byte, 4 * kibibyte> block_{};
  std::span<const std::byte> pending_;  // read and not yet written
};

}  // namespace headrace
