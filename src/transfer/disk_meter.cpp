#include "transfer/disk_meter.hpp"

#include <fcntl.h>

#include <array>
#include <charconv>

#include "sys/files.hpp"
#include "sys/read_write.hpp"

namespace headrace {

std::optional<Bytes> read_bytes_in(std::string_view text) {
  constexpr std::string_view label = "\nread_bytes: ";
  const std::size_t found = text.find(label);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(found + label.size());
  Bytes bytes = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  return read.ec == std::errc{} ? std::optional{bytes} : std::nullopt;
}

DiskMeter::DiskMeter() {
  auto opened = sys::openat(sys::working_directory, "/proc/thread-self/io", O_RDONLY | O_CLOEXEC);
  if (opened) counts_ = std::move(*opened);
}

std::optional<Bytes> DiskMeter::read_bytes() const {
  if (!counts_.valid()) return std::nullopt;
  std::array<char, 512> text{};
  const auto size = sys::pread(counts_.ref(), std::as_writable_bytes(std::span(text)), 0);
  return size ? read_bytes_in({text.data(), *size}) : std::nullopt;
}

}  // namespace headrace
