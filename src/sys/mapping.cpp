#include "sys/mapping.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace headrace::sys {

Result<std::span<std::byte>> mmap(DescriptorRef file, Bytes offset, std::size_t length,
                                  int protection) {
  void* const start =
      ::mmap(nullptr, length, protection, MAP_SHARED, file.number(), static_cast<off_t>(offset));
  if (start == MAP_FAILED) return fail("mmap", errno);  // NOLINT(*-pro-type-cstyle-cast)
  return std::span{static_cast<std::byte*>(start), length};
}

Result<std::span<std::byte>> mmap_anonymous(std::size_t length) {
  void* const start =
      ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return fail("mmap", errno);  // NOLINT(*-pro-type-cstyle-cast)
  return std::span{static_cast<std::byte*>(start), length};
}

Result<void> munmap(std::span<std::byte> mapping) {
  if (::munmap(mapping.data(), mapping.size()) != 0) return fail("munmap", errno);
  return {};
}

Bytes page_size() { return static_cast<Bytes>(::sysconf(_SC_PAGESIZE)); }

}  // namespace headrace::sys
