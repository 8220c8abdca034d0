#pragma once

#include <optional>
#include <vector>

#include "headrace/body.hpp"
#include "headrace/report.hpp"
#include "transfer/source_state.hpp"

namespace headrace::http::client {

/// A body as a request sends it: its length is settled, and what can be is read by offset, so that
/// each attempt sends the same.
struct Outgoing {
  Body body;
  std::optional<Bytes> length;      ///< absent: it goes in chunks
  bool repeatable = true;           ///< can be sent again from its start
  std::vector<SourceState> before;  ///< of its descriptors, when the length was settled
  std::optional<Facts> source;      ///< of the first of them, likewise
};

/// Settles the length of `body`: what its files hold now, never more than its limit. An empty file
/// is read to be sure that it is.
/// Errors: of probing; Fault::length_unknown where only one of several pieces has no known length.
Result<Outgoing> outgoing_of(Body body);

/// What has happened to the sources since then; absent: nothing that shows. Errors: fstat(2).
Result<std::optional<Change>> changed_since(const Outgoing& outgoing);

}  // namespace headrace::http::client
