#include "support/short_call.hpp"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "support/must.hpp"
#include "support/process_handle.hpp"

namespace headrace::testing {
namespace {

enum class Flow { none, from_kernel, to_kernel };

// Which arguments of a call mean what; -1: no such argument.
struct Shape {
  int call = 0;
  std::array<int, 2> descriptors{-1, -1};
  std::array<int, 2> offsets{-1, -1};  // pointers to offsets, which may be null
  int count = 0;
  int memory = -1;   // a buffer
  int vectors = -1;  // an array of iovec; `count` says how many
  Flow flow = Flow::none;
};

constexpr std::array<Shape, 16> shapes{{
    {SYS_sendfile, {0, 1}, {2, -1}, 3},
    {SYS_splice, {0, 2}, {1, 3}, 4},
    {SYS_copy_file_range, {0, 2}, {1, 3}, 4},
    {SYS_tee, {0, 1}, {-1, -1}, 2},
    {SYS_read, {0, -1}, {-1, -1}, 2, 1, -1, Flow::from_kernel},
    {SYS_pread64, {0, -1}, {-1, -1}, 2, 1, -1, Flow::from_kernel},
    {SYS_recvfrom, {0, -1}, {-1, -1}, 2, 1, -1, Flow::from_kernel},
    {SYS_write, {0, -1}, {-1, -1}, 2, 1, -1, Flow::to_kernel},
    {SYS_pwrite64, {0, -1}, {-1, -1}, 2, 1, -1, Flow::to_kernel},
    {SYS_sendto, {0, -1}, {-1, -1}, 2, 1, -1, Flow::to_kernel},
    {SYS_readv, {0, -1}, {-1, -1}, 2, -1, 1, Flow::from_kernel},
    {SYS_preadv, {0, -1}, {-1, -1}, 2, -1, 1, Flow::from_kernel},
    {SYS_preadv2, {0, -1}, {-1, -1}, 2, -1, 1, Flow::from_kernel},
    {SYS_writev, {0, -1}, {-1, -1}, 2, -1, 1, Flow::to_kernel},
    {SYS_pwritev, {0, -1}, {-1, -1}, 2, -1, 1, Flow::to_kernel},
    {SYS_pwritev2, {0, -1}, {-1, -1}, 2, -1, 1, Flow::to_kernel},
}};

const Shape& shape_of(int call) {
  const auto* found = std::ranges::find(shapes, call, &Shape::call);
  if (found != std::end(shapes)) return *found;
  give_up("system call " + std::to_string(call), "cannot be shortened");
}

// One call on its way: its arguments, made ours one after another.
class Borrowed {
 public:
  Borrowed(Supervised supervised, const Shape& shape, const Arguments& arguments)
      : supervised_(supervised), shape_(shape), original_(arguments), arguments_(arguments) {}
  std::int64_t run(std::size_t most);

 private:
  void take_descriptors();
  void take_offsets();
  void take_memory(std::size_t most);
  void give_back(std::int64_t result);
  void copy_in(std::uint64_t address, void* to, std::size_t bytes) const;
  void copy_out(std::uint64_t address, void* from, std::size_t bytes) const;

