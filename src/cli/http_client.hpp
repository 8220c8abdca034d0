#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "http/client/client.hpp"
#include "http/message/field.hpp"
#include "http/message/url.hpp"

namespace headrace::cli {

/// "NAME:VALUE" as a field. Absent where it is none, would break the head, or is one that the
/// client sets itself. Pure.
std::optional<http::Field> parse_header(std::string_view line);

/// The URL; complains and gives nothing where it is none.
std::optional<http::Url> url_of(std::string_view command, const std::string& text);

/// The settings of a client under these arguments.
http::client::Settings client_settings(const HttpArguments& arguments, const Stop& stop);

}  // namespace headrace::cli
