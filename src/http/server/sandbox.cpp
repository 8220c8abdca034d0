#include "http/server/sandbox.hpp"

#include <cstdint>

#include "sys/landlock.hpp"

namespace headrace::http::server {
namespace {

constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t writing =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG;

// The rights that each version of Landlock knows; one it does not know would be refused.
std::uint64_t rights_of(int version) {
  constexpr std::uint64_t first = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
#ifdef LANDLOCK_ACCESS_FS_REFER
  constexpr std::uint64_t refer = LANDLOCK_ACCESS_FS_REFER;
#else
  constexpr std::uint64_t refer = 1ULL << 13;
#endif
  constexpr std::uint64_t truncate = 1ULL << 14;
  return first | (version >= 2 ? refer : 0) | (version >= 3 ? truncate : 0);
}

std::string describe(const Error& error) {
  return "Landlock is not in force: " + std::string(error.call) + ": " + error.code.message();
}

Result<void> restrict_to(DescriptorRef root, bool writes, int version) {
  const std::uint64_t handled = rights_of(version);
  const auto rules = sys::landlock_create_ruleset(handled);
  if (!rules) return std::unexpected(rules.error());
  // REFER and TRUNCATE go with writing, where they are known.
  const std::uint64_t later = handled & (3ULL << 13);
  const auto added =
      sys::landlock_add_rule(rules->ref(), root, writes ? reading | writing | later : reading);
  if (!added) return added;
  const auto sealed = sys::no_new_privileges();
  if (!sealed) return sealed;
  return sys::landlock_restrict_self(rules->ref());
}

}  // namespace

std::string confine(DescriptorRef root, bool writes) {
  const auto version = sys::landlock_abi();
  if (!version) return describe(version.error());
  const auto restricted = restrict_to(root, writes, *version);
  return restricted ? std::string{} : describe(restricted.error());
}

}  // namespace headrace::http::server