  Supervised supervised_;
  const Shape& shape_;
  Arguments original_;
  Arguments arguments_;
  std::array<Descriptor, 2> descriptors_;
  std::array<std::int64_t, 2> offsets_{};
  std::vector<iovec> theirs_;  // where the bytes lie in the other process
  std::vector<char> bytes_;
  iovec ours_{};
};

template <class T>
std::uint64_t address_of(T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

// NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives addresses as numbers
void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(address); }

void Borrowed::copy_in(std::uint64_t address, void* to, std::size_t bytes) const {
  const iovec local{to, bytes};
  const iovec remote{pointer_to(address), bytes};
  must(::process_vm_readv(supervised_.number, &local, 1, &remote, 1, 0), "process_vm_readv");
}

void Borrowed::copy_out(std::uint64_t address, void* from, std::size_t bytes) const {
  const iovec local{from, bytes};
  const iovec remote{pointer_to(address), bytes};
  must(::process_vm_writev(supervised_.number, &local, 1, &remote, 1, 0), "process_vm_writev");
}

void Borrowed::take_descriptors() {
  for (std::size_t i = 0; i < 2; ++i) {
    if (shape_.descriptors[i] < 0) continue;
    auto& argument = arguments_[static_cast<std::size_t>(shape_.descriptors[i])];
    const int copy = pidfd_getfd(supervised_.process.number(), static_cast<int>(argument));
    if (copy < 0 && errno != EBADF) must(copy, "pidfd_getfd");
    descriptors_[i] = Descriptor{copy};
    argument = static_cast<std::uint64_t>(copy);  // -1 answers EBADF, as theirs would
  }
}

void Borrowed::take_offsets() {
  for (std::size_t i = 0; i < 2; ++i) {
    if (shape_.offsets[i] < 0) continue;
    auto& argument = arguments_[static_cast<std::size_t>(shape_.offsets[i])];
    if (argument == 0) continue;
    copy_in(argument, &offsets_[i], sizeof offsets_[i]);
    argument = address_of(&offsets_[i]);
  }
}

void Borrowed::take_memory(std::size_t most) {
  auto& count = arguments_[static_cast<std::size_t>(shape_.count)];
  if (shape_.memory >= 0) {
    theirs_ = {{pointer_to(arguments_[static_cast<std::size_t>(shape_.memory)]), count}};
  } else {
    theirs_.resize(count);
    copy_in(arguments_[static_cast<std::size_t>(shape_.vectors)], theirs_.data(),
            count * sizeof(iovec));
  }
  std::size_t room = most;
  for (auto& piece : theirs_) {
    piece.iov_len = std::min(piece.iov_len, room);
    room -= piece.iov_len;
  }
  bytes_.resize(most - room);
  std::size_t at = 0;
  for (const auto& piece : theirs_) {
    if (shape_.flow == Flow::from_kernel || piece.iov_len == 0) continue;
    copy_in(address_of(piece.iov_base), bytes_.data() + at, piece.iov_len);
    at += piece.iov_len;
  }
  ours_ = {bytes_.data(), bytes_.size()};
  if (shape_.memory >= 0) {
    arguments_[static_cast<std::size_t>(shape_.memory)] = address_of(bytes_.data());
    count = bytes_.size();
  } else {
    arguments_[static_cast<std::size_t>(shape_.vectors)] = address_of(&ours_);
    count = 1;
  }
}

void Borrowed::give_back(std::int64_t result) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (shape_.offsets[i] < 0) continue;
    const auto theirs = original_[static_cast<std::size_t>(shape_.offsets[i])];
    if (theirs != 0) copy_out(theirs, &offsets_[i], sizeof offsets_[i]);
  }
  if (shape_.flow != Flow::from_kernel) return;
  auto left = static_cast<std::size_t>(result);
  char* from = bytes_.data();
  for (const auto& piece : theirs_) {
    const std::size_t bytes = std::min(piece.iov_len, left);
    if (bytes > 0) copy_out(address_of(piece.iov_base), from, bytes);
    from += bytes;
    left -= bytes;
  }
}

// The kernel may go on to read what was sent without a copy, long after the call.
void keep(std::vector<char> bytes) {
  static std::deque<std::vector<char>> kept;
  kept.push_back(std::move(bytes));
}

std::int64_t Borrowed::run(std::size_t most) {
  take_descriptors();
  take_offsets();
  auto& count = arguments_[static_cast<std::size_t>(shape_.count)];
  if (shape_.flow != Flow::none) {
    take_memory(most);
  } else {
    count = std::min<std::uint64_t>(count, most);
  }
  const auto& a = arguments_;
  const std::int64_t result = ::syscall(shape_.call, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result < 0) return -errno;
  give_back(result);
  if (shape_.call == SYS_sendto && (a[3] & MSG_ZEROCOPY) != 0) keep(std::move(bytes_));
  return result;
}

}  // namespace

bool can_be_shortened(int call) {
  return std::ranges::find(shapes, call, &Shape::call) != std::end(shapes);
}

std::vector<int> descriptors_of(int call, const Arguments& arguments) {
  constexpr std::size_t of_mmap = 4;
  if (call == SYS_mmap) return {static_cast<int>(arguments[of_mmap])};
  const auto* found = std::ranges::find(shapes, call, &Shape::call);
  if (found == std::end(shapes)) return {static_cast<int>(arguments[0])};
  std::vector<int> descriptors;
  for (const int at : found->descriptors) {
    if (at >= 0) descriptors.push_back(static_cast<int>(arguments[static_cast<std::size_t>(at)]));
  }
  return descriptors;
}

std::int64_t short_call(Supervised supervised, int call, const Arguments& arguments,
                        std::size_t most) {
  return Borrowed(supervised, shape_of(call), arguments).run(most);
}

}  // namespace headrace::testing
