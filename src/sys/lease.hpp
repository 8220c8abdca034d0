#pragma once

#include <sys/types.h>

#include "headrace/descriptor.hpp"

// Leases on files, and who hears of it when one is broken: fcntl(2).
namespace headrace::sys {

/// F_SETLEASE; `type` is F_RDLCK, F_WRLCK or F_UNLCK.
Result<void> set_lease(DescriptorRef file, int type);
/// F_GETLEASE: F_UNLCK too while somebody waits for the lease to be given back.
Result<int> get_lease(DescriptorRef file);
/// F_SETSIG: the signal sent instead of SIGIO.
Result<void> set_signal(DescriptorRef file, int signal);
/// F_SETOWN: who gets that signal; 0 is nobody.
Result<void> set_owner(DescriptorRef file, pid_t owner);
/// F_OFD_GETLK for the whole file: true when somebody, this process included, has a record lock on
/// any part of it.
Result<bool> has_record_lock(DescriptorRef file);

}  // namespace headrace::sys
