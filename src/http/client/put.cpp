#include "http/client/put.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "http/client/answer.hpp"
#include "http/client/expectation.hpp"
#include "http/client/fault.hpp"
#include "http/client/outgoing.hpp"
#include "http/client/redirect.hpp"
#include "http/client/request.hpp"
#include "http/client/send_body.hpp"
#include "net/outstanding.hpp"

namespace headrace::http::client {
namespace {

bool is_broken(const Error& error) {
  return error.code == std::errc::broken_pipe || error.code == std::errc::connection_reset ||
         error.code == std::errc::not_connected || error.code == Fault::closed_before_answer;
}

const Error* error_of(const Report& report) {
  if (report.error) return &*report.error;
  if (report.legs.empty() || !report.legs.back().error) return nullptr;
  return &*report.legs.back().error;
}

/// One upload with all the requests that it takes.
class Put {
 public:
  Put(Client& client, const Url& url, Outgoing outgoing, const PutOptions& options)
      : client_(client),
        first_(url),
        url_(url),
        outgoing_(std::move(outgoing)),
        options_(options),
        expectation_(options.expect, outgoing_) {
    exchange_.attempts = 0;
  }

  Result<Report> run() {
    for (Next next = Next::again; next == Next::again;) {
      auto attempted = attempt();
      if (!attempted) return std::unexpected(attempted.error());
      next = *attempted;
    }
    report_.exchange = std::move(exchange_);
    return std::move(report_);
  }

 private:
  enum class Next { again, done };

  [[nodiscard]] bool is_guarded() const {
    const auto& options = options_.transfer;
    return options.wishes.contract.value_or(options.fallback_contract) == Contract::guarded;
  }

  // Nothing has left the source yet, or it can be read again.
  [[nodiscard]] bool may_send() const { return outgoing_.repeatable || !touched_; }

  Result<std::string> head_text() const {
    RequestHead head =
        request_for(exchange_.method, url_, first_, options_.fields, client_.settings());
    if (exchange_.method == "PUT") {
      head.fields.push_back(outgoing_.length
                                ? Field{"Content-Length", std::to_string(*outgoing_.length)}
                                : Field{"Transfer-Encoding", "chunked"});
      if (expectation_.is_made_on(*connection_)) head.fields.push_back({"Expect", "100-continue"});
    }
    return print(head);
  }

  Result<Next> attempt() {
    connection_ = nullptr;
    report_ = {};
    report_.wishes = options_.transfer.wishes;
    report_.expected = outgoing_.length;
    report_.destination.name = options_.transfer.destination_name;
    report_.source.name = options_.transfer.source_name;
    exchange_.url = to_string(url_);
    const auto connected = client_.to(url_);
    if (!connected) return fail_with(connected.error());
    connection_ = *connected;
    exchange_.reused = connection_->reused;
    const auto head = head_text();
    if (!head) return std::unexpected(head.error());
    ++exchange_.attempts;
    const bool asks = expectation_.is_made_on(*connection_) &&
                      !is_refused(outgoing_.body, *connection_, options_.transfer);
    return asks ? ask_first(*head) : send(*head);
  }

  // --- The head alone, and the body when the server wants it ---

  Result<Next> ask_first(const std::string& head) {
    if (const auto sent = connection_->send(head); !sent) return cannot_send(sent.error());
    report_.head_bytes = head.size();
    const auto answer = answer_to_expectation(*connection_);
    if (!answer) return no_answer(answer.error());
    return *answer ? answered_early(**answer) : send({});
  }

  // --- The body ---

  Result<Next> send(std::string_view head) {
    const bool length_is_old = head.empty() || exchange_.attempts > 1;
    if (is_guarded() && length_is_old) {
      const auto change = changed_since(outgoing_);
      if (!change) return fail_with(change.error());
      if (*change) return changed(**change);
    }
    Options options = options_.transfer;
    options.head = std::as_bytes(std::span(head));
    options.copy_limit = put_copy_limit;
    options.idle_timeout = client_.settings().idle_timeout;
    options.stop = client_.settings().stop;
    const Bytes head_sent = report_.head_bytes;
    auto sent = send_body(outgoing_, *connection_, options);
    if (!sent) return fail_with(sent.error());
    report_ = std::move(*sent);
    report_.head_bytes += head_sent;
    touched_ = touched_ || report_.bytes + report_.stranded > 0;
    return after_body();
  }

  Result<Next> after_body() {
    switch (report_.outcome) {
      case Outcome::complete:
        return report_.bytes < outgoing_.length.value_or(0) ? shrank() : wait_for_answer();
      case Outcome::answered_early: {
        const auto answer = receive_final_head(*connection_);
        if (!answer) return no_answer(answer.error());
        return answered_early(*answer);
      }
      case Outcome::failed:
        if (const Error* error = error_of(report_); error != nullptr && is_broken(*error)) {
          return cannot_send(*error);
        }
        return give_up();
      default:
        return give_up();
    }
  }

  Result<Next> wait_for_answer() {
    const auto start = net::Clock::now();
    const auto answer = receive_final_head(*connection_);
    const std::chrono::duration<double> waited = net::Clock::now() - start;
    report_.seconds += waited.count();  // bytes in a send buffer are not sent yet
    if (!answer) return no_answer(answer.error());
    return answered(*answer);
  }

