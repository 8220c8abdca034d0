#include "headrace/body.hpp"

#include <algorithm>

namespace headrace {

Body body_of(DescriptorRef source, std::optional<Bytes> offset, std::optional<Bytes> length) {
  return {.pieces = {Piece{.source = Plain{source}, .offset = offset, .length = length}},
          .limit = {},
          .rate = {},
          .observers = {}};
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

}  // namespace headrace
