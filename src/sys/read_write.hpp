#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <span>

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::sys {

Result<std::size_t> read(DescriptorRef source, std::span<std::byte> buffer);
Result<std::size_t> pread(DescriptorRef source, std::span<std::byte> buffer, Bytes offset);
/// preadv2(2) at the current position with `flags` (RWF_NOWAIT...), one buffer.
Result<std::size_t> preadv2(DescriptorRef source, std::span<std::byte> buffer, int flags);
/// The same at `offset`; the position stays.
Result<std::size_t> preadv2(DescriptorRef source, std::span<std::byte> buffer, Bytes offset,
                            int flags);
Result<std::size_t> write(DescriptorRef destination, std::span<const std::byte> bytes);
/// pwritev2(2) at the current position with `flags`, one buffer.
Result<std::size_t> pwritev2(DescriptorRef destination, std::span<const std::byte> bytes,
                             int flags);
Result<std::size_t> send(DescriptorRef destination, std::span<const std::byte> bytes, int flags);
/// sendmsg(2) without a name: the buffers one after the other, in one call.
Result<std::size_t> sendmsg(DescriptorRef destination, std::span<const iovec> buffers, int flags);
Result<std::size_t> recv(DescriptorRef source, std::span<std::byte> buffer, int flags);

}  // namespace headrace::sys
