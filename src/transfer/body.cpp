#include "headrace/body.hpp"

#include <algorithm>

#include "headrace/plan.hpp"

namespace headrace {

Body body_of(DescriptorRef source, std::optional<Bytes> offset, std::optional<Bytes> length) {
  return {.pieces = {Piece{.source = Plain{source}, .offset = offset, .length = length}},
          .limit = {},
          .rate = {},
          .observers = {},
          .taps = {},
          .opaque = {}};
}

DescriptorRef descriptor_of(const Piece& piece) {
  const auto* const plain = std::get_if<Plain>(&piece.source);
  return plain != nullptr ? plain->descriptor : DescriptorRef{};
}

Body limited(Body body, Bytes bytes) {
  body.limit = std::min(body.limit.value_or(bytes), bytes);
  return body;
}

Body observed(Body body, Observer observer) {
  body.observers.push_back(std::move(observer));
  return body;
}

Body paced(Body body, Bytes bytes_per_second) {
  const Bytes rate = std::max(bytes_per_second, Bytes{1});
  body.rate = std::min(body.rate.value_or(rate), rate);
  return body;
}

Body hashed(Body body, Tap tap) {
  body.taps.push_back(std::move(tap));
  body.opaque = body_is_hashed;
  return body;
}

}  // namespace headrace
