#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "headrace/descriptor.hpp"
#include "headrace/report.hpp"
#include "headrace/result.hpp"

namespace headrace::net {

/// Does this congestion control space its segments in time? On loopback that hides every gain.
bool paces(std::string_view congestion);

/// A congestion control chosen, and what should be told about it.
struct CongestionChoice {
  Congestion congestion;  ///< both empty: not TCP
  std::string note;       ///< may be empty
};

/// Sets what was named, or reno where the control in force paces and `local` says that the other
/// end is on this machine; else nothing. Reads back what is in force.
///
/// Errors: a named control the kernel refuses (ENOENT, EPERM; EOPNOTSUPP on a unix socket). That
/// reno cannot be had is no error but the note.
Result<CongestionChoice> choose_congestion(DescriptorRef socket, bool local,
                                           const std::optional<std::string>& named);

}  // namespace headrace::net
