#include "methods/support/window.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "sys/mapping.hpp"

namespace headrace {
namespace {

// Measured from the page cache into TCP and from TCP into ext4 and tmpfs: 256 KiB runs at two
// thirds to nine tenths of 1 MiB, and more gains nothing.
constexpr Bytes default_window = mebibyte;
// Beyond this a window only takes page tables.
constexpr Bytes largest_window = gibibyte;

Bytes page_of(Bytes offset) { return offset / sys::page_size() * sys::page_size(); }

}  // namespace

Result<Window> Window::map(DescriptorRef file, Bytes begin, Bytes end, int protection) {
  const Bytes start = page_of(begin);
  const auto mapping = sys::mmap(file, start, static_cast<std::size_t>(end - start), protection);
  if (!mapping) return std::unexpected(mapping.error());
  Window window;
  window.start_ = start;
  window.mapping_ = *mapping;
  return window;
}

Window::Window(Window&& other) noexcept
    : start_(other.start_), mapping_(std::exchange(other.mapping_, {})) {}

Window& Window::operator=(Window&& other) noexcept {
  std::swap(start_, other.start_);
  std::swap(mapping_, other.mapping_);
  return *this;
}

Window::~Window() {
  // Cannot fail for a range that mmap gave; there would be nothing to do about it either.
  if (!mapping_.empty() && !sys::munmap(mapping_)) return;
}

std::span<std::byte> Window::at(Bytes offset, Bytes most) const {
  const auto rest = mapping_.subspan(static_cast<std::size_t>(offset - start_));
  return rest.first(next_request(most, rest.size()));
}

Bytes window_size(std::optional<Bytes> wish) {
  const Bytes page = sys::page_size();
  const Bytes size = std::clamp(wish.value_or(default_window), page, largest_window);
  return page_of(size + page - 1);
}

Bytes window_end(Bytes offset, Bytes size) { return page_of(offset) + size; }

std::string window_note(Bytes size) { return "window of " + std::to_string(size) + " bytes"; }

bool is_page_missing(const Error& error) { return error.code.value() == EFAULT; }

}  // namespace headrace
