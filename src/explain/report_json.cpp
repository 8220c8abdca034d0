#include <string>

#include "explain/json_parts.hpp"
#include "explain/words.hpp"
#include "headrace/explain.hpp"

namespace headrace {
namespace {

using explain::Json;
using explain::text_or_null;
using explain::value_or_null;

template <class T>
Json name_or_null(const std::optional<T>& value) {
  return value ? Json(std::string(name_of(*value))) : Json(nullptr);
}

Json json_of(const std::optional<Error>& error) {
  if (!error) return nullptr;
  const bool is_errno = error->code.category() == std::system_category() ||
                        error->code.category() == std::generic_category();
  Json json;
  json["call"] = std::string(error->call);
  json["errno"] = is_errno ? Json(error->code.value()) : Json(nullptr);
  json["text"] = error->code.message();
  return json;
}

Json contract_of(const Report& report) {
  Json json;
  json["name"] = std::string(name_of(report.contract));
  json["evidence"] = name_or_null(report.evidence);
  json["exposure"] = report.peer_memory ? Json("peer-memory") : Json(nullptr);
  return json;
}

Json json_of(const std::optional<Change>& change) {
  if (!change) return nullptr;
  Json json;
  json["kind"] = std::string(name_of(change->kind));
  const bool counts = change->kind == Change::Kind::grew || change->kind == Change::Kind::shrank;
  json["bytes"] = counts ? Json(change->bytes) : Json(nullptr);
  json["text"] = describe(*change);
  return json;
}

Json json_of(const Wishes& wishes) {
  Json json;
  json["methods"] = wishes.methods;
  json["require"] = name_or_null(wishes.require);
  json["contract"] = name_or_null(wishes.contract);
  json["buffer"] = value_or_null(wishes.buffer);
  json["own_blocks"] = wishes.own_blocks;
  return json;
}

Json json_of(const Congestion& congestion) {
  if (congestion.in_force.empty()) return nullptr;
  Json json;
  json["in_force"] = congestion.in_force;
  json["before"] = text_or_null(congestion.before);
  return json;
}

Json json_of(const Leg& leg) {
  Json json;
  json["method"] = std::string(explain::name_of(leg.method));
  json["class"] =
      leg.method == nullptr ? Json(nullptr) : Json(std::string(name_of(leg.method->path_class)));
  json["bytes"] = leg.bytes;
  json["calls"] = leg.calls;
  json["waits"] = leg.waits;
  json["seconds"] = leg.seconds;
  json["ending"] = std::string(name_of(leg.ending));
  json["error"] = json_of(leg.error);
  json["copies_per_byte"] = value_or_null(leg.copies_per_byte);
  json["notes"] = leg.notes;
  json["excepted"] = leg.excepted;
  return json;
}

Json json_of(const std::optional<Verification>& verification) {
  if (!verification) return nullptr;
  Json json;
  json["algorithm"] = verification->algorithm;
  json["digests"] = {{"source", verification->source_digest},
                     {"destination", verification->destination_digest}};
  json["bytes"] = verification->bytes;
  json["from_disk"] = {{"source", value_or_null(verification->source_from_disk)},
                       {"destination", value_or_null(verification->destination_from_disk)}};
  return json;
}

Json json_of(const std::optional<Check>& check) {
  if (!check) return nullptr;
  Json json;
  json["algorithm"] = check->algorithm;
  json["digest"] = text_or_null(check->digest);
  json["peer_digest"] = text_or_null(check->peer_digest);
  json["bytes"] = check->bytes;
  json["seconds"] = check->seconds;
  json["reread"] = check->reread;
  json["answer"] = text_or_null(check->answer);
  json["name"] = text_or_null(check->name);
  return json;
}

Json json_of(const std::optional<Exchange>& exchange) {
  if (!exchange) return nullptr;
  Json json;
  json["method"] = exchange->method;
  json["url"] = exchange->url;
  json["status"] = exchange->status > 0 ? Json(exchange->status) : Json(nullptr);
  json["reason"] = text_or_null(exchange->reason);
  json["version"] = text_or_null(exchange->version);
  json["attempts"] = exchange->attempts;
  json["reused"] = exchange->reused;
  json["answer"] = text_or_null(exchange->answer);
  json["validator"] = text_or_null(exchange->validator);
  json["hops"] = exchange->hops;
  return json;
}

Json legs_of(const Report& report) {
  Json list = Json::array();
  for (const Leg& leg : report.legs) list.push_back(json_of(leg));
  return list;
}

}  // namespace

std::string to_json(const Report& report) {
  Json json;
  json["schema"] = explain::json_schema;
  json["command"] = report.command;
  json["outcome"] = std::string(name_of(report.outcome));
  json["error"] = json_of(report.error);
  json["source"] = explain::json_of(report.source);
  json["destination"] = explain::json_of(report.destination);
  json["contract"] = contract_of(report);
  json["change"] = json_of(report.change);
  json["wishes"] = json_of(report.wishes);
  json["bytes"] = report.bytes;
  if (report.head_bytes > 0) json["head_bytes"] = report.head_bytes;
  json["expected"] = value_or_null(report.expected);
  json["holes"] = report.holes;
  json["shared"] = value_or_null(report.shared);
  json["stranded"] = report.stranded;
  json["acknowledged"] = value_or_null(report.acknowledged);
  json["seconds"] = report.seconds;
  json["cpu_seconds"] = {{"user", report.cpu_user}, {"system", report.cpu_system}};
  json["class"] = name_or_null(class_of(report));
  json["congestion"] = json_of(report.congestion);
  json["legs"] = legs_of(report);
  json["refused"] = explain::json_of(report.refused);
  json["verification"] = json_of(report.verification);
  json["check"] = json_of(report.check);
  json["http"] = json_of(report.exchange);
  json["notes"] = report.notes;
  return explain::dump(json);
}

}  // namespace headrace
