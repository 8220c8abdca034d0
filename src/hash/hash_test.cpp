#include "hash/hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <string_view>
#include <vector>

namespace headrace {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

Digest digest_of(std::string_view text) {
  Hash hash;
  hash.add(bytes_of(text));
  return hash.value();
}

// What `xxhsum -H2` prints: other programs must find the same.
TEST(Hash, IsXxh3Of128BitsInCanonicalForm) {
  EXPECT_EQ(hexadecimal(digest_of("")), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hexadecimal(digest_of("abc")), "06b05ab6733a618578af5f94892f3950");
}

TEST(Hash, DoesNotDependOnHowTheBytesAreCut) {
  std::string text(1'000'003, 'x');
  for (std::size_t at = 0; at < text.size(); ++at) text[at] = static_cast<char>(at * 31 % 251);
  const Digest whole = digest_of(text);
  for (const std::size_t part : {std::size_t{1}, std::size_t{17}, std::size_t{4096}}) {
    Hash hash;
    for (std::string_view rest = text; !rest.empty();
         rest.remove_prefix(std::min(part, rest.size()))) {
      hash.add(bytes_of(rest.substr(0, part)));
    }
    EXPECT_EQ(hash.value(), whole) << "in parts of " << part;
  }
}

TEST(Hash, TellsOneChangedByte) {
  std::string text(100'000, '\0');
  const Digest before = digest_of(text);
  text[77'777] = 1;
  EXPECT_NE(digest_of(text), before);
}

TEST(Hash, GoesOnAfterAValue) {
  Hash hash;
  hash.add(bytes_of("a"));
  EXPECT_EQ(hash.value(), digest_of("a"));
  hash.add({});
  hash.add(bytes_of("bc"));
  EXPECT_EQ(hash.value(), digest_of("abc"));
}

}  // namespace
}  // namespace headrace
