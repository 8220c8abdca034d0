#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "headrace/result.hpp"

namespace headrace {

/// Memory of whole pages, straight from the kernel and given back to it.
///
/// A pipe or a socket may refer to such pages longer than we do. Given back they stay what they
/// were for whoever refers to them; freed heap memory would come into other hands and change.
class PageBuffer {
 public:
  PageBuffer() = default;
  /// At least `bytes` bytes, zeroed.
  static Result<PageBuffer> allocate(std::size_t bytes);
  PageBuffer(const PageBuffer&) = delete;
  PageBuffer& operator=(const PageBuffer&) = delete;
  PageBuffer(PageBuffer&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  PageBuffer& operator=(PageBuffer&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~PageBuffer();

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  explicit PageBuffer(std::span<std::byte> bytes) : bytes_(bytes) {}

  std::span<std::byte> bytes_;
};

}  // namespace headrace
