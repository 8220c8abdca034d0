#pragma once

#include <string>

#include "headrace/plan.hpp"

namespace headrace::cli {

inline constexpr Reason scheme_not_offered{
    "scheme-not-offered", "https needs TLS, which this build does not have: only http is offered"};

/// SCHEME://...: an end that `get` reads from or `put` writes to.
bool is_url(const std::string& text);

/// The plan of `put` to, or of `get` from, that end, as the command would make it; where the scheme
/// of `url` is https, every method is passed over. Pure.
Plan plan_of_put(const std::string& url, const Facts& source, const Facts& destination,
                 const Wishes& wishes);
Plan plan_of_get(const std::string& url, const Facts& source, const Facts& destination,
                 const Wishes& wishes);

}  // namespace headrace::cli
