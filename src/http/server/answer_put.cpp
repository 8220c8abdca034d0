#include "http/message/preconditions.hpp"
#include "http/server/answer.hpp"
#include "http/server/site.hpp"

namespace headrace::http::server {
namespace {

Validators validators_of(const Found& found, Time now) {
  Validators validators{.now = now};
  if (const auto* const* file = std::get_if<const FileFacts*>(&found)) {
    validators.exists = true;
    validators.tag = (*file)->tag;
    validators.last_modified = (*file)->modified;
    validators.last_modified_strong = (*file)->modified_strong;
  }
  validators.exists = validators.exists || std::holds_alternative<Directory>(found);
  return validators;
}

std::optional<int> refusal(const Request& request, const Found& found,
                           const Surroundings& surroundings) {
  using Kind = BodyFraming::Kind;
  if (request.framing.kind == Kind::none) return 411;
  // RFC 9110 14.5: who does not know partial PUT must not take a part for the whole.
  if (find(request.head.fields, "Content-Range")) return 400;
  const auto& configuration = surroundings.configuration;
  if (!configuration.dotfiles && is_hidden(request.target.path)) return 403;
  const auto most = configuration.max_upload;
  if (most && request.framing.kind == Kind::length && request.framing.length > *most) return 413;
  const auto* const absent = std::get_if<Absent>(&found);
  if (absent != nullptr && absent->status != 404) return absent->status;
  const Evaluation evaluation =
      evaluate(request.head.fields, request.head.method, validators_of(found, surroundings.now));
  if (evaluation.outcome != Evaluation::Outcome::proceed) return 412;
  return std::nullopt;
}

}  // namespace

std::optional<Answer> answer_put(const Request& request, const Found& found,
                                 const Surroundings& surroundings) {
  const auto status = refusal(request, found, surroundings);
  if (!status) return std::nullopt;
  Answer answer = answer_status(*status);
  answer.close = request.framing != BodyFraming{};
  return answer;
}

}  // namespace headrace::http::server
