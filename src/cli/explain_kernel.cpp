#include "cli/explain_kernel.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/tls.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "headrace/descriptor.hpp"
#include "headrace/explain.hpp"
#include "sys/pipe.hpp"

namespace headrace::cli {
namespace {

constexpr std::size_t page = 4096;

Offer answered(std::string name, long result, std::string detail = {}) {
  const int error = errno;
  if (result >= 0) return {.name = std::move(name), .offered = true, .detail = std::move(detail)};
  return {.name = std::move(name), .offered = false, .detail = std::strerror(error)};
}

// A file of one page in the working directory without a name, or else in memory.
Descriptor scratch_file() {
  int file = ::open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) file = ::memfd_create("headrace", MFD_CLOEXEC);
  Descriptor owner{file};
  const std::array<char, page> content{};
  if (file >= 0 && ::write(file, content.data(), content.size()) < 0) return {};
  return owner;
}

struct Bench {
  Descriptor source = scratch_file();
  Descriptor destination = scratch_file();
  sys::PipeEnds pipe = sys::pipe2(O_CLOEXEC | O_NONBLOCK).value_or(sys::PipeEnds{});
  [[nodiscard]] int from() const { return source.ref().number(); }
  [[nodiscard]] int to() const { return destination.ref().number(); }
};

Offer try_tmpfile() {
  const Descriptor file{::open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)};
  return answered("O_TMPFILE", file.ref().number());
}

Offer try_clone(const Bench& bench) {
  return answered("FICLONE", ::ioctl(bench.to(), FICLONE, bench.from()));
}

Offer try_copy_file_range(const Bench& bench) {
  off64_t from = 0;
  off64_t to = 0;
  return answered("copy_file_range",
                  ::copy_file_range(bench.from(), &from, bench.to(), &to, page, 0));
}

Offer try_sendfile(const Bench& bench) {
  off_t from = 0;
  return answered("sendfile",
                  ::sendfile(bench.pipe.writer.ref().number(), bench.from(), &from, page));
}

// After try_sendfile the pipe holds a page.
Offer try_splice(const Bench& bench) {
  off64_t to = 0;
  return answered("splice", ::splice(bench.pipe.reader.ref().number(), nullptr, bench.to(), &to,
                                     page, SPLICE_F_NONBLOCK));
}

Offer try_sendfile_from_zero(const Bench& bench) {
  const Descriptor zero{::open("/dev/zero", O_RDONLY | O_CLOEXEC)};
  return answered("sendfile from /dev/zero",
                  ::sendfile(bench.pipe.writer.ref().number(), zero.ref().number(), nullptr, page));
}

Offer try_vmsplice(const Bench& bench) {
  std::array<char, 1> byte{};
  const iovec piece{.iov_base = byte.data(), .iov_len = byte.size()};
  return answered("vmsplice",
                  ::vmsplice(bench.pipe.writer.ref().number(), &piece, 1, SPLICE_F_NONBLOCK));
}

Offer try_pipe_size() {
  const auto pipe = sys::pipe2(O_CLOEXEC);
  if (!pipe) return answered("pipe of 1 MiB", -1);
  const auto given = sys::set_pipe_capacity(pipe->writer.ref(), mebibyte);
  if (given) return answered("pipe of 1 MiB", 0, format_size(*given));
  Offer offer = answered("pipe of 1 MiB", -1);
  offer.detail += ", kept " + format_size(sys::pipe_capacity(pipe->writer.ref()).value_or(0));
  return offer;
}

Offer try_no_wait_on_pipes() {
  const auto pipe = sys::pipe2(O_CLOEXEC);
  if (!pipe) return answered("RWF_NOWAIT on pipes", -1);
  std::array<char, 1> byte{};
  const iovec piece{.iov_base = byte.data(), .iov_len = byte.size()};
  return answered("RWF_NOWAIT on pipes",
                  ::pwritev2(pipe->writer.ref().number(), &piece, 1, -1, RWF_NOWAIT));
}

Offer try_lease(const Bench& bench) {
  const std::string path = fmt::format("/proc/self/fd/{}", bench.from());
  const Descriptor reader{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  const long leased = ::fcntl(reader.ref().number(), F_SETLEASE, F_RDLCK);
  // Our own writable descriptor counts as an open writer: EAGAIN proves the call just as well.
  if (leased < 0 && errno == EAGAIN) return answered("F_SETLEASE", 0);
  return answered("F_SETLEASE", leased);
}

Offer try_extents(const Bench& bench) {
  fiemap map{};
  map.fm_length = page;
  return answered("FIEMAP", ::ioctl(bench.from(), FS_IOC_FIEMAP, &map));
}

Offer try_zerocopy() {
  const Descriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const int on = 1;
  return answered("MSG_ZEROCOPY",
                  ::setsockopt(socket.ref().number(), SOL_SOCKET, SO_ZEROCOPY, &on, sizeof on));
}

// Only a connected socket takes the layer: on loopback, with ourselves.
Offer try_kernel_tls() {
  const Descriptor listener{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const Descriptor client{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const int listening = listener.ref().number();
  const bool connected = ::bind(listening, generic, length) == 0 && ::listen(listening, 1) == 0 &&
                         ::getsockname(listening, generic, &length) == 0 &&
                         ::connect(client.ref().number(), generic, length) == 0;
  if (!connected) return answered("kernel TLS", -1);
  Offer offer =
      answered("kernel TLS", ::setsockopt(client.ref().number(), IPPROTO_TCP, TCP_ULP, "tls", 3));
  if (!offer.offered) offer.detail += " [kernel-tls-absent]";
  return offer;
}

Offer try_uring() {
  std::array<std::uint32_t, 64> parameters{};  // larger than struct io_uring_params
  const Descriptor ring{static_cast<int>(::syscall(SYS_io_uring_setup, 1U, parameters.data()))};
  return answered("io_uring", ring.ref().number());
}

Offer congestion_controls() {
  std::ifstream file{"/proc/sys/net/ipv4/tcp_congestion_control"};
  std::ifstream allowed{"/proc/sys/net/ipv4/tcp_allowed_congestion_control"};
  std::string name;
  std::string others;
  std::getline(file, name);
  std::getline(allowed, others);
  return {.name = "congestion control",
          .offered = !name.empty(),
          .detail = name + ", allowed: " + others};
}

}  // namespace

std::vector<Offer> try_kernel() {
  const Bench bench;
  return {try_tmpfile(),       try_clone(bench),   try_copy_file_range(bench),
          try_sendfile(bench), try_splice(bench),  try_sendfile_from_zero(bench),
          try_vmsplice(bench), try_pipe_size(),    try_no_wait_on_pipes(),
          try_lease(bench),    try_extents(bench), try_zerocopy(),
          try_kernel_tls(),    try_uring(),        congestion_controls()};
}

std::string kernel_text(const std::vector<Offer>& offers) {
  utsname name{};
  ::uname(&name);
  std::string text = fmt::format("{} {} {}\n", name.sysname, name.release, name.machine);
  for (const Offer& offer : offers) {
    text += fmt::format("  {:<24} {}{}{}\n", offer.name, offer.offered ? "yes" : "no",
                        offer.detail.empty() ? "" : ": ", offer.detail);
  }
  return text;
}

}  // namespace headrace::cli
