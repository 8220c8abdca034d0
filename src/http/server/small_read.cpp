#include "http/server/small_read.hpp"

#include <sys/uio.h>

#include "probe/file_system.hpp"
#include "sys/read_write.hpp"

namespace headrace::http::server {
namespace {

SmallRead judge(const Error& error) {
  if (error.code == std::errc::resource_unavailable_try_again) return SmallRead::cold;
  return error.code == std::errc::operation_not_supported ? SmallRead::unknown
                                                          : SmallRead::cut_short;
}

}  // namespace

SmallRead read_small(DescriptorRef file, std::span<std::byte> room, Bytes offset, bool may_sleep) {
  for (std::size_t done = 0; done < room.size();) {
    const auto rest = room.subspan(done);
    const auto got = may_sleep ? sys::pread(file, rest, offset + done)
                               : sys::preadv2(file, rest, offset + done, RWF_NOWAIT);
    if (!got && got.error().code == std::errc::interrupted) continue;
    if (!got) return judge(got.error());
    if (*got == 0) return SmallRead::cut_short;
    done += *got;
  }
  return SmallRead::whole;
}

Warmth warmth_of(DescriptorRef file) {
  const std::string_view name = file_system_holding(file).name;
  return name == "tmpfs" || name == "ramfs" ? Warmth::always : Warmth::never_known;
}

}  // namespace headrace::http::server
