#include "transfer/source_state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <utility>

#include "sys/files.hpp"

namespace headrace {
namespace {

FileIdentity identity_of(const struct stat& status) {
  return {.device = status.st_dev, .inode = status.st_ino};
}

// "6.13.0-rc1" -> 6, 13; what is no such number counts as old.
std::pair<int, int> version_of(std::string_view release) {
  std::pair<int, int> version{0, 0};
  const char* const begin = std::to_address(release.begin());
  const char* const end = std::to_address(release.end());
  const auto major = std::from_chars(begin, end, version.first);
  if (major.ptr == end || *major.ptr != '.') return version;
  std::from_chars(major.ptr + 1, end, version.second);
  return version;
}

}  // namespace

Result<SourceState> look_at(DescriptorRef source, const std::string& path) {
  const auto status = sys::fstat(source);
  if (!status) return std::unexpected(status.error());
  SourceState state{.identity = identity_of(*status),
                    .size = static_cast<Bytes>(status->st_size),
                    .modified = instant_of(status->st_mtim),
                    .changed = instant_of(status->st_ctim),
                    .at_path = {}};
  if (path.empty()) return state;
  const auto named = sys::fstatat(sys::working_directory, path, 0);
  if (named) state.at_path = identity_of(*named);
  return state;
}

std::optional<Change> change_between(const SourceState& before, const SourceState& after) {
  using enum Change::Kind;
  if (before.identity != after.identity || before.at_path != after.at_path) {
    return Change{.kind = replaced};
  }
  if (after.size > before.size) return Change{.kind = grew, .bytes = after.size - before.size};
  if (after.size < before.size) return Change{.kind = shrank, .bytes = after.size};
  if (before.modified != after.modified) return Change{.kind = overwritten};
  if (before.changed != after.changed) return Change{.kind = touched};
  return std::nullopt;
}

bool is_settled(const SourceState& state, const Instant& now) {
  if (!counts_seconds(state)) return state.changed < now;
  return state.changed.seconds + 2 <= now.seconds;
}

bool has_fine_times(std::string_view kernel_release, std::string_view file_system) {
  constexpr std::array fine{std::string_view{"ext4"}, std::string_view{"xfs"},
                            std::string_view{"btrfs"}, std::string_view{"tmpfs"}};
  return version_of(kernel_release) >= std::pair{6, 13} &&
         std::ranges::find(fine, file_system) != fine.end();
}

}  // namespace headrace
