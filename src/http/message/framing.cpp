#include "http/message/framing.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "http/message/characters.hpp"

namespace headrace::http {
namespace {

constexpr std::string_view chunked = "chunked";
constexpr Bytes longest_body = std::numeric_limits<std::int64_t>::max();  // what off_t can count

std::unexpected<Error> refused(HeadFault fault) {
  return std::unexpected(Error{.code = fault, .call = "framing_of"});
}

std::vector<std::string_view> elements_of(const Fields& fields, std::string_view name) {
  std::vector<std::string_view> elements;
  for (const std::string_view value : all(fields, name)) {
    const auto some = tokens(value);
    elements.insert(elements.end(), some.begin(), some.end());
  }
  return elements;
}

bool is_chunked(std::string_view coding) { return same_token(coding, chunked); }

/// The body of a message that names a Transfer-Encoding.
Result<BodyFraming> framing_by_coding(const Fields& fields, int minor_version) {
  if (minor_version == 0) return refused(HeadFault::coding_in_old_version);
  const auto codings = elements_of(fields, "transfer-encoding");
  if (codings.empty()) return refused(HeadFault::coding_not_final);
  if (codings.size() == 1 && is_chunked(codings.front())) {
    return BodyFraming{.kind = BodyFraming::Kind::chunked};
  }
  const bool chunked_early = std::any_of(codings.begin(), codings.end() - 1, is_chunked);
  const bool ends_in_one = is_chunked(codings.back()) && !chunked_early;
  return refused(ends_in_one ? HeadFault::coding_not_supported : HeadFault::coding_not_final);
}

/// `otherwise` is how a message of this role ends that says nothing of its body.
Result<BodyFraming> framing_by_fields(const Fields& fields, int minor_version,
                                      BodyFraming otherwise) {
  if (find(fields, "transfer-encoding")) return framing_by_coding(fields, minor_version);
  const auto length = declared_length(fields);
  if (!length) return std::unexpected(length.error());
  if (!*length) return otherwise;
  return BodyFraming{.kind = BodyFraming::Kind::length, .length = **length};
}

bool contradicts_itself(const Fields& fields) {
  return find(fields, "content-length") && find(fields, "transfer-encoding");
}

/// Answers that end with their head, whatever its fields say (RFC 9112 6.3, 1 and 2).
bool has_no_body(int status, std::string_view request_method) {
  if (status < 200 || status == 204 || status == 304) return true;
  return request_method == "HEAD" || (request_method == "CONNECT" && status < 300);
}

bool keeps_open(const Fields& fields, int minor_version) {
  const auto options = elements_of(fields, "connection");
  const auto has = [&](std::string_view wanted) {
    return std::ranges::any_of(options,
                               [&](std::string_view option) { return same_token(option, wanted); });
  };
  return !has("close") && (minor_version >= 1 || has("keep-alive"));
}

}  // namespace

Result<BodyFraming> framing_of(const RequestHead& head) {
  if (contradicts_itself(head.fields)) return refused(HeadFault::length_and_coding);
  return framing_by_fields(head.fields, head.minor_version, {.kind = BodyFraming::Kind::none});
}

Result<BodyFraming> framing_of(const ResponseHead& head, std::string_view request_method) {
  if (contradicts_itself(head.fields)) return refused(HeadFault::length_and_coding);
  if (has_no_body(head.status, request_method)) return BodyFraming{};
  return framing_by_fields(head.fields, head.minor_version,
                           {.kind = BodyFraming::Kind::until_close});
}

Result<std::optional<Bytes>> declared_length(const Fields& fields) {
  const auto values = all(fields, "content-length");
  if (values.empty()) return std::optional<Bytes>{};
  if (values.size() > 1 || values.front().find(',') != std::string_view::npos) {
    return refused(HeadFault::several_lengths);
  }
  const std::string_view digits = values.front();
  if (!std::ranges::all_of(digits, is_digit)) return refused(HeadFault::bad_length);
  Bytes length = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (read.ec != std::errc{} || length > longest_body) return refused(HeadFault::bad_length);
  return std::optional{length};
}

bool keeps_open(const RequestHead& head) { return keeps_open(head.fields, head.minor_version); }
bool keeps_open(const ResponseHead& head) { return keeps_open(head.fields, head.minor_version); }

}  // namespace headrace::http
