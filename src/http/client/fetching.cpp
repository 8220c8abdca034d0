#include "http/client/fetching.hpp"

#include <chrono>
#include <iterator>
#include <utility>

#include "http/client/answer.hpp"
#include "http/client/overlap.hpp"

namespace headrace::http::client {
namespace {

constexpr std::string_view method = "GET";

Time now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

}  // namespace

Fetching::Fetching(Client& client, const Url& url, GetOptions options)
    : client_(client), url_(url), options_(std::move(options)) {
  exchange_.method = method;
  exchange_.attempts = 0;
  report_.source.name = options_.transfer.source_name;
  report_.destination.name = options_.transfer.destination_name;
  report_.wishes = options_.transfer.wishes;
}

std::optional<Verdict> Fetching::settle(std::optional<Continuation> continuation,
                                        DescriptorRef here) {
  for (;;) {
    auto verdict = judge_next(continuation, here);
    if (!verdict) return std::nullopt;
    if (verdict->use != Use::start_over) {
      if (verdict->use == Use::whole && continuation) note("started over: " + verdict->why);
      return verdict;
    }
    note("started over: " + verdict->why);
    client_.keep(false);
    continuation.reset();
  }
}

std::optional<Verdict> Fetching::judge_next(const std::optional<Continuation>& continuation,
                                            DescriptorRef here) {
  const Fields more = continuation ? range_fields(*continuation) : Fields{};
  auto answer = ask(client_, url_, more, options_, exchange_);
  if (!answer) {
    fail(answer.error());
    return std::nullopt;
  }
  answer_ = std::move(*answer);
  answer_.connection->describe_in(report_);
  exchange_.validator = strong_validator(answer_.head.fields, now());
  Verdict verdict = judge(answer_.head, answer_.framing, continuation);
  if (verdict.use != Use::rest) return verdict;
  const Bytes twice = continuation->have - continuation->from;
  const auto same = same_as_next(*answer_.connection, here, continuation->from, twice);
  if (!same) {
    fail(same.error());
    return std::nullopt;
  }
  if (*same) return verdict;
  return Verdict{.use = Use::start_over,
                 .why = "of what is here the last " + std::to_string(twice) +
                        " bytes are not those of the server"};
}

void Fetching::goes_to(const std::string& name) {
  options_.transfer.destination_name = name;
  report_.destination.name = name;
}

void Fetching::take(std::optional<Bytes> length, DescriptorRef destination) {
  const std::string coding = content_coding(answer_.head.fields);
  if (!coding.empty()) note("the content is encoded (" + coding + "), and stays so");
  auto taken = client::take(client_, answer_, length, Plain{destination}, options_);
  if (taken) {
    report_ = std::move(*taken);
  } else {
    fail(taken.error());
  }
}

void Fetching::leave(const Verdict& verdict) {
  switch (verdict.use) {
    case Use::error:
      leave_error();
      break;
    case Use::longer:
      fail(Error{ContentFault::longer_here, "get"});
      break;
    case Use::encoded:
      fail(Error{ContentFault::encoded, "get"});
      break;
    default:
      fail(Error{ContentFault::unexpected_status, "get"});
  }
}

// What the server says is the reason: there is no error of ours.
void Fetching::leave_error() {
  report_.outcome = Outcome::failed;
  exchange_.answer = drain(*answer_.connection, answer_.head, method).text;
}

void Fetching::fail(Obstacle obstacle) {
  report_.outcome = Outcome::failed;
  if (obstacle.error) fail(*obstacle.error);
  note(std::string(obstacle.reason.code) + ": " + obstacle.detail);
  obstacle_ = std::move(obstacle);
}

Downloaded Fetching::finish(std::string aftermath) {
  client_.keep(false);
  report_.notes.insert(report_.notes.end(), std::make_move_iterator(notes_.begin()),
                       std::make_move_iterator(notes_.end()));
  report_.exchange = std::move(exchange_);
  return {.report = std::move(report_),
          .obstacle = std::move(obstacle_),
          .aftermath = std::move(aftermath)};
}

}  // namespace headrace::http::client
