#include <string>

#include "explain/json_parts.hpp"
#include "explain/words.hpp"
#include "headrace/explain.hpp"

namespace headrace {

std::string to_json(const Plan& plan, const Facts& source, const Facts& destination) {
  using explain::Json;
  Json usable = Json::array();
  for (const Method* method : plan.usable) {
    Json json;
    json["method"] = std::string(explain::name_of(method));
    json["class"] = std::string(name_of(method->path_class));
    usable.push_back(std::move(json));
  }
  Json json;
  json["schema"] = explain::json_schema;
  json["command"] = "explain";
  json["source"] = explain::json_of(source);
  json["destination"] = explain::json_of(destination);
  json["contract"] = {{"name", std::string(name_of(plan.contract))},
                      {"clones_source", plan.clones_source}};
  json["class"] = usable.empty() ? Json(nullptr) : usable.front()["class"];
  json["usable"] = std::move(usable);
  json["refused"] = explain::json_of(plan.refused);
  return explain::dump(json);
}

}  // namespace headrace
