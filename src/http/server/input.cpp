#include "http/server/input.hpp"

#include <sys/socket.h>

#include <cstring>
#include <functional>

#include "sys/read_write.hpp"

namespace headrace::http::server {

bool Input::is_own() const {
  const std::less_equal<> not_after;
  return not_after(own_.data(), view_.data()) && not_after(view_.data(), own_.data() + own_.size());
}

void Input::keep() {
  if (view_.empty()) {
    own_ = {};
  } else if (is_own()) {
    own_.erase(0, static_cast<std::size_t>(view_.data() - own_.data()));
  } else {
    own_.assign(view_);
  }
  view_ = own_;
}

void Input::prepend(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  std::string all(bytes.size(), '\0');
  std::memcpy(all.data(), bytes.data(), bytes.size());
  all += view_;
  own_ = std::move(all);
  view_ = own_;
}

Input::Received Input::receive(DescriptorRef socket, std::span<std::byte> shared, bool& drained) {
  keep();
  auto got = sys::recv(socket, shared, MSG_DONTWAIT);
  while (!got && got.error().code == std::errc::interrupted) {
    got = sys::recv(socket, shared, MSG_DONTWAIT);
  }
  if (!got) {
    drained = got.error().code == std::errc::resource_unavailable_try_again;
    return drained ? Received::nothing : Received::broken;
  }
  if (*got == 0) return Received::ended;
  // epoll(7): on a stream a short read says that there is no more.
  drained = *got < shared.size();
  // NOLINTNEXTLINE(*-reinterpret-cast): bytes as characters
  const std::string_view fresh{reinterpret_cast<const char*>(shared.data()), *got};
  if (view_.empty()) {
    view_ = fresh;
  } else {
    own_ += fresh;
    view_ = own_;
  }
  return Received::some;
}

}  // namespace headrace::http::server
