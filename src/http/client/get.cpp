#include "http/client/get.hpp"

#include <algorithm>
#include <variant>

#include "http/body/body_fault.hpp"
#include "http/body/chunked_receive.hpp"
#include "http/client/answer.hpp"
#include "http/client/fault.hpp"
#include "http/client/redirect.hpp"
#include "http/client/request.hpp"

namespace headrace::http::client {
namespace {

constexpr std::string_view method = "GET";

// Space is never claimed for more than this beyond what has come: a server may promise anything.
constexpr Bytes most_reserved_ahead = gibibyte;

bool is_broken(const Error& error) {
  return error.code == std::errc::broken_pipe || error.code == std::errc::connection_reset ||
         error.code == Fault::closed_before_answer;
}

/// One question with all the requests that it takes.
class Ask {
 public:
  Ask(Client& client, const Url& url, const Fields& more, const GetOptions& options,
      Exchange& exchange)
      : client_(client),
        first_(url),
        url_(url),
        more_(more),
        options_(options),
        exchange_(exchange) {
    exchange_.method = method;
    exchange_.hops.clear();
  }

  Result<Answer> run() {
    for (;;) {
      auto head = answer();
      if (!head) return std::unexpected(head.error());
      note(*head);
      const auto framing = framing_of(*head, method);
      if (!framing) return std::unexpected(framing.error());
      const auto redirect = redirect_of(url_, *head, method);
      if (!redirect) return std::unexpected(redirect.error());
      if (redirect->kind == Redirect::Kind::none) return answer_with(std::move(*head));
      if (exchange_.hops.size() >= client_.settings().most_redirects) {
        return std::unexpected(Error{Fault::too_many_redirects, "redirect"});
      }
      client_.keep(drain(*connection_, *head, method).clean);
      url_ = redirect->url;
      exchange_.hops.push_back(to_string(url_));
    }
  }

 private:
  Result<std::string> head_text() const {
    RequestHead head = request_for(method, url_, first_, options_.fields, client_.settings());
    if (!find(head.fields, "Accept")) head.fields.push_back({"Accept", "*/*"});
    head.fields.push_back({"Accept-Encoding", "identity"});
    head.fields.insert(head.fields.end(), more_.begin(), more_.end());
    return print(head);
  }

  Result<ResponseHead> answer() {
    const auto text = head_text();
    if (!text) return std::unexpected(text.error());
    exchange_.url = to_string(url_);
    for (;;) {
      const auto connected = client_.to(url_);
      if (!connected) return std::unexpected(connected.error());
      connection_ = *connected;
      exchange_.reused = connection_->reused;
      ++exchange_.attempts;
      const auto sent = connection_->send(*text);
      auto head = sent ? receive_final_head(*connection_)
                       : Result<ResponseHead>(std::unexpected(sent.error()));
      // A kept connection may have been closed before the request came (RFC 9112 9.3.1).
      const bool again = !head && connection_->reused && is_broken(head.error()) &&
                         connection_->buffered().empty();
      if (!again) return head;
      client_.keep(false);
    }
  }

  void note(const ResponseHead& head) {
    exchange_.status = head.status;
    exchange_.reason = head.reason;
    exchange_.version = "1." + std::to_string(head.minor_version);
  }

  Result<Answer> answer_with(ResponseHead head) const {
    const auto framing = framing_of(head, method);
    if (!framing) return std::unexpected(framing.error());
    return Answer{.connection = connection_, .head = std::move(head), .framing = *framing};
  }

  Client& client_;
  const Url& first_;
  Url url_;
  const Fields& more_;
  const GetOptions& options_;
  Exchange& exchange_;
  Connection* connection_ = nullptr;
};

/// What came with the head goes first, from our memory; the rest straight from the socket.
std::vector<Piece> plain_pieces(const Answer& answer, Plain socket, std::optional<Bytes> length) {
  std::vector<Piece> pieces;
  const auto buffered = answer.connection->buffered();
  const auto early = buffered.first(next_request(length.value_or(everything), buffered.size()));
  if (!early.empty()) pieces.push_back({.source = Memory{early}, .excepted = true});
  if (!length) {
    pieces.push_back({.source = socket});
  } else if (*length > early.size()) {
    pieces.push_back({.source = socket, .length = *length - early.size()});
  }
  return pieces;
}

Body body_of(const Answer& answer, Plain socket, std::optional<Bytes> length) {
  Body body;
  if (answer.framing.kind == BodyFraming::Kind::chunked) {
    auto input =
        std::make_shared<ChunkedInput>(answer.connection->buffered(), length.value_or(everything));
    body.pieces = {Piece{.source = socket, .only_way = chunked_receive(std::move(input))}};
    body.opaque = body_in_chunks;
  } else {
    body.pieces = plain_pieces(answer, socket, length);
  }
  return body;
}

Body with_wishes(Body body, std::optional<Bytes> length, const GetOptions& options) {
  if (options.rate) body = paced(std::move(body), *options.rate);
  if (options.watch) {
    if (const Observer observer = options.watch(length)) body = observed(std::move(body), observer);
  }
  return body;
}

Reserve reserve_for(Plain destination, std::optional<Bytes> length) {
  const auto facts = probe(destination.descriptor);
  const bool claims_all = length && *length <= most_reserved_ahead;
  return facts ? best_reserve(*facts, claims_all) : Reserve::nothing;
}

void judge_end(const Answer& answer, std::optional<Bytes> length, Report& report) {
  if (report.outcome != Outcome::complete) return;
  if (report.bytes < length.value_or(0)) fail_with({BodyFault::ended_early, "get"}, report);
  if (answer.framing.kind == BodyFraming::Kind::until_close && !length) {
    report.notes.emplace_back(
        "the server marks the end by closing the connection: nothing tells whether it is all");
  }
}

}  // namespace

void fail_with(const Error& error, Report& report) {
  const bool stopped = error.code == std::errc::operation_canceled;
  report.outcome = stopped ? Outcome::interrupted : Outcome::failed;
  report.error = error;
}

Result<Answer> ask(Client& client, const Url& url, const Fields& more, const GetOptions& options,
                   Exchange& exchange) {
  return Ask{client, url, more, options, exchange}.run();
}

Result<Report> take(Client& client, const Answer& answer, std::optional<Bytes> length,
                    Plain destination, const GetOptions& options) {
  Options transferred = options.transfer;
  transferred.idle_timeout = client.settings().idle_timeout;
  transferred.stop = client.settings().stop;
  transferred.reserve = reserve_for(destination, length);
  auto report = std::visit(
      [&](auto end) {
        return transfer(with_wishes(body_of(answer, end, length), length, options), destination,
                        transferred);
      },
      answer.connection->endpoint());
  if (report) {
    // Also where nothing came from it, or what came first stood in our memory.
    const DescriptorRef socket = answer.connection->net().socket.ref();
    if (auto facts = probe(socket, options.transfer.source_name)) report->source = *facts;
    answer.connection->describe_in(*report);
    judge_end(answer, length, *report);
  }
  client.keep(false);  // nothing is asked for on it any more
  return report;
}

}  // namespace headrace::http::client
