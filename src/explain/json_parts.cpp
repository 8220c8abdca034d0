#include "explain/json_parts.hpp"

#include "explain/words.hpp"

namespace headrace::explain {
namespace {

// A field that has no meaning for this kind of end is null, never a number that looks true.
Json given(bool applies, Bytes value) { return applies ? Json(value) : Json(nullptr); }

}  // namespace

std::string dump(const Json& json) {
  // ASCII only: the rest is escaped, so that no name in it steers a terminal.
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Json text_or_null(std::string_view text) {
  return text.empty() ? Json(nullptr) : Json(std::string(text));
}

Json json_of(const Facts& facts) {
  Json json;
  json["kind"] = std::string(name_of(facts.kind));
  json["name"] = facts.name;
  json["readable"] = facts.readable;
  json["writable"] = facts.writable;
  json["appends"] = facts.appends;
  json["nonblocking"] = facts.nonblocking;
  json["seekable"] = facts.seekable;
  json["pseudo"] = facts.pseudo;
  json["sealed"] = facts.sealed;
  json["size"] = given(is_file(facts.kind), facts.size);
  json["allocated"] = given(facts.kind == Kind::regular, facts.allocated);
  json["position"] = given(facts.seekable, facts.position);
  json["device"] = facts.device;
  json["inode"] = facts.inode;
  json["file_system"] = text_or_null(facts.file_system);
  json["may_clone"] = facts.may_clone;
  json["pipe_capacity"] = given(facts.kind == Kind::pipe, facts.pipe_capacity);
  json["send_buffer"] = given(is_socket(facts.kind), facts.send_buffer);
  json["receive_buffer"] = given(is_socket(facts.kind), facts.receive_buffer);
  json["congestion"] = text_or_null(facts.congestion);
  json["peer_local"] = is_socket(facts.kind) ? Json(facts.peer_local) : Json(nullptr);
  return json;
}

Json json_of(const std::vector<Refusal>& refused) {
  Json list = Json::array();
  for (const Refusal& refusal : refused) {
    Json json;
    json["method"] = std::string(name_of(refusal.method));
    json["reason"] = std::string(refusal.reason.code);
    json["detail"] = text_or_null(refusal.detail);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace headrace::explain
