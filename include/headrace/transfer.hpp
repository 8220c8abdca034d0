#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "headrace/body.hpp"
#include "headrace/plan.hpp"
#include "headrace/report.hpp"

namespace headrace {

/// How a transfer is stopped from outside: a flag, and a descriptor that becomes readable when the
/// flag is set, so that a wait ends at once. Set the flag first. Safe from a signal handler.
struct Stop {
  const std::atomic<bool>* requested = nullptr;  ///< null: cannot be stopped
  DescriptorRef wake;                            ///< e.g. an eventfd; none: looked at between turns
};

/// Space reserved in a regular file before bytes are written, always beyond its size
/// (FALLOC_FL_KEEP_SIZE) and trimmed when the transfer ends.
enum class Reserve {
  nothing,
  ahead,  ///< 64 MiB ahead of the bytes moved: for unknown lengths
  whole,  ///< all of the expected length at once
};

/// `whole` where a measurement shows it ahead for a copy of known length, else `nothing`: on ext4 a
/// 256 MiB copy takes 0.78 of the time with it, on tmpfs, xfs and btrfs it gains nothing
/// (docs/measurements/copy-paths.md). Pure.
Reserve best_reserve(const Facts& destination);

/// What the bytes themselves do not say about a transfer.
struct Options {
  Wishes wishes;
  Contract fallback_contract = Contract::live;
  std::optional<std::chrono::milliseconds> idle_timeout;  ///< longest silence; absent: none
  Reserve reserve = Reserve::nothing;
  bool truncate =
      false;  ///< a regular destination is emptied once a method stands ready, not before
  Stop stop;
  std::string source_name;  ///< for messages
  std::string destination_name;
};

/// Moves `body` to `destination` and says how.
///
/// Returns an `Error` only where nothing could be started (a descriptor that cannot be probed);
/// after that the answer is a `Report`, whose `outcome` and last leg tell a failure with its exact
/// counts. Waits for peers with poll(2). Ownership: borrows all descriptors until it returns;
/// changes no flag of any. SIGPIPE is masked on the calling thread meanwhile, and one that the
/// transfer itself caused is taken. Threads: any; one transfer per descriptor at a time.
Result<Report> transfer(const Body& body, Plain destination, const Options& options = {});

}  // namespace headrace
