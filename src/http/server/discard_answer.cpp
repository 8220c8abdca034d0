#include "http/server/discard_answer.hpp"

#include "http/body/chunked_receive.hpp"

namespace headrace::http::server {
namespace {

constexpr Bytes most_a_turn = mebibyte;  // others have their turn on this loop too

}  // namespace

DiscardAnswer::DiscardAnswer(Connection& connection) : Receiving(connection) {
  const BodyFraming& framing = connection.exchange().request.framing;
  const Plain socket{connection.wire().socket()};
  const Configuration& configuration = connection.lane().configuration();
  options_.wishes = configuration.wishes;
  options_.wishes.contract.reset();  // of files; the source is a connection
  body_.rate = configuration.limit_rate;
  if (framing.kind == BodyFraming::Kind::chunked) {
    chunks_ =
        std::make_shared<ChunkedInput>(ahead(), configuration.max_upload.value_or(everything));
    body_.pieces.push_back(
        {.source = socket, .offset = {}, .length = {}, .only_way = chunked_receive(chunks_)});
    body_.opaque = body_in_chunks;
  } else {
    const Bytes rest = framing.length - ahead().size();
    if (!ahead().empty()) {
      body_.pieces.push_back(
          {.source = Memory{ahead()}, .offset = {}, .length = {}, .excepted = true});
    }
    if (rest > 0) body_.pieces.push_back({.source = socket, .offset = {}, .length = rest});
  }
  start_task(body_, Plain{connection.lane().common().nowhere.ref()}, options_);
}

std::optional<Answer> DiscardAnswer::outcome() {
  if (!report_) return std::nullopt;
  Exchange& exchange = connection().exchange();
  exchange.received = report_->bytes;
  exchange.path = logged_path(*report_);
  const Bytes wanted = exchange.request.framing.length;
  const bool whole = report_->outcome == Outcome::complete &&
                     (chunks_ ? chunks_->complete() : report_->bytes == wanted);
  if (whole) {
    if (chunks_) connection().input().prepend(chunks_->surplus());
    return answer_taken(204);
  }
  Answer answer = answer_status(report_->outcome == Outcome::refused ? 500 : 400);
  answer.close = true;
  return answer;
}

bool DiscardAnswer::is_asked_first() const {
  return ahead().empty() && connection().exchange().request.expects_continue;
}

Step DiscardAnswer::take_turn() {
  report_ = turn(most_a_turn);
  return Step::again;
}

}  // namespace headrace::http::server
