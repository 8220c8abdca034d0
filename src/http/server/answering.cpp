#include "http/server/answering.hpp"

#include <algorithm>
#include <cstring>

#include "http/server/head_text.hpp"
#include "http/server/listing_answer.hpp"
#include "http/server/put_answer.hpp"
#include "http/server/send_file.hpp"

namespace headrace::http::server {
namespace {

/// The rest of an answer that the kernel did not take at once.
class Rest final : public Activity {
 public:
  Rest(Connection& connection, Outgoing outgoing)
      : connection_(connection), outgoing_(std::move(outgoing)) {}

  Step advance() override {
    if (!connection_.wire().writable) return Step::waits;
    return outgoing_.advance(connection_.wire(), connection_.exchange());
  }
  [[nodiscard]] Life life() const override { return connection_.wire().acknowledged(); }

 private:
  Connection& connection_;
  Outgoing outgoing_;
};

bool has_content(const Exchange& exchange, const Answer& answer) {
  return exchange.request.head.method != "HEAD" && answer.content != Answer::Content::none;
}

Step answer_found(Connection& connection, const Surroundings& surroundings) {
  const Request& request = connection.exchange().request;
  auto cached = connection.lane().files().find(request.target.path, connection.lane().wall_time());
  if (const auto* const absent = std::get_if<Absent>(&cached)) {
    return reply(connection, answer_get(request, *absent, surroundings));
  }
  if (auto* const directory = std::get_if<OpenDirectory>(&cached)) {
    const Answer answer = answer_get(request, Directory{}, surroundings);
    if (answer.content != Answer::Content::listing) return reply(connection, answer);
    return list(connection, std::move(directory->descriptor), answer);
  }
  const auto& file = std::get<std::shared_ptr<CachedFile>>(cached);
  const Answer answer = answer_get(request, &file->facts(), surroundings);
  if (answer.content != Answer::Content::file) return reply(connection, answer);
  if (request.head.method == "HEAD" || answer.length == 0) {
    return reply(connection, answer, file->head());
  }
  return send_file(connection, file, answer);
}

}  // namespace

void begin_answer(Connection& connection, const Answer& answer, std::string_view prepared,
                  std::string& text) {
  Exchange& exchange = connection.exchange();
  const RequestHead& head = exchange.request.head;
  exchange.status = answer.status;
  if (exchange.refusal.empty()) exchange.refusal = answer.why;
  exchange.keeps =
      exchange.keeps && !answer.close && !connection.lane().draining() && keeps_open(head);
  append_head(text, answer, prepared,
              {.date = connection.lane().date_line(),
               .keeps = exchange.keeps,
               .minor_version = head.minor_version});
}

Outgoing outgoing(Connection& connection, const Answer& answer) {
  std::string text;
  begin_answer(connection, answer, {}, text);
  const std::size_t head = text.size();
  if (has_content(connection.exchange(), answer)) text += answer.text;
  return Outgoing{std::move(text), head};
}

Step reply(Connection& connection, const Answer& answer, std::string_view prepared) {
  std::string& text = connection.lane().head();
  begin_answer(connection, answer, prepared, text);
  const std::size_t head = text.size();
  if (has_content(connection.exchange(), answer)) text += answer.text;
  return send_all(connection, std::as_bytes(std::span(text)), head);
}

Step send_all(Connection& connection, std::span<const std::byte> bytes, std::size_t head) {
  const auto sent = connection.wire().send(bytes);
  if (!sent) return Step::broken;
  count_answer(connection.exchange(), head, 0, *sent);
  if (*sent == bytes.size()) return Step::answered;
  const auto rest = bytes.subspan(*sent);
  std::string text(rest.size(), '\0');
  std::memcpy(text.data(), rest.data(), rest.size());
  connection.become(
      std::make_unique<Rest>(connection, Outgoing{std::move(text), head - std::min(head, *sent)}));
  return Step::waits;
}

Step answer(Connection& connection) {
  Lane& lane = connection.lane();
  Request& request = connection.exchange().request;
  const Surroundings surroundings{.configuration = lane.configuration(),
                                  .loopback = connection.loopback(),
                                  .now = std::chrono::floor<std::chrono::seconds>(lane.wall_time()),
                                  .boundary = lane.common().boundary};
  const auto early = answer_head(std::move(request.head), surroundings, request);
  if (early) return reply(connection, *early);
  if (request.head.method == "PUT") return begin_put(connection, surroundings);
  return answer_found(connection, surroundings);
}

}  // namespace headrace::http::server
