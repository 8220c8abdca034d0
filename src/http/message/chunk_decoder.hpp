#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <system_error>
#include <type_traits>

#include "headrace/bytes.hpp"
#include "headrace/result.hpp"

namespace headrace::http {

/// Why a chunked body is refused. Its end is then unknown: the connection must be closed.
enum class ChunkFault {
  bad_size = 1,
  size_too_large,
  bad_line_ending,
  bad_extension,
  extension_too_long,
  data_not_ended,
  bad_trailer,
  trailers_too_long,
};

const std::error_category& chunk_category();
std::error_code make_error_code(ChunkFault fault);

/// Reads a chunked body (RFC 9112 7.1) that comes in parts of any size. Copies nothing.
///
/// Extensions and trailers are bounded, looked at and dropped. Threads: one at a time.
class ChunkDecoder {
 public:
  struct Step {
    std::size_t consumed = 0;         ///< bytes of the input that are done with, `data` included
    std::span<const std::byte> data;  ///< of the body, inside the input; empty where there is none
    bool finished = false;            ///< the body is over; what is not consumed follows it
  };

  /// Reads on: up to the end of the first run of data, of the body or of the input. An input that
  /// is not consumed whole is given again from there, until `finished`. Errors: a ChunkFault, by
  /// "chunk"; it comes again at each further call.
  Result<Step> decode(std::span<const std::byte> input);

  /// Bytes of the chunk under way that are still to come: data whatever they are.
  [[nodiscard]] Bytes rest_of_chunk() const { return state_ == State::data ? rest_ : 0; }

 private:
  enum class State {
    size,
    size_blank,
    extension,
    size_line_feed,
    data,
    data_return,
    data_line_feed,
    trailer_start,
    trailer_name,
    trailer_value,
    trailer_line_feed,
    last_line_feed,
    finished,
    failed,
  };

  // One byte that is not data: each answers with the state behind it.
  State read(char byte);
  State read_size(char byte);
  State end_size(char byte);
  State read_extension(char byte);
  State read_trailer(char byte);
  State failed_by(ChunkFault fault);

  State state_ = State::size;
  ChunkFault fault_{};
  Bytes rest_ = 0;           // of the chunk; while its size is read, the size so far
  std::size_t digits_ = 0;   // of the size
  std::size_t dropped_ = 0;  // bytes of this extension, or of all trailers
};

}  // namespace headrace::http

template <>
struct std::is_error_code_enum<headrace::http::ChunkFault> : std::true_type {};
