#include "http/server/file_body.hpp"

#include <algorithm>

namespace headrace::http::server {
namespace {

Piece piece_of(DescriptorRef file, Bytes offset, Bytes length) {
  return {.source = Plain{file}, .offset = offset, .length = length};
}

Piece piece_of(const std::string& text) {
  return {.source = Memory{std::as_bytes(std::span(text))},
          .offset = {},
          .length = {},
          .excepted = true};
}

Bytes length_of(const Piece& piece) {
  const auto* const memory = std::get_if<Memory>(&piece.source);
  return memory != nullptr ? memory->bytes.size() : piece.length.value_or(0);
}

}  // namespace

Body body_of(const Answer& answer, DescriptorRef file) {
  Body body;
  if (answer.ranges.empty()) body.pieces.push_back(piece_of(file, 0, answer.length));
  for (std::size_t index = 0; index < answer.ranges.size(); ++index) {
    const Range& range = answer.ranges[index];
    if (!answer.part_heads.empty()) body.pieces.push_back(piece_of(answer.part_heads[index]));
    body.pieces.push_back(piece_of(file, range.first, length(range)));
  }
  if (!answer.part_heads.empty()) body.pieces.push_back(piece_of(answer.part_heads.back()));
  return body;
}

Stretch next_stretch(const Body& body, Bytes done, Bytes most) {
  Bytes start = 0;
  for (const Piece& piece : body.pieces) {
    const Bytes length = length_of(piece);
    const Bytes skipped = std::min(done - std::min(done, start), length);
    const bool is_next = skipped < length && piece.offset;
    if (is_next) return {*piece.offset + skipped, std::min(most, length - skipped)};
    start += length;
  }
  return {};
}

}  // namespace headrace::http::server
