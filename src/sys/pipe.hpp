#pragma once

#include "headrace/bytes.hpp"
#include "headrace/descriptor.hpp"

namespace headrace::sys {

struct PipeEnds {
  Descriptor reader;
  Descriptor writer;
};

Result<PipeEnds> pipe2(int flags);
/// fcntl(2) F_GETPIPE_SZ: what the pipe holds, were every slot a full page.
Result<Bytes> pipe_capacity(DescriptorRef pipe);
/// fcntl(2) F_SETPIPE_SZ; returns what the kernel gave, which is often rounded up.
Result<Bytes> set_pipe_capacity(DescriptorRef pipe, Bytes capacity);
/// ioctl(2) FIONREAD: what is in the pipe and not read yet. Either end may ask.
Result<Bytes> fionread(DescriptorRef pipe);

}  // namespace headrace::sys
