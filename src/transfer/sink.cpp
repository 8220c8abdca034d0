#include "transfer/sink.hpp"

#include <utility>

#include "sys/files.hpp"
#include "transfer/extents.hpp"
#include "transfer/hole.hpp"
#include "transfer/shared_extents.hpp"

namespace headrace {

Sink::Sink(Plain destination, const Facts& facts, const Options& options)
    : file_(destination.descriptor),
      facts_(facts),
      options_(options),
      reservation_(destination.descriptor, facts, options.reserve) {}

Result<void> Sink::empty(Bytes kept) {
  const bool wanted = options_.truncate && facts_.kind == Kind::regular;
  if (std::exchange(emptied_, true) || !wanted) return {};
  return sys::ftruncate(file_, facts_.position + kept);
}

bool Sink::may_leave_holes(const Job& job) const {
  return options_.sparse != Sparse::never && may_have_holes(job.source_facts) && job.offset &&
         job.bytes && facts_.kind == Kind::regular && !facts_.appends && job.tap == nullptr;
}

Result<bool> Sink::leave_hole(Bytes bytes) {
  auto made = make_hole(file_, bytes);
  if (made && *made) holes_ += bytes;
  return made;
}

Bytes Sink::block_start(const Job& job, Bytes done) const {
  constexpr Bytes block = 4096;  // of nearly every file system; elsewhere there are fewer holes
  return *job.offset + (block - (facts_.position + done) % block) % block;
}

Result<void> Sink::end(Bytes done) {
  if (done > 0) {
    if (const auto emptied = empty(done); !emptied) return emptied;
  }
  reservation_.trim();
  return holes_ > 0 ? end_file(file_) : Result<void>{};
}

std::optional<Bytes> Sink::shared(Bytes done) const {
  const bool may_share = facts_.may_clone && facts_.kind == Kind::regular && !facts_.appends;
  if (!may_share || done == 0) return std::nullopt;
  return shared_bytes(file_, facts_.position, done);
}

}  // namespace headrace
