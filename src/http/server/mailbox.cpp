#include "http/server/mailbox.hpp"

#include <sys/eventfd.h>

#include <array>
#include <cerrno>
#include <span>
#include <utility>

#include "sys/epoll.hpp"
#include "sys/read_write.hpp"

namespace headrace::http::server {

Result<std::shared_ptr<Mailbox>> Mailbox::open() {
  auto bell = sys::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (!bell) return std::unexpected(bell.error());
  return std::shared_ptr<Mailbox>(new Mailbox(std::move(*bell)));
}

bool Mailbox::post(Letter letter) {
  bool first = false;
  {
    const std::scoped_lock lock(mutex_);
    if (closed_) return false;
    first = letters_.empty();
    letters_.push_back(std::move(letter));
  }
  // One ring for all that come before the loop looks.
  if (first) ring();
  return true;
}

void Mailbox::ring() noexcept {
  const int saved = errno;
  constexpr std::uint64_t one = 1;
  // Fails only where the counter is full, and then it is readable anyway.
  static_cast<void>(sys::write(bell_.ref(), std::as_bytes(std::span(&one, 1))));
  errno = saved;
}

void Mailbox::silence() {
  std::array<std::byte, sizeof(std::uint64_t)> count{};
  static_cast<void>(sys::read(bell_.ref(), count));
}

std::vector<Mailbox::Letter> Mailbox::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(letters_, {});
}

void Mailbox::close() {
  std::vector<Letter> dropped;  // destroyed outside the lock: that may post
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  dropped.swap(letters_);
}

}  // namespace headrace::http::server
