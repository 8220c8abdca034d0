#include "cli/explain_url.hpp"

#include <algorithm>
#include <cctype>

#include "http/body/chunked_send.hpp"
#include "http/client/put.hpp"
#include "http/message/url.hpp"
#include "transfer/piece_plan.hpp"

namespace headrace::cli {
namespace {

bool is_offered(const std::string& text) {
  const auto url = http::parse_url(text);
  return !url || url->scheme == "http";
}

Plan no_way(Contract contract) {
  Plan plan{.usable = {}, .refused = {}, .contract = contract};
  for (const Method* method : all_methods()) {
    plan.refused.push_back({.method = method, .reason = scheme_not_offered, .detail = {}});
  }
  return plan;
}

// Where `put` declares a length, this is it.
std::optional<Bytes> length_of(const Facts& source) {
  const bool empty = source.kind == Kind::regular && !source.pseudo && source.size == 0;
  if (!empty && !size_is_known(source)) return std::nullopt;
  return source.size - std::min(source.position, source.size);
}

Body body_of_put(const Facts& source) {
  Piece piece{.source = Plain{}, .offset = {}, .length = length_of(source)};
  Body body;
  if (!piece.length) {
    piece.only_way = http::chunked_send();
    body.opaque = http::body_in_chunks;
  }
  body.pieces.push_back(std::move(piece));
  return body;
}

}  // namespace

bool is_url(const std::string& text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string::npos || colon == 0) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](unsigned char letter) { return std::isalpha(letter) != 0; });
}

Plan plan_of_put(const std::string& url, const Facts& source, const Facts& destination,
                 const Wishes& wishes) {
  if (!is_offered(url)) return no_way(wishes.contract.value_or(Contract::guarded));
  const Body body = body_of_put(source);
  const Options options{.wishes = wishes,
                        .fallback_contract = Contract::guarded,
                        .copy_limit = http::client::put_copy_limit};
  const Course course(body, Plain{}, destination, options);
  const Job job{.source = {},
                .destination = {},
                .source_facts = source,
                .destination_facts = destination,
                .offset = {},
                .bytes = body.pieces.front().length,
                .buffer = wishes.buffer};
  return plan_of(body.pieces.front(), job, course);
}

Plan plan_of_get(const std::string& url, const Facts& source, const Facts& destination,
                 const Wishes& wishes) {
  if (!is_offered(url)) return no_way(wishes.contract.value_or(Contract::live));
  return make_plan(all_methods(), source, destination, wishes, Contract::live);
}

}  // namespace headrace::cli
