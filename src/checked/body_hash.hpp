#pragma once

#include <memory>

#include "checked/second_read.hpp"
#include "headrace/transfer.hpp"

namespace headrace::checked {

/// A file whose bytes can be read a second time: the source of a sender, the destination of a
/// receiver.
struct Readable {
  DescriptorRef file;
  Bytes start = 0;
};

/// Moves a body whose bytes are hashed meanwhile, by the cheapest way that leaves the kernel path
/// alone: where the first method of the plan shows the bytes to us anyway, or they cannot be read
/// again (or not as they were sent: `stable`), as they pass; else by a second read beside it.
/// Where there is no thread for that, as they pass.
struct Moved {
  Report report;
  Hashed hashed;
};
Result<Moved> move_hashed(Body body, Plain destination, const Options& options,
                          const std::optional<Readable>& again);

/// The report says what was hashed, by which way and at what cost.
void add_check(const Hashed& hashed, Report& report);

}  // namespace headrace::checked
