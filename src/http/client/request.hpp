#pragma once

#include <string_view>

#include "http/client/connection.hpp"
#include "http/message/field.hpp"
#include "http/message/head.hpp"
#include "http/message/url.hpp"

namespace headrace::http::client {

/// The head of a request for `url`: Host, User-Agent, and the fields of the caller. Pure.
///
/// Those that are meant for one server alone (Authorization, Cookie...) go only where the origin is
/// that of `first`, the URL the caller asked for.
RequestHead request_for(std::string_view method, const Url& url, const Url& first,
                        const Fields& fields, const Settings& settings);

/// A field that the client sets itself, or that would break the framing of its message.
bool is_set_by_client(std::string_view name);

}  // namespace headrace::http::client
