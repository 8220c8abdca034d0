#pragma once

#include <optional>
#include <string_view>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace {

/// What the kernel counts as read from devices on behalf of the calling thread.
class DiskMeter {
 public:
  DiskMeter();
  /// Bytes since the thread began; absent where the kernel or a sandbox does not say. File systems
  /// without a device of their own (tmpfs, and network ones) may count nothing.
  [[nodiscard]] std::optional<Bytes> read_bytes() const;

 private:
  Descriptor counts_;
};

/// The number behind "read_bytes: " in the text of /proc/PID/io. Pure.
std::optional<Bytes> read_bytes_in(std::string_view text);

}  // namespace headrace
