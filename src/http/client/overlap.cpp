#include "http/client/overlap.hpp"

#include <algorithm>
#include <vector>

#include "http/body/body_fault.hpp"
#include "sys/read_write.hpp"

namespace headrace::http::client {
namespace {

/// Fewer bytes than the buffer holds: the file has ended.
Result<std::size_t> read_at(DescriptorRef file, std::span<std::byte> buffer, Bytes offset) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const auto got = sys::pread(file, buffer.subspan(filled), offset + filled);
    if (!got) return got;
    if (*got == 0) break;
    filled += *got;
  }
  return filled;
}

}  // namespace

Result<bool> same_as_next(Connection& connection, DescriptorRef file, Bytes offset, Bytes length) {
  std::vector<std::byte> here;
  while (length > 0) {
    if (connection.buffered().empty()) {
      const auto more = connection.receive_more();
      if (!more) return std::unexpected(more.error());
      if (*more == 0) return std::unexpected(Error{BodyFault::ended_early, "get"});
    }
    const auto there = connection.buffered();
    here.resize(next_request(length, there.size()));
    const auto got = read_at(file, here, offset);
    if (!got) return std::unexpected(got.error());
    if (*got < here.size() || !std::ranges::equal(here, there.first(here.size()))) return false;
    connection.consume(here.size());
    offset += here.size();
    length -= here.size();
  }
  return true;
}

}  // namespace headrace::http::client
