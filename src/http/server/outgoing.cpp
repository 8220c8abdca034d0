#include "http/server/outgoing.hpp"

#include <algorithm>
#include <span>

namespace headrace::http::server {

void count_answer(Exchange& exchange, std::size_t head, std::size_t before, std::size_t sent) {
  const std::size_t of_head = std::min(head - std::min(head, before), sent);
  exchange.head_bytes += of_head;
  exchange.bytes += sent - of_head;
}

Step Outgoing::advance(Wire& wire, Exchange& exchange) {
  const auto rest = std::as_bytes(std::span(bytes_)).subspan(sent_);
  const auto sent = wire.send(rest);
  if (!sent) return Step::broken;
  count_answer(exchange, head_, sent_, *sent);
  sent_ += *sent;
  return sent_ == bytes_.size() ? Step::answered : Step::waits;
}

}  // namespace headrace::http::server