  // --- What the server says ---

  Result<Next> answered_early(const ResponseHead& answer) {
    report_.outcome = Outcome::answered_early;
    if (answer.status == 417 && expectation_.drop()) {
      client_.keep(false);
      return Next::again;
    }
    if (answer.status / 100 == 2) report_.error = Error{Fault::answered_early, "put"};
    return answered(answer);
  }

  Result<Next> answered(const ResponseHead& answer) {
    const bool whole = report_.outcome == Outcome::complete;
    note_connection();
    note(answer);
    if (const auto framing = framing_of(answer, exchange_.method); !framing) {
      return fail_with(framing.error());
    }
    const Leftover rest = drain(*connection_, answer, exchange_.method);
    if (answer.status >= 400) exchange_.answer = rest.text;
    client_.keep(whole && rest.clean);
    connection_ = nullptr;
    const auto redirect = redirect_of(url_, answer, exchange_.method);
    if (!redirect) return fail_with(redirect.error());
    if (redirect->kind != Redirect::Kind::none) return follow(*redirect);
    if (whole && answer.status >= 300) report_.outcome = Outcome::failed;
    return Next::done;
  }

  void note(const ResponseHead& answer) {
    exchange_.status = answer.status;
    exchange_.reason = answer.reason;
    exchange_.version = "1." + std::to_string(answer.minor_version);
    exchange_.validator = find(answer.fields, "ETag").value_or("");
  }

  Result<Next> follow(const Redirect& redirect) {
    if (exchange_.hops.size() >= client_.settings().most_redirects) {
      return fail_with({Fault::too_many_redirects, "redirect"});
    }
    if (redirect.kind == Redirect::Kind::again && exchange_.method == "PUT" && !may_send()) {
      return fail_with({Fault::cannot_send_again, "redirect"});
    }
    url_ = redirect.url;
    exchange_.hops.push_back(to_string(url_));
    if (exchange_.method == "PUT" && redirect.kind == Redirect::Kind::again) return Next::again;
    exchange_.method = "GET";
    return get();
  }

  // What a 303 points to is the result of the upload; the report stays that of the body.
  Result<Next> get() {
    exchange_.url = to_string(url_);
    const auto connected = client_.to(url_);
    if (!connected) return fail_with(connected.error());
    connection_ = *connected;
    const auto head = head_text();
    if (!head) return std::unexpected(head.error());
    ++exchange_.attempts;
    if (const auto sent = connection_->send(*head); !sent) return fail_with(sent.error());
    const auto answer = receive_final_head(*connection_);
    if (!answer) return fail_with(answer.error());
    return answered(*answer);
  }

  // --- Ends without an answer ---

  // The server may have said why before it closed.
  Result<Next> cannot_send(const Error& error) {
    if (!is_broken(error)) return fail_with(error);
    if (const auto answer = receive_final_head(*connection_)) return answered_early(*answer);
    return no_answer(error);
  }

  // A kept connection may have been closed before the request came (RFC 9112 9.3.1).
  Result<Next> no_answer(const Error& error) {
    const bool silent = connection_->buffered().empty();
    if (!connection_->reused || !silent || !is_broken(error) || !may_send()) {
      return fail_with(error);
    }
    client_.keep(false);
    return Next::again;
  }

  // Between the look at its length and the first byte.
  Result<Next> shrank() {
    const auto change = changed_since(outgoing_);
    if (!change) return fail_with(change.error());
    return changed(change->value_or(Change{.kind = Change::Kind::shrank, .bytes = report_.bytes}));
  }

  Result<Next> changed(const Change& change) {
    report_.outcome = Outcome::source_changed;
    report_.contract = options_.transfer.wishes.contract.value_or(Contract::guarded);
    report_.change = change;
    return give_up();
  }

  Result<Next> fail_with(const Error& error) {
    const bool stopped = error.code == std::errc::operation_canceled;
    report_.outcome = stopped ? Outcome::interrupted : Outcome::failed;
    report_.error = error;
    return give_up();
  }

  // The message is not complete, or nobody knows: its connection serves no other.
  Result<Next> give_up() {
    if (connection_ == nullptr) return Next::done;
    note_connection();
    connection_ = nullptr;
    client_.abandon();
    return Next::done;
  }

  // Of the one that carried the body.
  void note_connection() {
    if (exchange_.method != "PUT") return;
    const auto rest = net::unacknowledged(connection_->net().socket.ref());
    if (rest) report_.acknowledged = report_.bytes - std::min(*rest, report_.bytes);
    connection_->describe_in(report_);
  }

  Client& client_;
  const Url& first_;
  Url url_;
  Outgoing outgoing_;
  const PutOptions& options_;
  Expectation expectation_;
  bool touched_ = false;  // bytes have left the source
  Connection* connection_ = nullptr;
  Exchange exchange_{.method = "PUT"};
  Report report_;
};

}  // namespace

Result<Report> put(Client& client, const Url& url, const Body& body, const PutOptions& options) {
  auto outgoing = outgoing_of(body);
  if (!outgoing) return std::unexpected(outgoing.error());
  return Put{client, url, std::move(*outgoing), options}.run();
}

}  // namespace headrace::http::client
