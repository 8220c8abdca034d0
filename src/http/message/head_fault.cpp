#include "http/message/head_fault.hpp"

#include <string>

namespace headrace::http {
namespace {

struct Row {
  int status;
  const char* text;
};

Row row_of(HeadFault fault) {
  switch (fault) {
    case HeadFault::incomplete:
      return {.status = 400, .text = "the head is not complete"};
    case HeadFault::bad_line_ending:
      return {.status = 400, .text = "a line of the head does not end in CR LF"};
    case HeadFault::control_byte:
      return {.status = 400, .text = "the head holds a control byte"};
    case HeadFault::bad_request_line:
      return {.status = 400, .text = "the first line is no request"};
    case HeadFault::bad_method:
      return {.status = 400, .text = "the method is no token"};
    case HeadFault::bad_target:
      return {.status = 400, .text = "the target is empty or holds a blank"};
    case HeadFault::bad_version:
      return {.status = 400, .text = "the version is not written as HTTP/1.1 is"};
    case HeadFault::version_not_supported:
      return {.status = 505, .text = "the version is not HTTP/1"};
    case HeadFault::bad_status_line:
      return {.status = 400, .text = "the first line is no answer"};
    case HeadFault::bad_field_name:
      return {.status = 400, .text = "a field has no name, or one that is no token"};
    case HeadFault::space_before_colon:
      return {.status = 400, .text = "a field has a blank before its colon"};
    case HeadFault::folded_field:
      return {.status = 400, .text = "a line of the head begins with a blank"};
    case HeadFault::no_host:
      return {.status = 400, .text = "the request names no Host"};
    case HeadFault::several_hosts:
      return {.status = 400, .text = "the request names more than one Host"};
    case HeadFault::target_too_long:
      return {.status = 414, .text = "the target is too long"};
    case HeadFault::head_too_long:
      return {.status = 431, .text = "the head is too long"};
    case HeadFault::too_many_fields:
      return {.status = 431, .text = "the head has too many fields"};
    case HeadFault::bad_length:
      return {.status = 400, .text = "Content-Length is no length"};
    case HeadFault::several_lengths:
      return {.status = 400, .text = "there is more than one Content-Length"};
    case HeadFault::length_and_coding:
      return {.status = 400, .text = "there are both Content-Length and Transfer-Encoding"};
    case HeadFault::coding_in_old_version:
      return {.status = 400, .text = "HTTP/1.0 has no Transfer-Encoding"};
    case HeadFault::coding_not_final:
      return {.status = 400, .text = "Transfer-Encoding does not end in one chunked"};
    case HeadFault::coding_not_supported:
      return {.status = 501, .text = "the only Transfer-Encoding that is understood is chunked"};
    case HeadFault::malformed:
      return {.status = 400, .text = "the head is malformed"};
  }
  return {.status = 400, .text = "unknown fault"};
}

class Category final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "http-head"; }
  [[nodiscard]] std::string message(int value) const override {
    return row_of(static_cast<HeadFault>(value)).text;
  }
};

}  // namespace

const std::error_category& head_category() {
  static const Category only;
  return only;
}

std::error_code make_error_code(HeadFault fault) {
  return {static_cast<int>(fault), head_category()};
}

int answering_status(HeadFault fault) { return row_of(fault).status; }

int answering_status(const std::error_code& code) {
  if (code.category() != head_category()) return 400;
  return answering_status(static_cast<HeadFault>(code.value()));
}

}  // namespace headrace::http
