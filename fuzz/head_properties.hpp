#pragma once

#include <algorithm>
#include <string_view>

#include "http/message/framing.hpp"
#include "http/message/head.hpp"
#include "support.hpp"

namespace headrace::fuzz {

inline constexpr http::HeadLimits wide{.most = 16 * mebibyte, .most_fields = 1U << 20U};

/// Where a head ends must not depend on how its bytes came.
inline std::optional<std::size_t> end_of_head(std::string_view bytes) {
  const auto whole = http::head_end(bytes);
  std::optional<std::size_t> bytewise;
  for (std::size_t size = 1; size <= bytes.size() && !bytewise; ++size) {
    bytewise = http::head_end(bytes.substr(0, size), size - 1);
  }
  // A lone CR is known only by the byte behind it, which is not counted.
  require(whole == bytewise, "a head that comes bytewise ends where the whole one does");
  return whole;
}

/// No byte that ends a line or means something else to somebody else.
inline bool is_clean(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
  });
}

enum class Folds { never, joined };

/// A head that was taken is clean lines, each of them one field or, in a response, more of one.
inline void look_at_lines(std::string_view head, std::size_t fields, Folds folds) {
  while (head.starts_with("\r\n")) head.remove_prefix(2);
  std::size_t lines = 0;
  while (!head.starts_with("\r\n")) {
    const std::size_t end = head.find("\r\n");
    require(end != std::string_view::npos, "a head ends with an empty line");
    require(is_clean(head.substr(0, end)), "a line holds no control byte");
    const bool folded = head.front() == ' ' || head.front() == '\t';
    require(!folded || folds == Folds::joined, "no request is folded");
    if (!folded) ++lines;
    head.remove_prefix(end + 2);
  }
  require(head.size() == 2, "nothing of a head is left over");
  require(lines == fields + 1, "each line is a field");
}

inline void look_at_fields(const http::Fields& fields) {
  for (const http::Field& field : fields) {
    require(http::is_token(field.name), "a field's name is a token");
    require(is_clean(field.value), "a value holds no control byte");
    require(http::trimmed(field.value) == field.value, "a value has no blanks around it");
    for (const std::string_view element : http::tokens(field.value)) {
      require(!element.empty(), "an element of a list is not empty");
    }
  }
}

/// What is parsed can be written and is then read as the same.
template <class Head>
void look_at_round_trip(const Head& head,
                        Result<Head> (*parse)(std::string_view, const http::HeadLimits&)) {
  const auto printed = http::print(head);
  require(printed.has_value(), "what is parsed can be printed");
  require(http::head_end(*printed) == printed->size(), "what is printed is one head");
  const auto again = parse(*printed, wide);
  require(again.has_value() && *again == head, "what is printed is parsed as the same");
}

inline void look_at_framing(const Result<http::BodyFraming>& framing, const http::Fields& fields) {
  if (!framing) return;
  const auto lengths = http::all(fields, "content-length");
  const auto codings = http::all(fields, "transfer-encoding");
  require(lengths.empty() || codings.empty(), "no body has both a length and a coding");
  require(lengths.size() <= 1, "no body has two lengths");
  if (framing->kind == http::BodyFraming::Kind::length) {
    require(lengths.size() == 1, "a length is declared");
    require(std::ranges::all_of(lengths.front(), [](char c) { return c >= '0' && c <= '9'; }),
            "a length is digits alone");
  }
  require((framing->kind != http::BodyFraming::Kind::chunked) || !codings.empty(),
          "chunks are declared");
}

}  // namespace headrace::fuzz
