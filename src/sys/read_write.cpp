#include "sys/read_write.hpp"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

namespace headrace::sys {
namespace {

Result<std::size_t> counted(ssize_t count, std::string_view call) {
  if (count < 0) return fail(call, errno);
  return static_cast<std::size_t>(count);
}

constexpr off_t current_position = -1;

}  // namespace

Result<std::size_t> read(DescriptorRef source, std::span<std::byte> buffer) {
  return counted(::read(source.number(), buffer.data(), buffer.size()), "read");
}

Result<std::size_t> pread(DescriptorRef source, std::span<std::byte> buffer, Bytes offset) {
  return counted(::pread(source.number(), buffer.data(), buffer.size(), static_cast<off_t>(offset)),
                 "pread");
}

Result<std::size_t> preadv2(DescriptorRef source, std::span<std::byte> buffer, int flags) {
  const iovec piece{.iov_base = buffer.data(), .iov_len = buffer.size()};
  return counted(::preadv2(source.number(), &piece, 1, current_position, flags), "preadv2");
}

Result<std::size_t> preadv2(DescriptorRef source, std::span<std::byte> buffer, Bytes offset,
                            int flags) {
  const iovec piece{.iov_base = buffer.data(), .iov_len = buffer.size()};
  return counted(::preadv2(source.number(), &piece, 1, static_cast<off_t>(offset), flags),
                 "preadv2");
}

Result<std::size_t> write(DescriptorRef destination, std::span<const std::byte> bytes) {
  return counted(::write(destination.number(), bytes.data(), bytes.size()), "write");
}

Result<std::size_t> pwritev2(DescriptorRef destination, std::span<const std::byte> bytes,
                             int flags) {
  // iovec has no const form; the call only reads.
  auto* const base = const_cast<std::byte*>(bytes.data());  // NOLINT(*-pro-type-const-cast)
  const iovec piece{.iov_base = base, .iov_len = bytes.size()};
  return counted(::pwritev2(destination.number(), &piece, 1, current_position, flags), "pwritev2");
}

Result<std::size_t> send(DescriptorRef destination, std::span<const std::byte> bytes, int flags) {
  return counted(::send(destination.number(), bytes.data(), bytes.size(), flags), "send");
}

Result<std::size_t> sendmsg(DescriptorRef destination, std::span<const iovec> buffers, int flags) {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(buffers.data());  // NOLINT(*-const-cast): it is not written
  message.msg_iovlen = buffers.size();
  return counted(::sendmsg(destination.number(), &message, flags), "sendmsg");
}

Result<std::size_t> recv(DescriptorRef source, std::span<std::byte> buffer, int flags) {
  return counted(::recv(source.number(), buffer.data(), buffer.size(), flags), "recv");
}

}  // namespace headrace::sys
