#include "http/message/chunk_decoder.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "http/message/characters.hpp"

namespace headrace::http {
namespace {

constexpr std::size_t most_digits = 16;  // of a size: 64 bits; a row of zeros would never end
constexpr Bytes largest_chunk = std::numeric_limits<std::int64_t>::max();  // what off_t can count
constexpr std::size_t longest_extension = 4 * kibibyte;                    // nobody knows any
constexpr std::size_t longest_trailers = 16 * kibibyte;

class Category final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "http-chunk"; }
  [[nodiscard]] std::string message(int value) const override {
    switch (static_cast<ChunkFault>(value)) {
      case ChunkFault::bad_size:
        return "the size of a chunk is no hexadecimal number";
      case ChunkFault::size_too_large:
        return "the size of a chunk is more than any file can have";
      case ChunkFault::bad_line_ending:
        return "a line between chunks does not end in CR LF";
      case ChunkFault::bad_extension:
        return "the extension of a chunk is malformed";
      case ChunkFault::extension_too_long:
        return "the extension of a chunk is too long";
      case ChunkFault::data_not_ended:
        return "the data of a chunk do not end where its size says";
      case ChunkFault::bad_trailer:
        return "a trailer behind the last chunk is malformed";
      case ChunkFault::trailers_too_long:
        return "the trailers behind the last chunk are too long";
    }
    return "unknown fault";
  }
};

constexpr unsigned no_digit = 16;

/// The value of a hexadecimal digit.
constexpr unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return no_digit;
}

}  // namespace

const std::error_category& chunk_category() {
  static const Category only;
  return only;
}

std::error_code make_error_code(ChunkFault fault) {
  return {static_cast<int>(fault), chunk_category()};
}

Result<ChunkDecoder::Step> ChunkDecoder::decode(std::span<const std::byte> input) {
  Step step;
  while (step.consumed < input.size() && state_ != State::finished && state_ != State::failed) {
    if (state_ == State::data) {
      step.data = input.subspan(step.consumed, next_request(rest_, input.size() - step.consumed));
      step.consumed += step.data.size();
      rest_ -= step.data.size();
      if (rest_ == 0) state_ = State::data_return;
      return step;
    }
    state_ = read(std::to_integer<char>(input[step.consumed++]));
  }
  if (state_ == State::failed) return std::unexpected(Error{.code = fault_, .call = "chunk"});
  step.finished = state_ == State::finished;
  return step;
}

ChunkDecoder::State ChunkDecoder::read(char byte) {
  const auto expect = [&](char wanted, State next, ChunkFault otherwise) {
    return byte == wanted ? next : failed_by(otherwise);
  };
  switch (state_) {
    case State::size:
      return read_size(byte);
    case State::size_blank:
      return end_size(byte);
    case State::extension:
      return read_extension(byte);
    case State::size_line_feed:
      dropped_ = 0;  // trailers have a bound of their own
      return expect('\n', rest_ == 0 ? State::trailer_start : State::data,
                    ChunkFault::bad_line_ending);
    case State::data_return:
      return expect('\r', State::data_line_feed, ChunkFault::data_not_ended);
    case State::data_line_feed:
      return expect('\n', State::size, ChunkFault::data_not_ended);
    case State::trailer_start:
    case State::trailer_name:
    case State::trailer_value:
      return read_trailer(byte);
    case State::trailer_line_feed:
      return expect('\n', State::trailer_start, ChunkFault::bad_line_ending);
    case State::last_line_feed:
      return expect('\n', State::finished, ChunkFault::bad_line_ending);
    case State::data:
    case State::finished:
    case State::failed:
      break;  // decode() reads no byte in these
  }
  return state_;
}

ChunkDecoder::State ChunkDecoder::read_size(char byte) {
  if (const unsigned digit = digit_of(byte); digit != no_digit) {
    if (++digits_ > most_digits) return failed_by(ChunkFault::size_too_large);
    if (rest_ > largest_chunk >> 4U) return failed_by(ChunkFault::size_too_large);
    rest_ = rest_ << 4U | digit;
    return State::size;
  }
  if (digits_ == 0) return failed_by(ChunkFault::bad_size);
  digits_ = 0;
  dropped_ = 0;
  return byte == '\r' ? State::size_line_feed : end_size(byte);
}

// Behind the size; blanks may stand before an extension and before nothing else (RFC 9112 7.1.1).
ChunkDecoder::State ChunkDecoder::end_size(char byte) {
  if (byte == ';') return State::extension;
  if (is_blank(byte) && ++dropped_ <= longest_extension) return State::size_blank;
  return failed_by(byte == '\n' ? ChunkFault::bad_line_ending : ChunkFault::bad_size);
}

ChunkDecoder::State ChunkDecoder::read_extension(char byte) {
  if (byte == '\r') return State::size_line_feed;
  if (byte == '\n') return failed_by(ChunkFault::bad_line_ending);
  if (is_control(byte)) return failed_by(ChunkFault::bad_extension);
  if (++dropped_ > longest_extension) return failed_by(ChunkFault::extension_too_long);
  return State::extension;
}

// A line that is no field would be the next request to a reader who missed the last chunk.
ChunkDecoder::State ChunkDecoder::read_trailer(char byte) {
  if (++dropped_ > longest_trailers) return failed_by(ChunkFault::trailers_too_long);
  if (byte == '\n') return failed_by(ChunkFault::bad_line_ending);
  if (state_ == State::trailer_value) {
    if (byte == '\r') return State::trailer_line_feed;
    return is_control(byte) ? failed_by(ChunkFault::bad_trailer) : State::trailer_value;
  }
  if (state_ == State::trailer_start && byte == '\r') return State::last_line_feed;
  if (state_ == State::trailer_name && byte == ':') return State::trailer_value;
  return is_token_character(byte) ? State::trailer_name : failed_by(ChunkFault::bad_trailer);
}

ChunkDecoder::State ChunkDecoder::failed_by(ChunkFault fault) {
  fault_ = fault;
  return State::failed;
}

}  // namespace headrace::http
