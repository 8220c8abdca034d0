#include "transfer/guard.hpp"

#include <cerrno>
#include <cstdio>
#include <thread>

#include "probe/file_system.hpp"
#include "sys/files.hpp"
#include "sys/kernel.hpp"

namespace headrace {
namespace {

// A tick of the coarse clock takes 1 to 10 ms (CONFIG_HZ).
constexpr std::chrono::milliseconds between_looks{1};
constexpr int most_looks = 20;

// False while a change would bear the same times as the state looked at.
bool would_show(const SourceState& state, std::string_view file_system) {
  const auto now = sys::clock_gettime(CLOCK_REALTIME_COARSE);
  if (!now || is_settled(state, instant_of(*now))) return true;
  if (counts_seconds(state)) return false;
  const auto kernel = sys::uname();
  return kernel && has_fine_times(kernel->release, file_system);
}

std::string why_no_lease(const Error& error) {
  if (error.code == std::errc::resource_unavailable_try_again) {
    return "the source is open for writing elsewhere: no lease, the times decide";
  }
  if (error.code == std::errc::device_or_resource_busy) {
    return "the source bears record locks: no lease, the times decide";
  }
  return {};  // another user's file, a file system without leases: the evidence says enough
}

std::string seconds_text(std::chrono::duration<double> elapsed) {
  std::string text(32, '\0');
  const int length = std::snprintf(text.data(), text.size(), "%.3f s", elapsed.count());
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace

Result<Guard> Guard::begin(DescriptorRef source, std::string path, bool may_lease) {
  Guard guard{source, std::move(path)};
  guard.file_system_ = file_system_holding(source).name;
  if (may_lease) guard.take_lease();
  if (auto looked = guard.look_first(); !looked) return std::unexpected(looked.error());
  if (!guard.path_.empty() && guard.first_.at_path != guard.first_.identity) {
    guard.path_.clear();
    guard.first_.at_path.reset();
    guard.notes_.emplace_back("the source's path led elsewhere before the first byte");
  }
  return guard;
}

void Guard::take_lease() {
  if (!has_telling_leases(file_system_)) return;
  auto lease = Lease::take(source_);
  if (lease) {
    lease_.emplace(std::move(*lease));
    evidence_ = Evidence::lease;
  } else if (std::string why = why_no_lease(lease.error()); !why.empty()) {
    notes_.push_back(std::move(why));
  }
}

// With a lease nobody writes before it is given back: there is time to wait for the tick then.
Result<void> Guard::look_first() {
  auto looked = look_at(source_, path_);
  if (!looked) return std::unexpected(looked.error());
  first_ = *looked;
  return lease_ ? Result<void>{} : settle();
}

Result<void> Guard::settle() {
  for (int look = 0; look < most_looks; ++look) {
    if (would_show(first_, file_system_)) return {};
    std::this_thread::sleep_for(between_looks);
    if (lease_) continue;
    auto looked = look_at(source_, path_);
    if (!looked) return std::unexpected(looked.error());
    first_ = *looked;
  }
  notes_.emplace_back(
      "the source was changed just before: another change in the same tick of its "
      "file system's clock would not show");
  return {};
}

void Guard::look() {
  if (!lease_ || lease_->look() == Lease::State::held) return;
  static_cast<void>(settle());
  lease_.reset();
  notes_.push_back("a writer opened the source after " + seconds_text(Clock::now() - start_) +
                   ": the lease was given back, the times decide");
  if (!stamps_mapped_stores(file_system_)) evidence_ = Evidence::times;
}

Result<std::optional<Change>> Guard::changed() const {
  const auto now = look_at(source_, path_);
  if (!now) return std::unexpected(now.error());
  auto change = change_between(first_, *now);
  // As long as nobody could write, another ctime means another mode, owner, or number of names.
  const bool nobody_wrote = lease_ && lease_->look() == Lease::State::held;
  if (nobody_wrote && change && change->kind == Change::Kind::touched) change.reset();
  return change;
}

}  // namespace headrace
