#include "methods/support/transit_pipe.hpp"

#include <fcntl.h>

#include <algorithm>
#include <climits>

#include "sys/splice.hpp"

namespace headrace {

Result<TransitPipe> TransitPipe::open(Bytes capacity) {
  auto ends = sys::pipe2(O_CLOEXEC | O_NONBLOCK);
  if (!ends) return std::unexpected(ends.error());
  const DescriptorRef writer = ends->writer.ref();
  // /proc/sys/fs/pipe-max-size bounds an ordinary user, and past the limit of all his pipes he is
  // refused with EPERM and keeps what he has.
  auto given = sys::set_pipe_capacity(writer, std::min<Bytes>(capacity, INT_MAX));
  const auto refusal = given ? std::nullopt : std::optional{given.error()};
  if (!given && capacity > mebibyte) given = sys::set_pipe_capacity(writer, mebibyte);
  if (!given) given = sys::pipe_capacity(writer);
  TransitPipe pipe{std::move(*ends), capacity, given.value_or(0)};
  pipe.refusal_ = refusal;
  return pipe;
}

Result<std::size_t> TransitPipe::fill(DescriptorRef source, std::optional<Bytes> offset,
                                      std::size_t bytes) {
  auto step = sys::splice(source, offset, ends_.writer.ref(), bytes, SPLICE_F_NONBLOCK);
  count_filled(step, bytes);
  return step;
}

void TransitPipe::count_filled(const Result<std::size_t>& step, std::size_t bytes) {
  if (step && *step <= bytes) held_ += *step;  // more than was asked for cannot be true
}

Result<std::size_t> TransitPipe::drain(DescriptorRef destination, unsigned flags) {
  auto step = sys::splice(ends_.reader.ref(), std::nullopt, destination,
                          static_cast<std::size_t>(held_), SPLICE_F_NONBLOCK | flags);
  if (step) held_ -= std::min<Bytes>(*step, held_);
  return step;
}

std::vector<std::string> TransitPipe::notes() const {
  if (capacity_ >= asked_) return {};
  std::string note =
      "pipe of " + std::to_string(capacity_) + " bytes, " + std::to_string(asked_) + " refused";
  if (refusal_) note += ": " + refusal_->code.message();
  return {std::move(note)};
}

}  // namespace headrace
