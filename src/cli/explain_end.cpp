#include "cli/explain_end.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/console.hpp"
#include "cli/target.hpp"
#include "net/address.hpp"
#include "net/congestion.hpp"
#include "net/connection.hpp"
#include "net/local.hpp"
#include "net/resolve.hpp"
#include "sys/files.hpp"

namespace headrace::cli {
namespace {

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

std::optional<Facts> of_address(std::string_view command, const std::string& text,
                                const Stop& stop) {
  const auto address = net::parse_address(text);
  if (!address) return complained(command, "read", text, address.error());
  const auto resolved = net::resolve(*address, net::Use::connecting, {}, stop);
  if (!resolved) return complained(command, "look up", text, resolved.error());
  Facts facts;
  const bool tcp = address->family == net::Address::Family::tcp;
  facts.kind = tcp ? Kind::tcp : Kind::unix_stream;
  facts.name = text;
  facts.readable = facts.writable = facts.nonblocking = true;
  facts.peer_local = net::is_local(resolved->front().address);
  if (tcp) facts.congestion = congestion_towards(facts.peer_local);
  return facts;
}

std::optional<Facts> of_descriptor(std::string_view command, DescriptorRef descriptor,
                                   const std::string& name) {
  auto facts = probe(descriptor, name);
  if (!facts) return complained(command, "look at", name, facts.error());
  return std::move(*facts);
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
  // O_NONBLOCK and reading only: a FIFO without a peer does not hold us up.
  const auto opened =
      sys::openat(sys::working_directory, text, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (!opened) return complained(command, "look at", text, opened.error());
  auto facts = of_descriptor(command, opened->ref(), text);
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
  if (is_address(text)) return of_address(command, text, stop);
  if (end == End::destination) return of_destination(command, text);
  const auto opened =
      sys::openat(sys::working_directory, text, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (!opened) return complained(command, "open", text, opened.error());
  return of_descriptor(command, opened->ref(), text);
}

}  // namespace headrace::cli
