// The one file that includes Beast, for a parser that many have tried.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 with sanitizers, of boost::none
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#pragma GCC diagnostic pop

#include <limits>

#include "http/message/head.hpp"
#include "http/message/head_scan.hpp"

namespace headrace::http {
namespace {

namespace beast = boost::beast;
using beast::error_code;
using Text = beast::string_view;

constexpr int version_1_0 = 10;  // as Beast counts

std::string copy_of(Text text) { return {text.data(), text.size()}; }

/// Collects a head. Whatever Beast knows of bodies stays unused: framing_of() decides on them.
template <class Head>
class Reader final : public beast::http::basic_parser<std::is_same_v<Head, RequestHead>> {
 public:
  Reader(Head& head, std::size_t fields) : head_(head) {
    head_.fields.reserve(fields);
    this->skip(true);
    this->header_limit(std::numeric_limits<std::uint32_t>::max());  // ours has been looked at
  }

 private:
  void on_request_impl(beast::http::verb /*verb*/, Text method, Text target, int version,
                       error_code& /*code*/) override {
    if constexpr (std::is_same_v<Head, RequestHead>) {
      head_.method = copy_of(method);
      head_.target = copy_of(target);
      head_.minor_version = version - version_1_0;
    }
  }
  void on_response_impl(int status, Text reason, int version, error_code& /*code*/) override {
    if constexpr (std::is_same_v<Head, ResponseHead>) {
      head_.status = status;
      head_.reason = copy_of(reason);
      head_.minor_version = version - version_1_0;
    }
  }
  void on_field_impl(beast::http::field /*known*/, Text name, Text value,
                     error_code& /*code*/) override {
    head_.fields.push_back({.name = copy_of(name), .value = copy_of(value)});
  }
  void on_header_impl(error_code& /*code*/) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/,
                         error_code& /*code*/) override {}
  std::size_t on_body_impl(Text body, error_code& /*code*/) override { return body.size(); }
  void on_chunk_header_impl(std::uint64_t /*size*/, Text /*extensions*/,
                            error_code& /*code*/) override {}
  std::size_t on_chunk_body_impl(std::uint64_t /*rest*/, Text body, error_code& /*code*/) override {
    return body.size();
  }
  void on_finish_impl(error_code& /*code*/) override {}

  Head& head_;
};

HeadFault fault_of(const error_code& code) {
  using beast::http::error;
  if (code == error::bad_content_length) return HeadFault::bad_length;
  if (code == error::multiple_content_length) return HeadFault::several_lengths;
  if (code == error::bad_transfer_encoding) return HeadFault::coding_not_final;
  return HeadFault::malformed;
}

template <class Head>
Result<Head> read(std::string_view bytes, std::size_t fields, std::string_view call) {
  Head head;
  Reader<Head> reader(head, fields);
  error_code code;
  const std::size_t consumed = reader.put({bytes.data(), bytes.size()}, code);
  if (code) return std::unexpected(Error{.code = fault_of(code), .call = call});
  // Two readers of one head must agree on where it ends and on what it holds.
  if (!reader.is_header_done() || consumed != bytes.size() || head.fields.size() != fields) {
    return std::unexpected(Error{.code = HeadFault::malformed, .call = call});
  }
  return head;
}

template <class Head>
Result<Head> read(const HeadScan& scan, std::string_view call) {
  if (!scan.odd) return read<Head>(scan.head, scan.fields, call);
  return read<Head>(plain_form(scan.head), scan.fields, call);
}

}  // namespace

Result<RequestHead> parse_request(std::string_view bytes, const HeadLimits& limits) {
  const auto scan = scan_request(bytes, limits);
  if (!scan) return std::unexpected(scan.error());
  return read<RequestHead>(*scan, "parse_request");
}

Result<ResponseHead> parse_response(std::string_view bytes, const HeadLimits& limits) {
  const auto scan = scan_response(bytes, limits);
  if (!scan) return std::unexpected(scan.error());
  return read<ResponseHead>(*scan, "parse_response");
}

}  // namespace headrace::http
