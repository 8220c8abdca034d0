#pragma once

#include <linux/fs.h>

#include <array>
#include <string_view>

#include "support/deny.hpp"

namespace headrace::testing {

/// A call that may move bytes, on one of its two ends; vmsplice, on a pipe in between.
struct MovingCall {
  std::string_view name;
  int number = 0;
  unsigned end = 0;       ///< which argument is the descriptor of the end
  bool at_source = true;  ///< that end is the source of the transfer, else its destination
  bool counts = true;     ///< answers how many bytes it moved, and can be cut short
};

/// The tests fail for a method none of whose calls is here.
inline constexpr std::array moving_calls{
    MovingCall{"read", SYS_read, 0, true},
    MovingCall{"pread", SYS_pread64, 0, true},
    MovingCall{"preadv2", SYS_preadv2, 0, true},
    MovingCall{"recv", SYS_recvfrom, 0, true},
    MovingCall{"splice from the source", SYS_splice, 0, true},
    MovingCall{"write", SYS_write, 0, false},
    MovingCall{"pwritev2", SYS_pwritev2, 0, false},
    MovingCall{"send", SYS_sendto, 0, false},
    MovingCall{"splice to the destination", SYS_splice, 2, false},
    MovingCall{"sendfile", SYS_sendfile, 0, false},
    MovingCall{"copy_file_range", SYS_copy_file_range, 2, false},
    MovingCall{"ioctl", SYS_ioctl, 1, false, false},
    MovingCall{"vmsplice", SYS_vmsplice, 0, true, false},
};

}  // namespace headrace::testing
