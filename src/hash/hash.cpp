#include "hash/hash.hpp"

// The header alone, so that neither the tool nor a program that links the library must find one
// more shared object at its start.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace headrace {

struct Hash::State {
  XXH3_state_t xxh{};
};

Hash::Hash() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh); }
Hash::Hash(Hash&&) noexcept = default;
Hash& Hash::operator=(Hash&&) noexcept = default;
Hash::~Hash() = default;

void Hash::add(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

Digest Hash::value() const {
  XXH128_canonical_t canonical{};
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_->xxh));
  Digest digest;
  std::ranges::copy(std::as_bytes(std::span(canonical.digest)), digest.bytes.begin());
  return digest;
}

std::string hexadecimal(const Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : digest.bytes) {
    const auto value = std::to_integer<unsigned>(byte);
    text += digits[value >> 4U];
    text += digits[value & 0xFU];
  }
  return text;
}

}  // namespace headrace
