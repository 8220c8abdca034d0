#include "cli/explain_end.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cli/console.hpp"
#include "cli/explain_url.hpp"
#include "cli/http_client.hpp"
#include "cli/target.hpp"
#include "net/address.hpp"
#include "net/congestion.hpp"
#include "net/connection.hpp"
#include "net/resolve.hpp"
#include "probe/local.hpp"
#include "sys/files.hpp"

namespace headrace::cli {
namespace {

// pipe(7): what the pipe of a FIFO holds that is opened for the first time.
constexpr Bytes new_pipe_pages = 16;
Bytes page_size() { return static_cast<Bytes>(::sysconf(_SC_PAGESIZE)); }

std::optional<Facts> complained(std::string_view command, std::string_view doing,
                                const std::string& text, const Error& error) {
  complain(command, doing, text, error);
  return std::nullopt;
}

bool exists(const std::string& path) {
  return sys::fstatat(sys::working_directory, path, 0).has_value();
}

// HOST:PORT, unless a file bears that very name.
bool is_address(const std::string& text) {
  if (text.starts_with("unix:")) return true;
  return !exists(text) && text.find('/') == std::string::npos &&
         net::parse_address(text).has_value();
}

// What `send` would end up with: asked of a socket that connects to nobody.
std::string congestion_towards(bool local) {
  const auto socket = net::open_stream(AF_INET, {});
  if (!socket) return {};
  const auto choice = net::choose_congestion(socket->ref(), local, std::nullopt);
  return choice ? choice->congestion.in_force : std::string{};
}

std::optional<Facts> of_peer(std::string_view command, const Result<net::Address>& address,
                             const std::string& text, const Stop& stop) {
  if (!address) return complained(command, "read", text, address.error());
  const auto resolved = net::resolve(*address, net::Use::connecting, {}, stop);
  if (!resolved) return complained(command, "look up", text, resolved.error());
  Facts facts;
  const bool tcp = address->family == net::Address::Family::tcp;
  facts.kind = tcp ? Kind::tcp : Kind::unix_stream;
  facts.name = text;
  facts.readable = facts.writable = facts.nonblocking = true;
  facts.peer_local = is_local(resolved->front().address);
  if (tcp) facts.congestion = congestion_towards(facts.peer_local);
  return facts;
}

std::optional<Facts> of_url(std::string_view command, const std::string& text, const Stop& stop) {
  const auto url = url_of(command, text);
  if (!url) return std::nullopt;
  return of_peer(command, net::Address{.host = url->host, .port = url->port, .path = {}}, text,
                 stop);
}

std::optional<Facts> of_descriptor(std::string_view command, DescriptorRef descriptor,
                                   const std::string& name) {
  auto facts = probe(descriptor, name);
  if (!facts) return complained(command, "look at", name, facts.error());
  return std::move(*facts);
}

// Devices.txt of the kernel: 4 are consoles and serial lines, 136 to 143 pseudo terminals.
Kind kind_of_device(dev_t device) {
  if (device == makedev(1, 3)) return Kind::null_device;
  if (device == makedev(1, 5)) return Kind::zero_device;
  const unsigned int number = major(device);
  const bool terminal = number == 4 || (number >= 136 && number <= 143) ||
                        device == makedev(5, 0) || device == makedev(5, 1);
  return terminal ? Kind::terminal : Kind::character_device;
}

// To open a FIFO would take what its writer writes, and some devices act when they are opened.
bool acts_when_opened(const struct stat& status) {
  if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) return true;
  const bool harmless = status.st_rdev == makedev(1, 3) || status.st_rdev == makedev(1, 5);
  return S_ISCHR(status.st_mode) && !harmless;
}

std::optional<Facts> of_unopened(std::string_view command, const std::string& text,
                                 const struct stat& status, End end) {
  const bool source = end == End::source;
  const auto allowed =
      sys::faccessat(sys::working_directory, text, source ? R_OK : W_OK, AT_EACCESS);
  if (!allowed) return complained(command, "open", text, allowed.error());
  Facts facts;
  facts.kind = S_ISFIFO(status.st_mode) ? Kind::pipe : kind_of_device(status.st_rdev);
  facts.name = text;
  facts.readable = source;
  facts.writable = !source;
  facts.nonblocking = true;  // as `copy` opens it
  facts.device = status.st_dev;
  facts.inode = status.st_ino;
  if (facts.kind == Kind::pipe) facts.pipe_capacity = new_pipe_pages * page_size();
  return facts;
}

std::optional<Facts> of_path(std::string_view command, const std::string& text, End end) {
  const auto status = sys::fstatat(sys::working_directory, text, 0);
  if (!status) return complained(command, "open", text, status.error());
  if (S_ISSOCK(status->st_mode)) {
    complain(command, fmt::format("'{0}' is a socket: ask for unix:{0}", text));
    return std::nullopt;
  }
  if (acts_when_opened(*status)) return of_unopened(command, text, *status, end);
  // O_NONBLOCK and reading only: whatever took its place meanwhile does not hold us up.
  const auto opened =
      sys::openat(sys::working_directory, text, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (!opened) return complained(command, "open", text, opened.error());
  return of_descriptor(command, opened->ref(), text);
}

std::optional<Facts> of_destination(std::string_view command, const std::string& text) {
  const auto destination = find_destination(text, "NAME");
  if (!destination) {
    complain_of(command, destination.error());
    return std::nullopt;
  }
  if (destination->own.valid()) return of_descriptor(command, destination->own, text);
  // `copy` writes a new file in the place of a regular one, empty and without its flags.
  if (destination->kind != DestinationKind::written_through) {
    return facts_of_new_file(command, *destination);
  }
  auto facts = of_path(command, text, End::destination);
  if (facts) facts->writable = true;
  return facts;
}

}  // namespace

std::optional<Facts> facts_of_end(std::string_view command, const std::string& text, End end,
                                  const Stop& stop) {
  if (text == "-") {
    const bool source = end == End::source;
    return of_descriptor(command, DescriptorRef{source ? STDIN_FILENO : STDOUT_FILENO},
                         source ? "standard input" : "standard output");
  }
  if (is_url(text)) return of_url(command, text, stop);
  if (is_address(text)) return of_peer(command, net::parse_address(text), text, stop);
  return end == End::destination ? of_destination(command, text)
                                 : of_path(command, text, End::source);
}

}  // namespace headrace::cli
