#include "http/client/answer.hpp"

#include <algorithm>
#include <optional>

#include "http/client/fault.hpp"
#include "http/message/chunk_decoder.hpp"
#include "http/message/field.hpp"

namespace headrace::http::client {
namespace {

// What comes later than that is not worth a connection.
constexpr std::chrono::milliseconds longest_drain{5000};

bool is_for_people(const ResponseHead& head) {
  const auto type = find(head.fields, "Content-Type");
  if (!type) return true;
  const auto media = trimmed(type->substr(0, type->find(';')));
  return same_token(media, "text/plain") || media.ends_with("json");
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Takes the body of an answer off its connection, bit by bit.
class Drain {
 public:
  Drain(Connection& connection, const BodyFraming& framing)
      : connection_(connection), framing_(framing) {}

  // True when the body was read to its end; false where that is too far or cannot be had.
  bool run() {
    for (;;) {
      if (is_over()) return true;
      if (connection_.buffered().empty() && !more()) return ended_ && is_until_close();
      if (!take()) return false;
      if (taken_ > most_drained) return false;
    }
  }

  [[nodiscard]] const std::string& beginning() const { return beginning_; }

 private:
  using Kind = BodyFraming::Kind;

  [[nodiscard]] bool is_until_close() const { return framing_.kind == Kind::until_close; }
  [[nodiscard]] bool is_over() const {
    if (framing_.kind == Kind::length) return taken_ == framing_.length;
    return framing_.kind == Kind::none || last_chunk_;
  }

  bool more() {
    const auto got = connection_.receive_more(until_);
    ended_ = got && *got == 0;
    return got && *got > 0;
  }

  bool take() {
    const auto bytes = connection_.buffered();
    if (framing_.kind == Kind::chunked) return take_chunks(bytes);
    const Bytes left = framing_.kind == Kind::length ? framing_.length - taken_ : bytes.size();
    const auto mine = bytes.first(next_request(left, bytes.size()));
    keep(mine);
    connection_.consume(mine.size());
    return true;
  }

  bool take_chunks(std::span<const std::byte> bytes) {
    const auto step = decoder_.decode(bytes);
    if (!step) return false;
    keep(step->data);
    last_chunk_ = step->finished;
    connection_.consume(step->consumed);
    return true;
  }

  void keep(std::span<const std::byte> bytes) {
    taken_ += bytes.size();
    beginning_ += as_text(bytes).substr(0, most_text + 1 - std::min(beginning_.size(), most_text));
  }

  Connection& connection_;
  BodyFraming framing_;
  net::Deadline until_ = net::deadline_after(longest_drain);
  ChunkDecoder decoder_;
  Bytes taken_ = 0;
  bool last_chunk_ = false;
  bool ended_ = false;
  std::string beginning_;
};

}  // namespace

Result<ResponseHead> receive_final_head(Connection& connection) {
  for (int interim = 0; interim <= most_interim; ++interim) {
    auto head = connection.receive_head();
    if (!head || head->status >= 200) return head;
    if (head->status == 101) {
      return std::unexpected(Error{Fault::unexpected_answer, "receive_head"});
    }
  }
  return std::unexpected(Error{Fault::too_many_interim, "receive_head"});
}

std::string text_of_body(const ResponseHead& head, std::string_view body) {
  if (body.size() > most_text || !is_for_people(head)) return {};
  if (find(head.fields, "Content-Encoding")) return {};
  std::string text(body);
  std::ranges::replace_if(
      text,
      [](char letter) { return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f'; },
      ' ');
  return std::string(trimmed(text));
}

Leftover drain(Connection& connection, const ResponseHead& head, std::string_view request_method) {
  const auto framing = framing_of(head, request_method);
  if (!framing) return {};
  Drain reading(connection, *framing);
  const bool whole = reading.run();
  const bool clean = whole && framing->kind != BodyFraming::Kind::until_close && keeps_open(head);
  return {.text = whole ? text_of_body(head, reading.beginning()) : std::string{}, .clean = clean};
}

}  // namespace headrace::http::client
