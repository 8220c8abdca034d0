#pragma once

#include "headrace/transfer.hpp"

namespace headrace {

/// One piece of a body as a job: where it starts, how long it is, what is known of its ends.
struct Part {
  Job job;
  bool promised = false;        // the length is the source's own: fewer bytes mean it changed
  bool moves_position = false;  // the source's position follows when it is over
  Bytes missing = 0;            // asked for, but behind the source's end
  Bytes end = 0;                // of what is promised: where it ends in the source
};

/// The smaller of two bounds; an absent one is none.
std::optional<Bytes> least(std::optional<Bytes> one, std::optional<Bytes> other);

/// Pure: everything is read off the piece and the facts.
Part part_of(const Piece& piece, Plain destination, const Facts& source,
             const Facts& destination_facts, const Options& options);
/// The same of a piece of memory.
Part part_of(Memory memory, Plain destination, const Facts& destination_facts,
             const Options& options);

}  // namespace headrace
