#include "http/server/head_text.hpp"

#include "http/message/status.hpp"

namespace headrace::http::server {
namespace {

std::string_view connection_line(const HeadEnd& end) {
  if (!end.keeps) return "Connection: close\r\n";
  return end.minor_version == 0 ? "Connection: keep-alive\r\n" : "";
}

ResponseHead head_of(const Answer& answer) {
  ResponseHead head{.status = answer.status,
                    .reason = std::string(reason_phrase(answer.status)),
                    .minor_version = 1,
                    .fields = answer.fields};
  const Bytes length = answer.content == Answer::Content::file ? answer.length : answer.text.size();
  if (answer.content != Answer::Content::none) {
    head.fields.push_back({"Content-Length", std::to_string(length)});
  }
  return head;
}

}  // namespace

void append_head(std::string& text, const Answer& answer, std::string_view prepared,
                 const HeadEnd& end) {
  if (answer.prepared) {
    text += prepared;
  } else {
    const ResponseHead head = head_of(answer);
    const auto printed = print(head);
    // Only what is ours is in it then, and the length that follows.
    text +=
        printed ? *printed : *print(ResponseHead{.status = 500, .fields = {head.fields.back()}});
    text.resize(text.size() - 2);  // the empty line comes later
  }
  text += end.date;
  text += connection_line(end);
  text += "\r\n";
}

}  // namespace headrace::http::server
