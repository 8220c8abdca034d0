#include "transfer/part.hpp"

#include <algorithm>

namespace headrace {

std::optional<Bytes> least(std::optional<Bytes> one, std::optional<Bytes> other) {
  if (!one) return other;
  if (!other) return one;
  return std::min(*one, *other);
}

Part part_of(const Piece& piece, Plain destination, const Facts& source,
             const Facts& destination_facts, const Options& options) {
  Part part;
  part.moves_position = !piece.offset && source.seekable;
  std::optional<Bytes> offset = piece.offset;
  if (part.moves_position) offset = source.position;
  std::optional<Bytes> bytes = piece.length;
  if (size_is_known(source)) {
    const Bytes start = offset.value_or(0);
    const Bytes there = source.size > start ? source.size - start : 0;
    part.promised = true;
    if (bytes && *bytes > there) part.missing = *bytes - there;
    bytes = least(bytes, there);
    part.end = start + *bytes;
  }
  part.job = {.source = Plain{descriptor_of(piece)},
              .destination = destination,
              .source_facts = source,
              .destination_facts = destination_facts,
              .offset = offset,
              .bytes = bytes,
              .buffer = options.wishes.buffer,
              .stop = options.stop.requested};
  return part;
}

// At an offset, since what was taken can be had again.
Part part_of(Memory memory, Plain destination, const Facts& destination_facts,
             const Options& options) {
  Part part;
  part.job = {.source = {},
              .destination = destination,
              .source_facts = {},
              .destination_facts = destination_facts,
              .offset = 0,
              .bytes = memory.bytes.size(),
              .buffer = {},
              .stop = options.stop.requested};
  return part;
}

}  // namespace headrace
