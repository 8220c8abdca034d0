#pragma once

#include <optional>

#include "checked/body_hash.hpp"
#include "checked/frames.hpp"
#include "checked/line.hpp"
#include "headrace/transfer.hpp"

namespace headrace::checked {

/// The receiving side of docs/checked.md over one connected stream socket, in three steps: `meet`,
/// `take`, and, when the caller has put the content in place (or could not), `answer`.
///
/// Borrows the socket and `options`, whose wishes, bounds and stop hold for all three.
class Reception {
 public:
  Reception(DescriptorRef socket, const Facts& facts, const Options& options);

  /// Greets and reads the header. Where that fails the peer is told, by an answer or a reset.
  Result<Header> meet();
  /// Moves the body into `destination` and compares: `complete` when all came and is right,
  /// `mismatched` when it is not. `body` carries the rate and the observers; its one piece is the
  /// socket. `again`: the destination is a new file that can be read again; else the bytes are
  /// hashed as they pass. Options as for transfer(), with the destination's own.
  Result<Report> take(Body body, Plain destination, const Options& options, bool again);
  /// Tells the sender what became of it, as the report has it, and lets it hear that.
  void answer(Report& report);
  /// The same where nothing was taken: `error` is why.
  void decline(const Error& error);

 private:
  void compare(const Hashed& hashed, Report& report);
  Result<bool> is_right(const Hashed& hashed, Report& report);
  Result<Trailer> read_end();
  void say(const Answer& answer);

  DescriptorRef socket_;
  const Options& options_;
  Line line_;
  Header header_;
  Answer reply_;
};

}  // namespace headrace::checked
