#include "sys/pipe.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace headrace::sys {

Result<PipeEnds> pipe2(int flags) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), flags) != 0) return fail("pipe2", errno);
  return PipeEnds{.reader = Descriptor{ends[0]}, .writer = Descriptor{ends[1]}};
}

Result<Bytes> pipe_capacity(DescriptorRef pipe) {
  const int capacity = ::fcntl(pipe.number(), F_GETPIPE_SZ);
  if (capacity < 0) return fail("fcntl", errno);
  return static_cast<Bytes>(capacity);
}

Result<Bytes> set_pipe_capacity(DescriptorRef pipe, Bytes capacity) {
  const int given = ::fcntl(pipe.number(), F_SETPIPE_SZ, static_cast<int>(capacity));
  if (given < 0) return fail("fcntl", errno);
  return static_cast<Bytes>(given);
}

Result<Bytes> fionread(DescriptorRef pipe) {
  int bytes = 0;
  if (::ioctl(pipe.number(), FIONREAD, &bytes) != 0) return fail("ioctl", errno);
  return static_cast<Bytes>(bytes);
}

}  // namespace headrace::sys
