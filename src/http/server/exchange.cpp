#include "http/server/exchange.hpp"

namespace headrace::http::server {

AccessRecord record_of(const Exchange& exchange, std::string_view peer) {
  const RequestHead& head = exchange.request.head;
  const std::chrono::duration<double> elapsed = net::Clock::now() - exchange.start;
  return {.time = exchange.time,
          .peer = peer,
          .method = head.method,
          .target = head.target,
          .version = head.minor_version == 0 ? "HTTP/1.0" : "HTTP/1.1",
          .status = exchange.status,
          .bytes = exchange.bytes,
          .head_bytes = exchange.head_bytes,
          .received = exchange.received,
          .seconds = elapsed.count(),
          .path = exchange.path,
          .refusal = exchange.refusal,
          .referer = find(head.fields, "Referer").value_or(""),
          .user_agent = find(head.fields, "User-Agent").value_or("")};
}

}  // namespace headrace::http::server
