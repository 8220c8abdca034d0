#pragma once

#include "headrace/report.hpp"

namespace headrace::example {

// Methods of the tests' own: names and classes are all that a report needs.
inline constexpr Method reflink{.name = "reflink", .path_class = PathClass::shared};
inline constexpr Method copy_file_range{.name = "copy_file_range", .path_class = PathClass::kernel};
inline constexpr Method sendfile{.name = "sendfile", .path_class = PathClass::kernel};
inline constexpr Method read_write{.name = "read_write", .path_class = PathClass::user};

inline constexpr Reason cannot_clone{"file-system-cannot-clone",
                                     "this file system has no shared extents"};

inline Facts file(std::string name, Bytes size) {
  return {.kind = Kind::regular,
          .name = std::move(name),
          .readable = true,
          .seekable = true,
          .size = size,
          .allocated = size,
          .device = 2049,
          .inode = 131,
          .file_system = "ext4"};
}

inline Facts local_tcp() {
  return {.kind = Kind::tcp,
          .name = "127.0.0.1:9000",
          .readable = true,
          .writable = true,
          .nonblocking = true,
          .device = 8,
          .inode = 52011,
          .send_buffer = 4 * mebibyte,
          .receive_buffer = mebibyte,
          .congestion = "reno",
          .peer_local = true};
}

inline Error error(std::string_view call, int number) {
  return {{number, std::system_category()}, call};
}

/// A whole copy, by one method.
inline Report whole_copy() {
  return {.command = "copy",
          .source = file("big", gibibyte),
          .destination = file("copy-of-big", 0),
          .bytes = gibibyte,
          .expected = gibibyte,
          .seconds = 0.3125,
          .cpu_system = 0.28,
          .legs = {{.method = &copy_file_range, .bytes = gibibyte, .calls = 1, .seconds = 0.3125}},
          .refused = {{&reflink, cannot_clone, "ext4"}, {&sendfile, by_name_only, ""}}};
}

/// A send that lost its fast path after 96 MiB and then its peer: two legs, every field in use.
inline Report broken_send() {
  Leg first{.method = &sendfile,
            .bytes = 96 * mebibyte,
            .calls = 31,
            .waits = 12,
            .seconds = 0.021,
            .ending = Ending::refused,
            .error = error("sendfile", EINVAL)};
  Leg second{.method = &read_write,
             .bytes = 4 * mebibyte + 17,
             .calls = 9,
             .waits = 2,
             .seconds = 0.004,
             .ending = Ending::failed,
             .error = error("send", ECONNRESET),
             .copies_per_byte = 2,
             .notes = {"buffer of 1MiB"}};
  return {.command = "send",
          .source = file("big", gibibyte),
          .destination = local_tcp(),
          .peer_memory = true,
          .wishes = {.methods = {"sendfile", "read_write"}, .buffer = mebibyte},
          .bytes = 100 * mebibyte + 17,
          .stranded = 4096,
          .expected = gibibyte,
          .acknowledged = 99 * mebibyte,
          .seconds = 0.025,
          .cpu_user = 0.001,
          .cpu_system = 0.018,
          .congestion = {.in_force = "reno", .before = "bbr"},
          .legs = {std::move(first), std::move(second)},
          .refused = {{&copy_file_range, not_named, ""},
                      {&sendfile,
                       {"refused-when-tried", "the kernel refused it when tried"},
                       "sendfile: Invalid argument (EINVAL)"}},
          .notes = {"the kernel gave a send buffer of 4MiB"},
          .outcome = Outcome::failed,
          .error = error("shutdown", ENOTCONN)};
}

}  // namespace headrace::example
