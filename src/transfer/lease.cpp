#include "transfer/lease.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string>

#include "sys/files.hpp"
#include "sys/lease.hpp"

namespace headrace {
namespace {

// Opened anew: a duplicate would share its description, and the lease with it, with the lender.
Result<Descriptor> open_again(DescriptorRef file) {
  const std::string name = "/proc/self/fd/" + std::to_string(file.number());
  auto again =
      sys::openat(sys::working_directory, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (!again) return again;
  const auto one = sys::fstat(file);
  const auto other = sys::fstat(again->ref());
  if (!one || !other || one->st_dev != other->st_dev || one->st_ino != other->st_ino) {
    return fail("open", ESTALE);
  }
  return again;
}

}  // namespace

Result<Lease> Lease::take(DescriptorRef file) {
  const auto locked = sys::has_record_lock(file);
  if (!locked) return std::unexpected(locked.error());
  if (*locked) return fail("fcntl", EBUSY);
  auto own = open_again(file);
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
