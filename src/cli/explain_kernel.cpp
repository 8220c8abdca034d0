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
#include <fstream>

#include "explain/json_parts.hpp"
#include "explain/words.hpp"
#include "headrace/descriptor.hpp"
#include "headrace/explain.hpp"
#include "probe/file_system.hpp"
#include "sys/files.hpp"
#include "sys/pipe.hpp"

namespace headrace::cli {
namespace {

constexpr std::size_t page = 4096;

Offer answered(std::string name, long result, std::string detail = {}) {
  const int error = errno;
  if (result >= 0) return {.name = std::move(name), .offered = true, .detail = std::move(detail)};
  return {
      .name = std::move(name), .offered = false, .detail = fail("", error).error().code.message()};
}

Offer untried(std::string name, std::string_view missing, const Error& error) {
  return {.name = std::move(name),
          .offered = {},
          .detail = fmt::format("not tried: no {} ({})", missing, explain::describe(error))};
}

Result<Descriptor> unnamed_file() {
  return sys::openat(sys::working_directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

Result<Descriptor> file_in_memory() {
  const int file = ::memfd_create("headrace", MFD_CLOEXEC);
  if (file < 0) return fail("memfd_create", errno);
  return Descriptor{file};
}

/// A file of one page in the working directory without a name, or else in memory.
struct ScratchFile {
  Descriptor file;
  std::optional<Error> missing;    // why there is none at all
  std::optional<Error> elsewhere;  // why it is in memory
};

ScratchFile scratch_file() {
  ScratchFile scratch;
  auto file = unnamed_file();
  if (!file) {
    scratch.elsewhere = file.error();
    file = file_in_memory();
  }
  const std::array<char, page> content{};
  if (file && ::write(file->ref().number(), content.data(), content.size()) < 0) {
    file = fail("write", errno);
  }
  if (file) scratch.file = std::move(*file);
  if (!file) scratch.missing = file.error();
  return scratch;
}

std::string name_of_file_system_here() {
  const auto here = sys::openat(sys::working_directory, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return std::string(here ? file_system_holding(here->ref()).name : FileSystem{}.name);
}

/// What the tries work on.
class Scratch {
 public:
  [[nodiscard]] int from() const { return source_.file.ref().number(); }
  [[nodiscard]] int to() const { return destination_.file.ref().number(); }
  [[nodiscard]] int reader() const { return pipe_->reader.ref().number(); }
  [[nodiscard]] int writer() const { return pipe_->writer.ref().number(); }
  [[nodiscard]] const std::string& file_system() const { return file_system_; }

  using Try = Offer (*)(const Scratch&);
  /// Each of these makes the try, or says what it lacks.
  [[nodiscard]] Offer on_files(std::string name, Try attempt) const {
    if (const auto& error = missing_file()) return untried(std::move(name), "scratch file", *error);
    return attempt(*this);
  }
  [[nodiscard]] Offer on_pipe(std::string name, Try attempt) const {
    if (!pipe_) return untried(std::move(name), "pipe", pipe_.error());
    return attempt(*this);
  }
  [[nodiscard]] Offer on_files_and_pipe(std::string name, Try attempt) const {
    if (!pipe_) return untried(std::move(name), "pipe", pipe_.error());
    return on_files(std::move(name), attempt);
  }
  /// The file system of the working directory answers, so the file must stand in it.
  [[nodiscard]] Offer on_files_here(std::string name, Try attempt) const {
    const auto& elsewhere = source_.elsewhere ? source_.elsewhere : destination_.elsewhere;
    const std::string here = "scratch file on " + where();
    if (elsewhere) return untried(std::move(name), here, *elsewhere);
    return told_of_here(on_files(std::move(name), attempt));
  }
  [[nodiscard]] Offer told_of_here(Offer offer) const {
    if (offer.offered) offer.detail += (offer.detail.empty() ? "on " : ", on ") + where();
    return offer;
  }

 private:
  [[nodiscard]] std::string where() const {
    return file_system_ + ", the file system of the working directory";
  }
  [[nodiscard]] const std::optional<Error>& missing_file() const {
    return source_.missing ? source_.missing : destination_.missing;
  }

  ScratchFile source_ = scratch_file();
  ScratchFile destination_ = scratch_file();
  Result<sys::PipeEnds> pipe_ = sys::pipe2(O_CLOEXEC | O_NONBLOCK);
  std::string file_system_ = name_of_file_system_here();
};

Offer try_tmpfile() {
  const auto file = unnamed_file();
  if (file) return {.name = "O_TMPFILE", .offered = true, .detail = {}};
  return {.name = "O_TMPFILE", .offered = false, .detail = file.error().code.message()};
}

Offer try_clone(const Scratch& scratch) {
  return answered("FICLONE", ::ioctl(scratch.to(), FICLONE, scratch.from()));
}

Offer try_copy_file_range(const Scratch& scratch) {
  off64_t from = 0;
  off64_t to = 0;
  return answered("copy_file_range",
                  ::copy_file_range(scratch.from(), &from, scratch.to(), &to, page, 0));
}

Offer try_sendfile(const Scratch& scratch) {
  off_t from = 0;
  return answered("sendfile", ::sendfile(scratch.writer(), scratch.from(), &from, page));
}

// After try_sendfile the pipe holds a page.
Offer try_splice(const Scratch& scratch) {
  off64_t to = 0;
  return answered("splice",
                  ::splice(scratch.reader(), nullptr, scratch.to(), &to, page, SPLICE_F_NONBLOCK));
}

Offer try_sendfile_from_zero(const Scratch& scratch) {
  const auto zero = sys::openat(sys::working_directory, "/dev/zero", O_RDONLY | O_CLOEXEC);
  if (!zero) return untried("sendfile from /dev/zero", "/dev/zero", zero.error());
  return answered("sendfile from /dev/zero",
                  ::sendfile(scratch.writer(), zero->ref().number(), nullptr, page));
}

Offer try_vmsplice(const Scratch& scratch) {
  std::array<char, 1> byte{};
  const iovec piece{.iov_base = byte.data(), .iov_len = byte.size()};
  return answered("vmsplice", ::vmsplice(scratch.writer(), &piece, 1, SPLICE_F_NONBLOCK));
}

Offer try_pipe_size() {
  const auto pipe = sys::pipe2(O_CLOEXEC);
  if (!pipe) return untried("pipe of 1MiB", "pipe", pipe.error());
  const auto given = sys::set_pipe_capacity(pipe->writer.ref(), mebibyte);
  if (given) return {.name = "pipe of 1MiB", .offered = true, .detail = format_size(*given)};
  const Bytes kept = sys::pipe_capacity(pipe->writer.ref()).value_or(0);
  return {.name = "pipe of 1MiB",
          .offered = false,
          .detail = given.error().code.message() + ", kept " + format_size(kept)};
}

Offer try_no_wait_on_pipes() {
  const auto pipe = sys::pipe2(O_CLOEXEC);
  if (!pipe) return untried("RWF_NOWAIT on pipes", "pipe", pipe.error());
  std::array<char, 1> byte{};
  const iovec piece{.iov_base = byte.data(), .iov_len = byte.size()};
  return answered("RWF_NOWAIT on pipes",
                  ::pwritev2(pipe->writer.ref().number(), &piece, 1, -1, RWF_NOWAIT));
}

Offer try_lease(const Scratch& scratch) {
  const std::string path = fmt::format("/proc/self/fd/{}", scratch.from());
  const auto reader = sys::openat(sys::working_directory, path, O_RDONLY | O_CLOEXEC);
  if (!reader) return untried("F_SETLEASE", "second descriptor", reader.error());
  const long leased = ::fcntl(reader->ref().number(), F_SETLEASE, F_RDLCK);
  // Our own writable descriptor counts as an open writer: EAGAIN proves the call just as well.
  if (leased < 0 && errno == EAGAIN) return answered("F_SETLEASE", 0);
  return answered("F_SETLEASE", leased);
}

Offer try_extents(const Scratch& scratch) {
  fiemap map{};
  map.fm_length = page;
  return answered("FIEMAP", ::ioctl(scratch.from(), FS_IOC_FIEMAP, &map));
}

Offer try_zerocopy() {
  const Descriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (!socket.valid()) return untried("MSG_ZEROCOPY", "TCP socket", fail("socket", errno).error());
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
  if (!connected) {
    return untried("kernel TLS", "connection with ourselves", fail("connect", errno).error());
  }
  Offer offer =
      answered("kernel TLS", ::setsockopt(client.ref().number(), IPPROTO_TCP, TCP_ULP, "tls", 3));
  if (!*offer.offered) offer.detail += " [kernel-tls-absent]";
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

std::string_view answer_in_words(const Offer& offer) {
  if (!offer.offered) return "unknown";
  return *offer.offered ? "yes" : "no";
}

}  // namespace

std::vector<Offer> try_kernel() {
  const Scratch scratch;
  return {scratch.told_of_here(try_tmpfile()),
          scratch.on_files_here("FICLONE", try_clone),
          scratch.on_files("copy_file_range", try_copy_file_range),
          scratch.on_files_and_pipe("sendfile", try_sendfile),
          scratch.on_files_and_pipe("splice", try_splice),
          scratch.on_pipe("sendfile from /dev/zero", try_sendfile_from_zero),
          scratch.on_pipe("vmsplice", try_vmsplice),
          try_pipe_size(),
          try_no_wait_on_pipes(),
          scratch.on_files("F_SETLEASE", try_lease),
          scratch.on_files_here("FIEMAP", try_extents),
          try_zerocopy(),
          try_kernel_tls(),
          try_uring(),
          congestion_controls()};
}

std::string kernel_text(const std::vector<Offer>& offers) {
  utsname name{};
  ::uname(&name);
  std::string text = fmt::format("{} {} {}\n", name.sysname, name.release, name.machine);
  for (const Offer& offer : offers) {
    text += fmt::format("  {:<24} {}{}{}\n", offer.name, answer_in_words(offer),
                        offer.detail.empty() ? "" : ": ", offer.detail);
  }
  return text;
}

std::string kernel_json(const std::vector<Offer>& offers) {
  utsname name{};
  ::uname(&name);
  explain::Json json{{"schema", explain::json_schema}, {"command", "explain"}};
  json["kernel"] = {{"system", name.sysname}, {"release", name.release}, {"machine", name.machine}};
  json["offers"] = explain::Json::array();
  for (const Offer& offer : offers) {
    json["offers"].push_back({{"name", offer.name},
                              {"offered", explain::value_or_null(offer.offered)},
                              {"detail", explain::text_or_null(offer.detail)}});
  }
  return explain::dump(json) + "\n";
}

}  // namespace headrace::cli
