#pragma once

#include "methods/mmap_read/room.hpp"
#include "methods/support/ends.hpp"
#include "methods/support/job_engine.hpp"
#include "methods/support/window.hpp"

namespace headrace {

/// Reads straight into a mapping of the destination, window by window.
class MmapReadEngine final : public JobEngine {
 public:
  explicit MmapReadEngine(const Job& job);
  MmapReadEngine(const MmapReadEngine&) = delete;
  MmapReadEngine& operator=(const MmapReadEngine&) = delete;
  ~MmapReadEngine() override;
  Progress advance(Bytes budget) override;
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] std::optional<unsigned> copies_per_byte() const override { return 1; }

 private:
  enum class Step { moved, ended, stopped };
  void run(Bytes budget);
  void settle();
  bool ask_position();
  bool map();
  Result<Bytes> make_room();
  Step fill(Bytes most);
  bool arrived(std::size_t count);
  [[nodiscard]] Error why_missing(const Error& error, Bytes end) const;
  [[nodiscard]] Bytes position() const { return *start_ + progress_.moved; }

  Reader reader_;
  Room room_;
  Bytes window_size_;
  Window window_;
  std::optional<Bytes> start_;  // where the destination stood at first
};

}  // namespace headrace
