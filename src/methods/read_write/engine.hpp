#pragma once

#include <memory>

#include "methods/support/ends.hpp"
#include "methods/support/job_engine.hpp"

namespace headrace {

/// Through a buffer of ours: serves every pair, and is the measure for all the others.
class ReadWriteEngine final : public JobEngine {
 public:
  explicit ReadWriteEngine(const Job& job);
  Progress advance(Bytes budget) override;
  /// Out of the source into our buffer, and out of that.
  [[nodiscard]] std::optional<unsigned> copies_per_byte() const override { return 2; }

 private:
  enum class Step { moved, ended, stopped };
  Step fill(Bytes most);
  Step drain();
  void count_stranded();

  Reader reader_;
  Writer writer_;
  std::size_t capacity_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t begin_ = 0;  // buffer_[begin_, end_) was read and is not written yet
  std::size_t end_ = 0;
};

}  // namespace headrace
