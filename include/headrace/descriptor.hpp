#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "headrace/result.hpp"

namespace headrace {

/// A file descriptor that belongs to somebody else. Never closes anything.
///
/// The owner keeps it open for as long as the reference is in use. -1 means "none".
class DescriptorRef {
 public:
  constexpr DescriptorRef() noexcept = default;
  explicit constexpr DescriptorRef(int number) noexcept : number_(number) {}
  [[nodiscard]] constexpr int number() const noexcept { return number_; }
  [[nodiscard]] constexpr bool valid() const noexcept { return number_ >= 0; }
  friend constexpr bool operator==(DescriptorRef, DescriptorRef) noexcept = default;

 private:
  int number_ = -1;
};

/// The one owner of a file descriptor; closes it exactly once.
class Descriptor {
 public:
  constexpr Descriptor() noexcept = default;
  explicit constexpr Descriptor(int number) noexcept : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    const Descriptor dropped{std::exchange(number_, std::exchange(other.number_, -1))};
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  /// Closes now and says what close(2) answered: a writer's late error (EIO, EDQUOT on NFS)
  /// surfaces only here. The number is free afterwards even when an error is returned.
  Result<void> close() {
    if (::close(std::exchange(number_, -1)) != 0) return fail("close", errno);
    return {};
  }
  [[nodiscard]] DescriptorRef ref() const noexcept { return DescriptorRef{number_}; }
  [[nodiscard]] bool valid() const noexcept { return number_ >= 0; }

 private:
  int number_ = -1;  // -1 when empty
};

}  // namespace headrace
