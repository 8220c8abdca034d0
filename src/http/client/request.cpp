#include "http/client/request.hpp"

#include <algorithm>
#include <array>

namespace headrace::http::client {
namespace {

constexpr std::array<std::string_view, 3> for_one_origin{"Authorization", "Cookie",
                                                         "Proxy-Authorization"};
constexpr std::array<std::string_view, 13> of_the_client{"Host",
                                                         "Connection",
                                                         "Content-Length",
                                                         "Content-Range",
                                                         "Expect",
                                                         "Keep-Alive",
                                                         "Range",
                                                         "If-Range",
                                                         "Accept-Encoding",
                                                         "TE",
                                                         "Trailer",
                                                         "Transfer-Encoding",
                                                         "Upgrade"};

bool is_one_of(std::string_view name, auto names) {
  return std::ranges::any_of(names, [&](auto other) { return same_token(name, other); });
}

}  // namespace

bool is_set_by_client(std::string_view name) { return is_one_of(name, of_the_client); }

RequestHead request_for(std::string_view method, const Url& url, const Url& first,
                        const Fields& fields, const Settings& settings) {
  RequestHead head{.method = std::string(method), .target = url.target, .fields = {}};
  head.fields.push_back({"Host", host_field(url)});
  if (!settings.user_agent.empty() && !find(fields, "User-Agent")) {
    head.fields.push_back({"User-Agent", settings.user_agent});
  }
  const bool same_origin = origin(url) == origin(first);
  std::ranges::copy_if(fields, std::back_inserter(head.fields), [&](const Field& field) {
    return same_origin || !is_one_of(field.name, for_one_origin);
  });
  return head;
}

}  // namespace headrace::http::client
