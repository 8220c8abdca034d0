#pragma once

#include <array>

#include "methods/support/ends.hpp"
#include "methods/support/job_engine.hpp"
#include "methods/support/page_buffer.hpp"
#include "methods/support/transit_pipe.hpp"

namespace headrace {

/// Reads into one of two buffers, lends its pages to a pipe of ours and splices that into a file,
/// which copies them.
class VmspliceEngine final : public JobEngine {
 public:
  explicit VmspliceEngine(const Job& job)
      : JobEngine(job), reader_(job.source.descriptor, job.source_facts) {}
  Progress advance(Bytes budget) override;
  [[nodiscard]] std::vector<std::string> notes() const override;
  /// Read into our buffer, and copied from there into the file's pages.
  [[nodiscard]] std::optional<unsigned> copies_per_byte() const override { return 2; }

 private:
  enum class Step { moved, ended, stopped };
  bool set_up();
  Step fill(Bytes most);
  Step lend();
  Step drain();
  [[nodiscard]] std::size_t undelivered() const { return end_ - delivered_; }
  void count_stranded() { progress_.stranded = rewindable() ? 0 : undelivered(); }

  Reader reader_;
  std::optional<TransitPipe> pipe_;
  std::array<PageBuffer, 2> buffers_;
  std::size_t turn_ = 0;       // which of the two was read into last
  std::size_t size_ = 0;       // of each buffer
  std::size_t end_ = 0;        // that much was read into the buffer
  std::size_t lent_ = 0;       // of that, has been in the pipe
  std::size_t delivered_ = 0;  // of that, has reached the destination
};

}  // namespace headrace
