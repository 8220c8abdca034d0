#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"
#include "headrace/reason.hpp"

namespace headrace {

inline constexpr Reason no_mapping{"no-mapping", "the kernel gives us no mapping of the file"};

/// A piece of a file mapped into memory, shared with the file.
///
/// Its bytes are for system calls only: one that meets a page behind the end of the file answers
/// EFAULT, where a load or a store of ours would die of SIGBUS.
class Window {
 public:
  Window() = default;
  /// Maps at least [begin, end) of the file; `protection` as in mmap(2).
  static Result<Window> map(DescriptorRef file, Bytes begin, Bytes end, int protection);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  Window(Window&& other) noexcept;
  Window& operator=(Window&& other) noexcept;
  ~Window();

  [[nodiscard]] bool holds(Bytes offset) const { return offset >= start_ && offset < end(); }
  /// The bytes from `offset` on, at most `most`; the window holds `offset`.
  [[nodiscard]] std::span<std::byte> at(Bytes offset, Bytes most) const;

 private:
  [[nodiscard]] Bytes end() const { return start_ + mapping_.size(); }

  Bytes start_ = 0;  // of the mapping in the file
  std::span<std::byte> mapping_;
};

/// The size of windows, in whole pages: as wished, within reason.
Bytes window_size(std::optional<Bytes> wish);
/// Where a window that holds `offset` ends.
Bytes window_end(Bytes offset, Bytes size);
/// For the report.
std::string window_note(Bytes size);

/// The kernel's answer where a page of a mapping is not there: the file ended, or its disk is full.
bool is_page_missing(const Error& error);

}  // namespace headrace
