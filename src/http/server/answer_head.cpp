#include <algorithm>
#include <array>

#include "http/message/host.hpp"
#include "http/server/answer.hpp"

namespace headrace::http::server {
namespace {

constexpr int method_not_allowed = 405;
constexpr int not_implemented = 501;
constexpr int bad_request = 400;
constexpr int misdirected_request = 421;
constexpr int expectation_failed = 417;
constexpr std::string_view no_host = "what the request names as its host is none";
constexpr std::string_view secure = "https:";

// Of RFC 9110 and 5789: known, so that 405 is the answer and not 501.
bool is_known(std::string_view method) {
  constexpr std::array<std::string_view, 9> known{"GET",     "HEAD",  "POST",    "PUT",  "DELETE",
                                                  "CONNECT", "TRACE", "OPTIONS", "PATCH"};
  return std::ranges::find(known, method) != known.end();
}

Answer refusal(int status, std::string why, Fields fields = {}) {
  Answer answer = answer_status(status, std::move(fields));
  answer.why = std::move(why);
  return answer;
}

// A body that nobody reads would be taken for the next request.
Answer closing_where_a_body_follows(Answer answer, const BodyFraming& framing) {
  const bool no_body = framing == BodyFraming{} ||
                       framing == BodyFraming{.kind = BodyFraming::Kind::length, .length = 0};
  answer.close = answer.close || !no_body;
  return answer;
}

std::optional<Answer> answer_method(const RequestHead& head, const Surroundings& surroundings) {
  const auto& configuration = surroundings.configuration;
  if (head.method == "GET" || head.method == "HEAD") return std::nullopt;
  if (head.method == "PUT" && configuration.uploads != Uploads::refused) return std::nullopt;
  const Field allow{"Allow", std::string(allowed_methods(configuration))};
  if (head.method == "OPTIONS") {
    return Answer{.fields = {allow, {"Accept-Ranges", "bytes"}}};
  }
  if (head.method == "PUT") return refusal(method_not_allowed, "no uploads: --upload", {allow});
  if (is_known(head.method)) return refusal(method_not_allowed, "a method not offered", {allow});
  return refusal(not_implemented, "an unknown method");
}

// RFC 9112 3.2.2: the authority of an absolute form stands in for the Host field.
std::optional<Answer> answer_host(const RequestHead& head, const Target& target,
                                  const Surroundings& surroundings) {
  const auto field = find(head.fields, "Host");
  if (!field && target.authority.empty()) return std::nullopt;  // HTTP/1.0
  const auto host = parse_host(target.authority.empty() ? *field : target.authority);
  if (!host) return refusal(bad_request, std::string(no_host));
  const auto& allowed = surroundings.configuration.allowed_hosts;
  const bool known = host->name.empty() || host_allowed(host->name, allowed);
  if (surroundings.loopback && !known) {
    return refusal(misdirected_request, "the host named is none of ours: --allow-host");
  }
  return std::nullopt;
}

// RFC 9110 10.1.1: what HTTP/1.0 says here is not heard.
std::optional<Answer> answer_expectation(Request& request) {
  if (request.head.minor_version == 0) return std::nullopt;
  for (const std::string_view value : all(request.head.fields, "Expect")) {
    for (const std::string_view token : tokens(value)) {
      if (!same_token(token, "100-continue")) {
        return refusal(expectation_failed, "an expectation other than 100-continue");
      }
      request.expects_continue = true;
    }
  }
  return std::nullopt;
}

std::optional<Answer> answer_target(Request& request, const Surroundings& surroundings) {
  auto target = parse_target(request.head.target);
  if (!target) {
    const auto fault = static_cast<TargetFault>(target.error().code.value());
    const bool ours = target.error().code.category() == target_category();
    return refusal(ours ? answering_status(fault) : bad_request, target.error().code.message());
  }
  request.target = std::move(*target);
  // RFC 9110 7.4: what is asked for by https must come by a connection of that.
  if (same_token(request.head.target.substr(0, secure.size()), secure)) {
    return refusal(misdirected_request, "https is not served here");
  }
  if (auto answer = answer_host(request.head, request.target, surroundings)) return answer;
  if (request.target.asterisk && request.head.method != "OPTIONS") {
    return refusal(bad_request, "* is a target of OPTIONS alone");
  }
  return std::nullopt;
}

std::optional<Answer> answer_framed(Request& request, const Surroundings& surroundings) {
  // Also where nobody needs it (RFC 9112 3.2).
  if (const auto host = find(request.head.fields, "Host"); host && !parse_host(*host)) {
    return refusal(bad_request, std::string(no_host));
  }
  // CONNECT has a target of a form of its own, and is never offered.
  if (request.head.method == "CONNECT") return answer_method(request.head, surroundings);
  if (auto answer = answer_target(request, surroundings)) return answer;
  if (auto answer = answer_method(request.head, surroundings)) return answer;
  return answer_expectation(request);
}

}  // namespace

std::optional<Answer> answer_head(RequestHead head, const Surroundings& surroundings,
                                  Request& request) {
  request = Request{.head = std::move(head)};
  const auto framing = framing_of(request.head);
  if (!framing) return answer_fault(framing.error().code);
  request.framing = *framing;
  auto answer = answer_framed(request, surroundings);
  if (answer) return closing_where_a_body_follows(std::move(*answer), request.framing);
  return std::nullopt;
}

}  // namespace headrace::http::server
