#include <algorithm>
#include <charconv>
#include <string>

#include "http/message/chunk_decoder.hpp"
#include "http/message/chunk_head.hpp"
#include "http/message/field.hpp"
#include "support.hpp"

namespace headrace::fuzz {
namespace {

struct Read {
  std::string data;
  std::error_code fault;
  bool finished = false;
  std::size_t consumed = 0;
};

/// Feeds one part, as a reader of a socket does.
void feed(http::ChunkDecoder& decoder, std::string_view part, Read& read) {
  while (!part.empty() && !read.finished && !read.fault) {
    const auto step = decoder.decode(std::as_bytes(std::span(part)));
    if (!step) {
      read.fault = step.error().code;
      return;
    }
    const std::string_view data{reinterpret_cast<const char*>(step->data.data()),
                                step->data.size()};
    require(step->consumed > 0 && step->consumed <= part.size(), "it goes on, within its input");
    require(data.empty() || (data.data() >= part.data() &&
                             data.data() + data.size() == part.data() + step->consumed),
            "data end where the consumed part does");
    read.data += data;
    read.consumed += step->consumed;
    read.finished = step->finished;
    part.remove_prefix(step->consumed);
  }
}

/// The body in parts whose sizes come from `seed`; 0: all at once.
Read read_in_parts(std::string_view body, std::uint32_t seed) {
  http::ChunkDecoder decoder;
  Read read;
  while (!body.empty() && !read.finished && !read.fault) {
    seed = seed * 1664525U + 1013904223U;  // Knuth's linear congruence
    const std::size_t size = std::min<std::size_t>(body.size(), 1 + (seed >> 24U) % 17);
    feed(decoder, body.substr(0, size), read);
    body.remove_prefix(size);
  }
  return read;
}

Read read_whole(std::string_view body) {
  http::ChunkDecoder decoder;
  Read read;
  feed(decoder, body, read);
  return read;
}

/// Takes a line and its CR LF off `body`.
std::string_view take_line(std::string_view& body) {
  const std::size_t end = body.find("\r\n");
  require(end != std::string_view::npos, "a line ends in CR LF");
  const std::string_view line = body.substr(0, end);
  require(line.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos,
          "a line holds no CR, LF or NUL");
  body.remove_prefix(end + 2);
  return line;
}

/// A body that was taken, read once more in the plainest way: it must hold that data and no more.
void look_at_chunks(std::string_view body, std::string_view data) {
  for (;;) {
    const std::string_view line = take_line(body);
    std::uint64_t size = 0;
    const auto number = std::from_chars(line.data(), line.data() + line.size(), size, 16);
    require(number.ec == std::errc{}, "a chunk begins with its size");
    const auto behind = http::trimmed({number.ptr, line.data() + line.size()});
    require(behind.empty() || behind.front() == ';', "behind a size comes an extension alone");
    if (size == 0) break;
    require(size <= data.size() && data.substr(0, size) == body.substr(0, size),
            "data are those of the chunk");
    data.remove_prefix(size);
    body.remove_prefix(size);
    require(take_line(body).empty(), "data end with a line");
  }
  require(data.empty(), "data are in chunks");
  for (std::string_view line = take_line(body); !line.empty(); line = take_line(body)) {
    require(http::is_token(line.substr(0, line.find(':'))), "a trailer is a field");
  }
  require(body.empty(), "the body ends behind its trailers");
}

void same(const Read& parts, const Read& whole) {
  require(parts.data == whole.data, "the data do not depend on the parts");
  require(parts.fault == whole.fault, "nor does the fault");
  require(parts.finished == whole.finished, "nor the end");
  require(whole.fault || parts.consumed == whole.consumed, "nor what follows");
}

}  // namespace
}  // namespace headrace::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headrace;
  fuzz::Input input(data, size);
  const std::uint8_t seed = input.byte();
  const std::string_view body = input.text();
  const auto whole = fuzz::read_whole(body);
  fuzz::same(fuzz::read_in_parts(body, seed), whole);
  fuzz::require(whole.data.size() <= body.size(), "data are part of the body");
  if (!whole.finished) return 0;
  fuzz::look_at_chunks(body.substr(0, whole.consumed), whole.data);
  const std::string written = (whole.data.empty() ? std::string{}
                                                  : http::chunk_head(whole.data.size()) +
                                                        whole.data + std::string(http::chunk_end)) +
                              std::string(http::last_chunk);
  const auto again = fuzz::read_whole(written);
  fuzz::require(again.finished && again.data == whole.data, "what is written is read as the same");
  return 0;
}
