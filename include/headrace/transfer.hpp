#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

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

/// Space reserved in a regular file before bytes are written, without changing its size
/// (FALLOC_FL_KEEP_SIZE); what was not written is given back when the transfer ends.
enum class Reserve {
  nothing,
  ahead,     ///< 64 MiB ahead of the bytes moved, once the first 4 MiB have come: unknown lengths
  whole,     ///< all of the expected length at once
  required,  ///< as `whole`, and a failure of it is one of the transfer before a byte is moved
};

/// `whole` or `ahead` where a measurement shows that it gains, else `nothing`: on ext4 a copy of
/// 256 MiB takes 0.78 of the time with it; on tmpfs it costs memory and time, on xfs and btrfs it
/// gains nothing (docs/measurements/copy-paths.md). Pure.
Reserve best_reserve(const Facts& destination, bool length_known);

/// What becomes of holes where a file is copied into a regular file.
enum class Sparse {
  never,      ///< read as the zeros they stand for, and written
  automatic,  ///< the source's holes stay holes (SEEK_DATA, SEEK_HOLE)
  always,     ///< and blocks of zeros become holes too; each is read to find out
};

/// What becomes of bytes that the peer of a destination socket sends back meanwhile.
enum class Replies {
  ignored,  ///< they wait in the socket
  /// Read and thrown away. Without that a peer that answers while it reads (an echo server) and we
  /// end up waiting for each other.
  discarded,
  /// They wait in the socket, and the transfer ends there: Outcome::answered_early. Looked at
  /// between turns, while waiting, and where the peer breaks the connection.
  end_it,
};

/// What the bytes themselves do not say about a transfer.
struct Options {
  Wishes wishes;
  Contract fallback_contract = Contract::live;
  std::optional<std::chrono::milliseconds> idle_timeout;  ///< longest silence; absent: none
  Reserve reserve = Reserve::nothing;
  Sparse sparse = Sparse::never;
  bool truncate =
      false;  ///< a regular destination is emptied once a method stands ready, not before
  Replies replies = Replies::ignored;
  /// Bytes that go before the first of the body and belong to none (`Report::head_bytes`), in one
  /// call with the first ones where the body is copied. Borrowed. For sockets; nothing of it is
  /// sent before a method stands ready.
  std::span<const std::byte> head;
  /// A body of known length up to this, to a socket, is copied where nothing else is asked for
  /// (method, class, contract): one call sends it with its head, and it is `stable`. 0: none is.
  Bytes copy_limit = 0;
  Stop stop;
  std::string source_name;  ///< for messages
  /// Where the source was found; under `guarded` the path must still lead to it at the end. Empty:
  /// it has none that matters.
  std::string source_path;
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
