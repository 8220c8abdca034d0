#pragma once

#include <linux/landlock.h>

#include <cstdint>

#include "headrace/descriptor.hpp"

// landlock(7). libc has no wrappers.
namespace headrace::sys {

/// The version of what this kernel offers, from 1 on. ENOSYS: not built in; EOPNOTSUPP: turned off.
Result<int> landlock_abi();
/// Handles, and so forbids, these LANDLOCK_ACCESS_FS_ rights but where a rule grants them.
Result<Descriptor> landlock_create_ruleset(std::uint64_t handled_access);
/// Grants rights on `parent` and all beneath it.
Result<void> landlock_add_rule(DescriptorRef ruleset, DescriptorRef parent,
                               std::uint64_t allowed_access);
/// For this thread and all it starts from now on. Needs `no_new_privileges` or CAP_SYS_ADMIN.
Result<void> landlock_restrict_self(DescriptorRef ruleset);
/// prctl(2) PR_SET_NO_NEW_PRIVS, of this thread.
Result<void> no_new_privileges();

}  // namespace headrace::sys
