#include <algorithm>
#include <array>

#include "http/message/listing.hpp"
#include "http/server/answer.hpp"

namespace headrace::http::server {
namespace {

// RFC 9110 12.4.2, in thousandths; what cannot be read is taken as not said.
int quality_of(std::string_view parameters) {
  const auto at = parameters.find("q=");
  if (at == std::string_view::npos) return 1000;
  const std::string_view text = parameters.substr(at + 2);
  if (!text.starts_with('0')) return 1000;
  int quality = 0;
  int step = 100;
  for (const char digit : text.substr(std::min<std::size_t>(2, text.size())).substr(0, 3)) {
    if (digit < '0' || digit > '9') break;
    quality += (digit - '0') * step;
    step /= 10;
  }
  return quality;
}

struct Offer {
  std::string_view type;   // as it is sent
  std::string_view range;  // as it is asked for
};
constexpr std::array offers{Offer{listing_html_type, "text/html"},
                            Offer{listing_json_type, "application/json"},
                            Offer{listing_text_type, "text/plain"}};

std::string_view offer_for(std::string_view range) {
  const auto* const found = std::ranges::find_if(
      offers, [&](const Offer& offer) { return same_token(offer.range, range); });
  if (found != offers.end()) return found->type;
  const bool any = range == "*/*" || same_token(range, "text/*");
  return any ? listing_html_type : std::string_view{};
}

}  // namespace

std::string_view preferred_listing(const Fields& fields) {
  std::string_view best = listing_html_type;
  int best_quality = 0;
  for (const std::string_view value : all(fields, "Accept")) {
    for (const std::string_view element : tokens(value)) {
      const auto end = std::min(element.find(';'), element.size());
      const std::string_view offer = offer_for(trimmed(element.substr(0, end)));
      const int quality = quality_of(element.substr(end));
      if (offer.empty() || quality <= best_quality) continue;
      best = offer;
      best_quality = quality;
    }
  }
  return best;
}

}  // namespace headrace::http::server
