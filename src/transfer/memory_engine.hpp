#pragma once

#include "headrace/body.hpp"
#include "methods/support/ends.hpp"
#include "methods/support/job_engine.hpp"

namespace headrace {

/// Bytes that are in our memory already, written to any destination.
class MemoryEngine final : public JobEngine {
 public:
  MemoryEngine(Memory memory, const Job& job);
  Progress advance(Bytes budget) override;
  /// Out of the memory.
  [[nodiscard]] std::optional<unsigned> copies_per_byte() const override { return 1; }

 private:
  Memory memory_;
  Writer writer_;
};

/// What the legs of pieces of memory are called. Not in the list of methods: it has no source that
/// it could be chosen for.
inline constexpr Method memory_method{
    .name = "memory",
    .path_class = PathClass::user,
    .summary = "bytes that are in our memory already",
    .shows_bytes = true,
    .sends_head = true,
    .refuse = [](const Facts&, const Facts&, const Wishes&) { return std::optional<Reason>{}; },
    .rank = [](const Facts&, const Facts&) { return 0; }};

}  // namespace headrace
