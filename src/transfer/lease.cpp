#include "transfer/lease.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "sys/lease.hpp"
#include "transfer/reopen.hpp"

namespace headrace {
Result<Lease> Lease::take(DescriptorRef file) {
  // A duplicate would share its description, and the lease with it, with the lender.
  auto own = reopen(file);
  if (!own) return std::unexpected(own.error());
  // In this order: F_SETLEASE makes this process the owner, who hears of a break.
  auto done = sys::set_signal(own->ref(), SIGURG);
  if (done) done = sys::set_lease(own->ref(), F_RDLCK);
  if (!done) return std::unexpected(done.error());
  Lease lease{std::move(*own)};
  done = sys::set_owner(lease.file_.ref(), 0);
  if (!done) return std::unexpected(done.error());
  return lease;
}

Lease::~Lease() { give_back(); }

Lease::State Lease::look() const {
  const auto type = sys::get_lease(file_.ref());
  return type && *type == F_RDLCK ? State::held : State::wanted_back;
}

void Lease::give_back() {
  if (!file_.valid()) return;
  // Closing does it too, but not while a child of a fork(2) has the description as well.
  static_cast<void>(sys::set_lease(file_.ref(), F_UNLCK));
  file_ = Descriptor{};
}

bool has_telling_leases(std::string_view file_system) {
  constexpr std::array telling{std::string_view{"ext4"},  std::string_view{"xfs"},
                               std::string_view{"btrfs"}, std::string_view{"tmpfs"},
                               std::string_view{"vfat"},  std::string_view{"exfat"}};
  return std::ranges::find(telling, file_system) != telling.end();
}

bool stamps_mapped_stores(std::string_view file_system) { return file_system != "tmpfs"; }

}  // namespace headrace
