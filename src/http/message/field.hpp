#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::http {

/// One line of a head: `name` as it came, `value` without the white space around it.
struct Field {
  std::string name;
  std::string value;
  friend bool operator==(const Field&, const Field&) = default;
};

/// In the order in which they came; a name may come more than once.
using Fields = std::vector<Field>;

/// Whether two names or tokens are the same: only the case of ASCII letters may differ.
bool same_token(std::string_view one, std::string_view other);

/// Whether `text` is a token of RFC 9110 5.6.2: a method, a field's name.
bool is_token(std::string_view text);

/// The value of the first field of this name. Borrows from `fields`.
std::optional<std::string_view> find(const Fields& fields, std::string_view name);

/// The values of all fields of this name, in order. Borrows from `fields`.
std::vector<std::string_view> all(const Fields& fields, std::string_view name);

/// The elements of a list separated by commas, without the white space around each; empty ones are
/// left out (RFC 9110 5.6.1.2). A comma between double quotes separates nothing. Borrows.
std::vector<std::string_view> tokens(std::string_view value);

/// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace headrace::http
