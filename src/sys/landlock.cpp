#include "sys/landlock.hpp"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace headrace::sys {

Result<int> landlock_abi() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 0) return fail("landlock_create_ruleset", errno);
  return static_cast<int>(version);
}

Result<Descriptor> landlock_create_ruleset(std::uint64_t handled_access) {
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = handled_access;
  // The size of the first version: what later ones handle besides is left alone.
  const long number =
      ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
  if (number < 0) return fail("landlock_create_ruleset", errno);
  return Descriptor{static_cast<int>(number)};
}

Result<void> landlock_add_rule(DescriptorRef ruleset, DescriptorRef parent,
                               std::uint64_t allowed_access) {
  landlock_path_beneath_attr rule{};
  rule.allowed_access = allowed_access;
  rule.parent_fd = parent.number();
  if (::syscall(SYS_landlock_add_rule, ruleset.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) !=
      0) {
    return fail("landlock_add_rule", errno);
  }
  return {};
}

Result<void> landlock_restrict_self(DescriptorRef ruleset) {
  if (::syscall(SYS_landlock_restrict_self, ruleset.number(), 0) != 0) {
    return fail("landlock_restrict_self", errno);
  }
  return {};
}

Result<void> no_new_privileges() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail("prctl", errno);
  return {};
}

}  // namespace headrace::sys
