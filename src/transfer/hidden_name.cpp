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
// Lower case only: some file systems do not tell case apart. Neither 0 nor 1: no random name is one
// of the first names.
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

std::string with_ending(const std::string& name, std::size_t longest, std::string_view ending) {
  const std::size_t added = 1 + mark.size() + ending.size();
  std::string hidden = ".";
  hidden += shortened(name, longest > added ? longest - added : 0);
  hidden += mark;
  hidden += ending;
  return hidden;
}

}  // namespace

Result<std::string> hidden_name(const std::string& name, std::size_t longest) {
  std::array<unsigned char, random_characters> random{};
  // Never short: up to 256 bytes come whole once the pool is ready (getrandom(2)).
  if (const auto filled = sys::getrandom(random, 0); !filled) {
    return std::unexpected(filled.error());
  }
  std::string ending;
  for (const unsigned char byte : random) ending += alphabet[byte % alphabet.size()];
  return with_ending(name, longest, ending);
}

std::string first_name(const std::string& name, std::size_t longest, int number) {
  const std::string digits = std::to_string(number + 1);
  return with_ending(name, longest, std::string(random_characters - digits.size(), '0') + digits);
}

std::size_t longest_name(DescriptorRef directory) {
  const auto status = sys::fstatfs(directory);
  if (!status || status->f_namelen <= 0) return NAME_MAX;
  return std::min<std::size_t>(NAME_MAX, static_cast<std::size_t>(status->f_namelen));
}

}  // namespace headrace
