#include "http/message/chunk_head.hpp"

#include <array>
#include <charconv>

namespace headrace::http {

std::string chunk_head(Bytes size) {
  std::array<char, 2 * sizeof(Bytes)> digits{};
  const auto written = std::to_chars(digits.begin(), digits.end(), size, 16);
  return std::string(digits.begin(), written.ptr).append("\r\n");
}

}  // namespace headrace::http
