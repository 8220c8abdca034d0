#include "methods/support/page_buffer.hpp"

#include "sys/mapping.hpp"

namespace headrace {

Result<PageBuffer> PageBuffer::allocate(std::size_t bytes) {
  const auto memory = sys::mmap_anonymous(bytes);
  if (!memory) return std::unexpected(memory.error());
  return PageBuffer{*memory};
}

PageBuffer::~PageBuffer() {
  if (bytes_.empty()) return;
  const auto given_back = sys::munmap(bytes_);
  static_cast<void>(given_back);  // fails for no memory that mmap gave
}

}  // namespace headrace
