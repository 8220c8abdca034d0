#pragma once

#include <vector>

#include "methods/send_zerocopy/send_ledger.hpp"
#include "methods/support/ends.hpp"
#include "methods/support/job_engine.hpp"
#include "methods/support/page_buffer.hpp"

namespace headrace {

/// Reads into pages of ours and lets TCP send from them; none is read into again before the kernel
/// says that it has done with it. It is over when the kernel has done with all of them.
class SendZerocopyEngine final : public JobEngine {
 public:
  explicit SendZerocopyEngine(const Job& job);
  SendZerocopyEngine(const SendZerocopyEngine&) = delete;
  SendZerocopyEngine& operator=(const SendZerocopyEngine&) = delete;
  ~SendZerocopyEngine() override;
  Progress advance(Bytes budget) override;
  [[nodiscard]] std::vector<std::string> notes() const override;
  /// Into our buffer, and once more where the kernel said that it had to copy.
  [[nodiscard]] std::optional<unsigned> copies_per_byte() const override;

 private:
  enum class Step { moved, ended, stopped };
  bool set_up();
  void put_option_back();
  Progress turn(Bytes budget);
  Step fill(Bytes most);
  bool take_free_buffer();
  Step send();
  Result<std::size_t> send_copied(std::span<const std::byte> bytes);
  bool collect();
  Progress await_completions();
  [[nodiscard]] std::size_t unsent() const { return end_ - begin_; }
  void count_stranded() { progress_.stranded = rewindable() ? 0 : unsent(); }
  [[nodiscard]] DescriptorRef socket() const { return job_.destination.descriptor; }

  Reader reader_;
  std::size_t size_;     // of each buffer
  std::size_t most_;     // buffers at once
  bool is_set_ = false;  // SO_ZEROCOPY, by us
  std::vector<PageBuffer> buffers_;
  SendLedger ledger_;
  SendLedger::Sum plain_;    // sent without MSG_ZEROCOPY
  std::size_t current_ = 0;  // which buffer is being sent
  std::size_t begin_ = 0;    // of it, [begin_, end_) was read and is not sent yet
  std::size_t end_ = 0;
  std::optional<Progress> verdict_;  // how it ends once the kernel has done with our pages
};

}  // namespace headrace
