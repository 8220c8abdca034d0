#include "http/client/partial_record.hpp"

#include <nlohmann/json.hpp>
#include <span>

#include "hash/hash.hpp"

namespace headrace::http::client {
namespace {

using nlohmann::json;

constexpr std::string_view content_ending = ".part";
constexpr std::string_view record_ending = ".part.json";
constexpr std::size_t digits_of_hash = 16;  // 64 bits: enough for the names of one folder

std::optional<std::string> text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::string shortened(const std::string& name, std::size_t most) {
  Hash hash;
  hash.add(std::as_bytes(std::span(name)));
  const std::string mark = "-" + hexadecimal(hash.value()).substr(0, digits_of_hash);
  return name.substr(0, most > mark.size() ? most - mark.size() : 0) + mark;
}

}  // namespace

std::string to_json(const PartialRecord& record) {
  json object{{"url", record.url}, {"validator", record.validator}};
  if (record.total) object["total"] = *record.total;
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<PartialRecord> parse_record(std::string_view text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  auto url = text_of(object, "url");
  auto validator = text_of(object, "validator");
  if (!url || !validator) return std::nullopt;
  PartialRecord record{.url = std::move(*url), .validator = std::move(*validator), .total = {}};
  const auto total = object.find("total");
  if (total == object.end()) return record;
  if (!total->is_number_unsigned()) return std::nullopt;
  record.total = total->get<Bytes>();
  return record;
}

PartialNames partial_names(const std::string& name, std::size_t longest) {
  const bool fits = name.size() + record_ending.size() <= longest;
  const std::size_t most = longest > record_ending.size() ? longest - record_ending.size() : 0;
  const std::string stem = fits ? name : shortened(name, most);
  return {.content = stem + std::string(content_ending),
          .record = stem + std::string(record_ending)};
}

}  // namespace headrace::http::client
