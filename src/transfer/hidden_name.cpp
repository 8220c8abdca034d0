#include "transfer/hidden_name.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <string_view>

#include "sys/files.hpp"

namespace headrace {
namespace {

constexpr std::string_view mark = ".headrace-";
constexpr std::size_t random_characters = 6;
// Lower case only: some file systems do not tell case apart.
constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz234567";
static_assert(alphabet.size() == 32, "a random byte, less its top bits, is an index");

constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::string_view shortened(std::string_view name, std::size_t longest) {
  if (name.size() <= longest) return name;
  while (longest > 0 && continues_character(name[longest])) --longest;
  return name.substr(0, longest);
}

}  // namespace

Result<std::string> hidden_name(const std::string& name, std::size_t longest) {
  std::array<unsigned char, random_characters> random{};
  // Never short: up to 256 bytes come whole once the pool is ready (getrandom(2)).
  if (const auto filled = sys::getrandom(random, 0); !filled) {
    return std::unexpected(filled.error());
  }
  const std::size_t added = 1 + mark.size() + random.size();
  std::string hidden = ".";
  hidden += shortened(name, longest > added ? longest - added : 0);
  hidden += mark;
  for (const unsigned char byte : random) hidden += alphabet[byte % alphabet.size()];
  return hidden;
}

std::size_t longest_name(DescriptorRef directory) {
  const auto status = sys::fstatfs(directory);
  if (!status || status->f_namelen <= 0) return NAME_MAX;
  return std::min<std::size_t>(NAME_MAX, static_cast<std::size_t>(status->f_namelen));
}

}  // namespace headrace
