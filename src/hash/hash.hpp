#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace headrace {

/// An XXH3-128 hash in its canonical form: the most significant byte first, as `xxhsum -H2` prints.
///
/// Finds accidents, not attacks: whoever wants to can make two files with one hash.
struct Digest {
  std::array<std::byte, 16> bytes{};
  friend bool operator==(const Digest&, const Digest&) = default;
};

inline constexpr std::string_view digest_algorithm = "xxh3-128";

/// 32 hexadecimal digits.
std::string hexadecimal(const Digest& digest);

/// Hashes bytes that come in parts of any size. Threads: one at a time.
class Hash {
 public:
  Hash();
  Hash(Hash&&) noexcept;
  Hash& operator=(Hash&&) noexcept;
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;
  ~Hash();

  void add(std::span<const std::byte> bytes);
  /// Of everything added so far; more may follow.
  [[nodiscard]] Digest value() const;

 private:
  struct State;  // xxhash's own, aligned to its vectors; nobody who includes this needs its header
  std::unique_ptr<State> state_;
};

}  // namespace headrace
