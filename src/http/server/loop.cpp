#include "http/server/loop.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "sys/epoll.hpp"

namespace headrace::http::server {
namespace {

using std::chrono::milliseconds;

// Of the mailbox's bell; a watch has its descriptor's number in the upper half and so never this.
constexpr std::uint64_t bell_mark = ~std::uint64_t{0};

constexpr std::uint64_t mark_of(DescriptorRef descriptor, std::uint32_t generation) {
  return (static_cast<std::uint64_t>(descriptor.number()) << 32) | generation;
}
static_assert(mark_of(DescriptorRef{3}, 7) == 0x3'0000'0007);

}  // namespace

Watch& Watch::operator=(Watch&& other) noexcept {
  if (this == &other) return *this;
  forget();
  loop_ = std::exchange(other.loop_, nullptr);
  descriptor_ = other.descriptor_;
  return *this;
}

Result<void> Watch::change(std::uint32_t events) { return loop_->change(descriptor_, events); }

void Watch::forget() {
  if (loop_ != nullptr) std::exchange(loop_, nullptr)->forget(descriptor_);
}

Result<std::unique_ptr<Loop>> Loop::open() {
  auto epoll = sys::epoll_create1(EPOLL_CLOEXEC);
  if (!epoll) return std::unexpected(epoll.error());
  auto mailbox = Mailbox::open();
  if (!mailbox) return std::unexpected(mailbox.error());
  const auto added = sys::epoll_ctl(epoll->ref(), EPOLL_CTL_ADD, (*mailbox)->bell(),
                                    {.events = EPOLLIN, .data = {.u64 = bell_mark}});
  if (!added) return std::unexpected(added.error());
  return std::unique_ptr<Loop>(new Loop(std::move(*epoll), std::move(*mailbox)));
}

Loop::Loop(Descriptor epoll, std::shared_ptr<Mailbox> mailbox)
    : epoll_(std::move(epoll)), mailbox_(std::move(mailbox)) {}

Loop::~Loop() { mailbox_->close(); }

Result<Watch> Loop::watch(DescriptorRef descriptor, std::uint32_t events, Handler& handler) {
  if (!descriptor.valid()) return fail("epoll_ctl", EBADF);
  Slot& slot = slot_of(descriptor);
  const std::uint32_t generation = slot.generation + 1;
  const auto added =
      sys::epoll_ctl(epoll_.ref(), EPOLL_CTL_ADD, descriptor,
                     {.events = events, .data = {.u64 = mark_of(descriptor, generation)}});
  if (!added) return std::unexpected(added.error());
  slot = {.handler = &handler, .generation = generation};
  return Watch(*this, descriptor);
}

Loop::Slot& Loop::slot_of(DescriptorRef descriptor) {
  const auto number = static_cast<std::size_t>(descriptor.number());
  if (number >= slots_.size()) slots_.resize(std::max(number + 1, 2 * slots_.size()));
  return slots_[number];
}

Result<void> Loop::change(DescriptorRef descriptor, std::uint32_t events) {
  const std::uint32_t generation = slot_of(descriptor).generation;
  return sys::epoll_ctl(epoll_.ref(), EPOLL_CTL_MOD, descriptor,
                        {.events = events, .data = {.u64 = mark_of(descriptor, generation)}});
}

void Loop::forget(DescriptorRef descriptor) {
  slot_of(descriptor).handler = nullptr;
  // Fails only where the descriptor is closed already, which forgot it too.
  static_cast<void>(sys::epoll_ctl(epoll_.ref(), EPOLL_CTL_DEL, descriptor, {}));
}

Result<void> Loop::run() {
  do {
    if (const auto done = round(); !done) return done;
  } while (!stop_.exchange(false));
  return {};
}

void Loop::stop() noexcept {
  stop_.store(true);
  mailbox_->ring();
}

Result<void> Loop::round() {
  const auto ready = sys::epoll_wait(epoll_.ref(), events_, patience());
  if (!ready && ready.error().code != std::errc::interrupted) {
    return std::unexpected(ready.error());
  }
  now_ = Clock::now();
  for (const epoll_event& event : std::span(events_).first(ready.value_or(0))) dispatch(event);
  timers_.run(now_, timers_per_round);
  if (std::exchange(letters_, false)) read_letters();
  turns_.run(turns_per_round);
  return {};
}

std::optional<milliseconds> Loop::patience() const {
  if (!turns_.empty() || stop_.load()) return milliseconds{0};
  const auto next = timers_.next();
  if (!next) return std::nullopt;
  // Rounded up: to wake before the time is to wake for nothing.
  return std::max(std::chrono::ceil<milliseconds>(*next - Clock::now()), milliseconds{0});
}

void Loop::dispatch(const epoll_event& event) {
  if (event.data.u64 == bell_mark) {
    letters_ = true;
    return;
  }
  const Slot slot = slots_[event.data.u64 >> 32];
  if (slot.generation != static_cast<std::uint32_t>(event.data.u64)) return;
  if (slot.handler != nullptr) slot.handler->ready(event.events);
}

void Loop::read_letters() {
  mailbox_->silence();
  for (auto& letter : mailbox_->take()) letter();
}

}  // namespace headrace::http::server
