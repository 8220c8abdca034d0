#pragma once

#include <variant>

#include "headrace/descriptor.hpp"

namespace headrace {

/// A descriptor that carries the bytes as they are. Methods that call the kernel's own movers
/// (sendfile, splice) take only this type, so that plain bytes can never be written to a
/// descriptor whose stream is encrypted in user space. Borrows.
struct Plain {
  DescriptorRef descriptor;
};

/// One end of a transfer. Encrypted sessions join this variant as their own type.
using Endpoint = std::variant<Plain>;

}  // namespace headrace
