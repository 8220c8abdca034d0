#include "methods/support/ends.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>

#include "sys/poll.hpp"
#include "sys/read_write.hpp"

namespace headrace {
namespace {

// POLLOUT promises room for this much in a pipe (PIPE_BUF) and nothing anywhere else.
constexpr std::size_t safe_after_poll = 4096;

// Not a peer: a read or write here sleeps on a disk at most.
bool local(Kind kind) {
  return is_file(kind) || kind == Kind::null_device || kind == Kind::zero_device;
}

bool ready(DescriptorRef descriptor, short event) {
  std::array end{pollfd{.fd = descriptor.number(), .events = event, .revents = 0}};
  const auto count = sys::poll(end, std::chrono::milliseconds{0});
  return count && *count > 0;
}

iovec iovec_of(std::span<const std::byte> bytes) {
  // NOLINTNEXTLINE(*-const-cast): the kernel only reads it
  return {.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()};
}

bool not_supported(const Error& error) { return error.code.value() == EOPNOTSUPP; }

}  // namespace

Reader::Reader(DescriptorRef source, const Facts& facts) : source_(source) {
  if (local(facts.kind) || facts.nonblocking) {
    way_ = Way::plain;
  } else if (is_socket(facts.kind)) {
    way_ = Way::receive;
  } else if (facts.kind == Kind::pipe) {
    way_ = Way::no_wait;
  }
}

Result<std::size_t> Reader::read(std::span<std::byte> buffer, std::optional<Bytes> offset) {
  if (offset || way_ != Way::poll_first) ++calls_;
  if (offset) return sys::pread(source_, buffer, *offset);
  if (way_ == Way::plain) return sys::read(source_, buffer);
  if (way_ == Way::receive) return sys::recv(source_, buffer, MSG_DONTWAIT);
  if (way_ == Way::no_wait) {
    auto step = sys::preadv2(source_, buffer, RWF_NOWAIT);
    if (step || !not_supported(step.error())) return step;
    way_ = Way::poll_first;  // pipes take the flag on newer kernels only
  }
  return read_if_ready(buffer);
}

Result<std::size_t> Reader::read_if_ready(std::span<std::byte> buffer) {
  if (!ready(source_, POLLIN)) return fail("poll", EAGAIN);
  ++calls_;
  return sys::read(source_, buffer);
}

Writer::Writer(DescriptorRef destination, const Facts& facts) : destination_(destination) {
  if (is_socket(facts.kind)) {
    way_ = Way::send;
  } else if (local(facts.kind) || facts.nonblocking) {
    way_ = Way::plain;
  } else if (facts.kind == Kind::pipe) {
    way_ = Way::no_wait;
  }
}

Result<std::size_t> Writer::write(std::span<const std::byte> bytes) {
  if (way_ != Way::poll_first) ++calls_;
  if (way_ == Way::plain) return sys::write(destination_, bytes);
  if (way_ == Way::send) return sys::send(destination_, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (way_ == Way::no_wait) {
    auto step = sys::pwritev2(destination_, bytes, RWF_NOWAIT);
    if (step || !not_supported(step.error())) return step;
    way_ = Way::poll_first;
  }
  return write_if_ready(bytes);
}

Result<std::size_t> Writer::write(std::span<const std::byte> head,
                                  std::span<const std::byte> bytes) {
  if (head.empty()) return write(bytes);
  if (way_ != Way::send) return write(head);
  ++calls_;
  const std::array both{iovec_of(head), iovec_of(bytes)};
  return sys::sendmsg(destination_, both, MSG_DONTWAIT | MSG_NOSIGNAL);
}

Result<std::size_t> Writer::write_if_ready(std::span<const std::byte> bytes) {
  if (!ready(destination_, POLLOUT)) return fail("poll", EAGAIN);
  ++calls_;
  return sys::write(destination_, bytes.first(std::min(bytes.size(), safe_after_poll)));
}

}  // namespace headrace
