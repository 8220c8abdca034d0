#include "http/client/content.hpp"

#include "http/message/entity_tag.hpp"
#include "http/message/range.hpp"

namespace headrace::http::client {
namespace {

constexpr int ok = 200;
constexpr int non_authoritative = 203;
constexpr int partial_content = 206;
constexpr int first_redirection = 300;
constexpr int range_not_satisfiable = 416;
constexpr int first_error = 400;

// Two clocks that differ by less are not to be trusted to tell two versions apart.
constexpr std::chrono::seconds certainly_older{60};

class ContentCategory final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "http-content"; }
  [[nodiscard]] std::string message(int fault) const override {
    switch (static_cast<ContentFault>(fault)) {
      case ContentFault::longer_here:
        return "more is here than the server has";
      case ContentFault::encoded:
        return "the server sends it encoded, which continues nothing";
      case ContentFault::unexpected_status:
        return "the server's answer is none to what was asked";
      case ContentFault::no_name:
        return "neither the URL nor the server name the file: name it";
    }
    return "unknown fault";
  }
};

std::string bytes_text(Bytes bytes) { return std::to_string(bytes); }

Verdict start_over(std::string why) { return {.use = Use::start_over, .why = std::move(why)}; }

Verdict longer(Bytes have, Bytes total) {
  return {.use = Use::longer,
          .total = total,
          .length = {},
          .why = "it has " + bytes_text(have) + " bytes, the server's has " + bytes_text(total)};
}

std::optional<Bytes> length_of(const BodyFraming& framing) {
  if (framing.kind == BodyFraming::Kind::none) return 0;
  if (framing.kind == BodyFraming::Kind::length) return framing.length;
  return std::nullopt;
}

std::optional<ContentRange> range_of(const Fields& fields) {
  const auto value = find(fields, "Content-Range");
  return value ? parse_content_range(*value) : std::nullopt;
}

/// The answer names a version, and it is not the one that is here.
bool is_another_version(const Fields& fields, const std::string& validator) {
  const auto ours = parse_entity_tag(validator);
  const auto named = find(fields, ours ? "ETag" : "Last-Modified");
  if (validator.empty() || !named) return false;
  if (!ours) return *named != validator;
  const auto theirs = parse_entity_tag(*named);
  return !theirs || !strongly_equal(*ours, *theirs);
}

Verdict judge_partial(const ResponseHead& head, const BodyFraming& framing,
                      const Continuation& asked) {
  const auto found = range_of(head.fields);
  if (!found || !found->range) return start_over("the server's 206 names no range");
  const Range& range = *found->range;
  if (range.first != asked.from) {
    return start_over("the server's answer starts at " + bytes_text(range.first) + ", not at " +
                      bytes_text(asked.from));
  }
  if (!found->size) return start_over("the server does not say how long the whole is");
  const Bytes total = *found->size;
  if (asked.total && *asked.total != total) {
    return start_over("the server's has " + bytes_text(total) + " bytes now, not " +
                      bytes_text(*asked.total));
  }
  if (is_another_version(head.fields, asked.validator)) {
    return start_over("the server's is another version now");
  }
  if (asked.have > total) return longer(asked.have, total);
  if (range.last + 1 != total) return start_over("the server's answer is not all of the rest");
  if (asked.from < asked.have && framing.kind != BodyFraming::Kind::length) {
    return start_over("the server sends the range in chunks, which are not compared");
  }
  const auto framed = length_of(framing);
  if (framed && *framed != length(range)) {
    return start_over("the server's answer has another length than its range");
  }
  return {.use = Use::rest, .total = total, .length = length(range), .why = {}};
}

Verdict judge_whole(const BodyFraming& framing, const std::optional<Continuation>& asked) {
  const auto length = length_of(framing);
  Verdict verdict{.use = Use::whole, .total = length, .length = length, .why = {}};
  if (!asked) return verdict;
  // Without a validator nothing says that the server's is another one: the longer one may be right.
  if (asked->validator.empty() && length && asked->have > *length) {
    return longer(asked->have, *length);
  }
  verdict.why = asked->validator.empty() ? "the server sends no ranges of it"
                                         : "it has changed, or the server sends no ranges of it";
  return verdict;
}

Verdict judge_unsatisfiable(const ResponseHead& head, const Continuation& asked) {
  const auto found = range_of(head.fields);
  if (!found || !found->size) return start_over("the server's 416 does not say how long it is");
  const Bytes total = *found->size;
  if (asked.total && *asked.total != total) return start_over("it has another length now");
  const auto tag = find(head.fields, "ETag");
  if (tag && asked.validator.starts_with('"') && *tag != asked.validator) {
    return start_over("it has changed");
  }
  if (asked.have > total) return longer(asked.have, total);
  if (asked.have < total) return start_over("the server refuses a range that it has");
  return {.use = Use::complete, .total = total, .length = {}, .why = {}};
}

}  // namespace

const std::error_category& content_category() {
  static const ContentCategory category;
  return category;
}

std::error_code make_error_code(ContentFault fault) {
  return {static_cast<int>(fault), content_category()};
}

Fields range_fields(const Continuation& continuation) {
  Fields fields{{"Range", "bytes=" + bytes_text(continuation.from) + "-"}};
  if (!continuation.validator.empty()) fields.push_back({"If-Range", continuation.validator});
  return fields;
}

std::string strong_validator(const Fields& fields, Time now) {
  if (const auto value = find(fields, "ETag")) {
    const auto tag = parse_entity_tag(*value);
    if (tag && !tag->weak) return to_string(*tag);
  }
  const auto modified = find(fields, "Last-Modified");
  const auto sent = find(fields, "Date");
  if (!modified || !sent) return {};
  const auto modified_at = parse_date(*modified, now);
  const auto sent_at = parse_date(*sent, now);
  if (!modified_at || !sent_at || *sent_at - *modified_at < certainly_older) return {};
  return std::string(*modified);
}

std::string content_coding(const Fields& fields) {
  std::string codings;
  for (const std::string_view value : all(fields, "Content-Encoding")) {
    for (const std::string_view coding : tokens(value)) {
      if (same_token(coding, "identity")) continue;
      if (!codings.empty()) codings += ", ";
      codings += coding;
    }
  }
  return codings;
}

Verdict judge(const ResponseHead& head, const BodyFraming& framing,
              const std::optional<Continuation>& continuation) {
  const int status = head.status;
  if (continuation && status == range_not_satisfiable) {
    return judge_unsatisfiable(head, *continuation);
  }
  if (status >= first_error) return {.use = Use::error};
  const bool success = status >= ok && status < first_redirection;
  const bool is_whole = status == ok || status == non_authoritative;
  if (!success || (status == partial_content && !continuation)) return {.use = Use::unexpected};
  if (!continuation) return judge_whole(framing, continuation);
  if (!is_whole && status != partial_content) return {.use = Use::unexpected};
  if (const std::string coding = content_coding(head.fields); !coding.empty()) {
    return {.use = Use::encoded,
            .total = {},
            .length = {},
            .why = "the server sends it encoded (" + coding + "), although that was not asked for"};
  }
  return status == partial_content ? judge_partial(head, framing, *continuation)
                                   : judge_whole(framing, continuation);
}

}  // namespace headrace::http::client
