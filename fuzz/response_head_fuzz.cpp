#include <array>

#include "head_properties.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headrace;
  constexpr std::array<std::string_view, 4> methods{"GET", "HEAD", "PUT", "CONNECT"};
  const std::string_view bytes = fuzz::Input(data, size).text();
  const auto end = fuzz::end_of_head(bytes);
  const auto head = http::parse_response(bytes.substr(0, end.value_or(bytes.size())));
  if (!head) return 0;
  fuzz::require(end.has_value(), "only what has ended is parsed");
  fuzz::require(head->status >= 100 && head->status <= 999, "a status has three digits");
  fuzz::require(fuzz::is_clean(head->reason), "a reason holds no control byte");
  fuzz::look_at_lines(bytes.substr(0, *end), head->fields.size(), fuzz::Folds::joined);
  fuzz::look_at_fields(head->fields);
  fuzz::look_at_round_trip(*head, http::parse_response);
  for (const std::string_view method : methods) {
    fuzz::look_at_framing(http::framing_of(*head, method), head->fields);
  }
  (void)http::keeps_open(*head);
  return 0;
}
