#pragma once

#include "methods/support/ends.hpp"
#include "methods/support/job_engine.hpp"
#include "methods/support/window.hpp"

namespace headrace {

/// Writes from a mapping of the source, window by window. Only write(2) looks at the mapped bytes.
class MmapWriteEngine final : public JobEngine {
 public:
  explicit MmapWriteEngine(const Job& job);
  Progress advance(Bytes budget) override;
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] std::optional<unsigned> copies_per_byte() const override { return 1; }

 private:
  // These say whether the turn goes on; if not, `progress_` tells why.
  bool ask_size();
  bool map();
  bool write_some(Bytes most);
  bool accept(std::size_t count, std::size_t asked);
  bool stop_or_shorten(const Error& error, Bytes end);

  Writer writer_;
  Bytes window_size_;
  Window window_;
  Bytes size_ = 0;            // of the source, when last asked
  Bytes behind_the_end_ = 0;  // zeros that were written from behind the end of the source
};

}  // namespace headrace
