#include "head_properties.hpp"
#include "http/message/target.hpp"

namespace headrace::fuzz {
namespace {

void look_at_target(std::string_view text) {
  const auto target = http::parse_target(text);
  if (!target || target->asterisk) return;
  const std::string& path = target->path;
  require(path.starts_with('/'), "a path begins with a slash");
  require(path.find('\0') == std::string::npos, "a path holds no NUL");
  require((path + '/').find("/../") == std::string::npos, "a path does not climb");
  require((path + '/').find("/./") == std::string::npos, "a path has no segment that stays");
  require(path.find("//") == std::string::npos, "a path has no empty segment");
  const auto again = http::parse_target(http::encode_path(path));
  require(again && again->path == path, "a path that is encoded is decoded as the same");
}

}  // namespace
}  // namespace headrace::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headrace;
  const std::string_view bytes = fuzz::Input(data, size).text();
  const auto end = fuzz::end_of_head(bytes);
  const auto head = http::parse_request(bytes.substr(0, end.value_or(bytes.size())));
  if (!head) return 0;
  fuzz::require(end.has_value(), "only what has ended is parsed");
  fuzz::require(http::is_token(head->method), "a method is a token");
  fuzz::require(http::find(head->fields, "host") || head->minor_version == 0, "Host is named");
  fuzz::look_at_lines(bytes.substr(0, *end), head->fields.size(), fuzz::Folds::never);
  fuzz::look_at_fields(head->fields);
  fuzz::look_at_round_trip(*head, http::parse_request);
  fuzz::look_at_framing(http::framing_of(*head), head->fields);
  (void)http::keeps_open(*head);
  fuzz::look_at_target(head->target);
  return 0;
}
