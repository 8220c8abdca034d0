#pragma once

namespace headrace {

/// Whether something of a file is carried over to its copy.
enum class Keep {
  no,
  if_possible,  ///< what cannot be kept is a note
  required,     ///< what cannot be kept fails the copy: the old file stays
};

/// What a copy keeps of its source besides the bytes.
struct Preserve {
  Keep mode = Keep::if_possible;
  Keep times = Keep::if_possible;  ///< access and modification
  Keep owner = Keep::no;           ///< and group
  Keep attributes = Keep::no;      ///< extended ones: user.*, and security.* and trusted.* as far
                                   ///< as privileges go
  Keep access_list = Keep::no;     ///< POSIX ACL; of a file without one, its permissions

  friend bool operator==(const Preserve&, const Preserve&) = default;
};

inline constexpr Preserve preserve_nothing{.mode = Keep::no, .times = Keep::no};
inline constexpr Preserve preserve_all_possible{.mode = Keep::if_possible,
                                                .times = Keep::if_possible,
                                                .owner = Keep::if_possible,
                                                .attributes = Keep::if_possible,
                                                .access_list = Keep::if_possible};

}  // namespace headrace
