#include "http/server/answer.hpp"

#include "http/message/status.hpp"

namespace headrace::http::server {

Answer answer_status(int status, Fields fields) {
  Answer answer{.status = status, .fields = std::move(fields)};
  answer.fields.push_back({"Content-Type", "text/plain; charset=utf-8"});
  answer.text = std::to_string(status) + ' ' + std::string(reason_phrase(status)) + '\n';
  return answer;
}

Answer answer_fault(const std::error_code& fault) {
  Answer answer = answer_status(answering_status(fault));
  answer.why = fault.message();
  answer.text += answer.why + '\n';
  answer.close = true;
  return answer;
}

Answer answer_taken(int status) {
  if (status != 204) return answer_status(status);
  Answer answer{.status = status};
  answer.content = Answer::Content::none;
  return answer;
}

std::string_view allowed_methods(const Configuration& configuration) {
  return configuration.uploads != Uploads::refused ? "GET, HEAD, OPTIONS, PUT"
                                                   : "GET, HEAD, OPTIONS";
}

}  // namespace headrace::http::server
