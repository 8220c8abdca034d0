#include "transfer/read_ahead.hpp"

#include <fcntl.h>
#include <sys/uio.h>

#include <array>

#include "sys/read_write.hpp"
#include "sys/storage.hpp"

namespace headrace {
namespace {

// Below this the kernel, which reads ahead by itself, has most of it on the way at once.
constexpr Bytes shortest = 64 * mebibyte;

bool may_be_cloned(const Method& method, const Job& job) {
  const Facts& source = job.source_facts;
  const Facts& destination = job.destination_facts;
  const bool one_file_system =
      destination.kind == Kind::regular && source.device == destination.device && source.may_clone;
  return method.path_class == PathClass::shared ||
         (method.path_class == PathClass::kernel && one_file_system);
}

// EAGAIN: it would have to be read first. What cannot say (tmpfs) has it in memory.
bool is_cold_at(DescriptorRef file, Bytes offset) {
  std::array<std::byte, 1> byte{};
  const auto step = sys::preadv2(file, byte, offset, RWF_NOWAIT);
  return !step && step.error().code == std::errc::resource_unavailable_try_again;
}

bool is_cold(DescriptorRef file, Bytes offset, Bytes bytes) {
  constexpr Bytes places = 4;
  for (Bytes place = 0; place < places; ++place) {
    if (is_cold_at(file, offset + bytes / places * place)) return true;
  }
  return false;
}

}  // namespace

ReadAhead::ReadAhead(const Method& method, const Job& job)
    : source_(job.source.descriptor), offset_(job.offset.value_or(0)) {
  const Bytes bytes = job.bytes.value_or(0);
  const bool on_disk = job.source_facts.kind == Kind::regular && size_is_known(job.source_facts);
  if (!job.offset || !on_disk || bytes < shortest || may_be_cloned(method, job)) return;
  if (is_cold(source_, offset_, bytes)) bytes_ = bytes;
}

// The window that comes after the next turn is asked for before it.
void ReadAhead::keep_ahead(Bytes moved) {
  while (asked_ < bytes_ && asked_ < moved + 2 * window) {
    const Bytes next = std::min(window, bytes_ - asked_);
    if (!sys::posix_fadvise(source_, offset_ + asked_, next, POSIX_FADV_WILLNEED)) {
      bytes_ = 0;  // it was only advice
      return;
    }
    asked_ += next;
  }
}

std::string_view ReadAhead::note() const {
  return asked_ > 0 ? "the source was not in the page cache: read ahead by 32 to 64 MiB" : "";
}

}  // namespace headrace
