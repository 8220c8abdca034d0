#include "cli/source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "cli/console.hpp"
#include "net/wait.hpp"
#include "sys/files.hpp"

namespace headrace::cli {
namespace {

std::optional<Source> probed(std::string_view command, Source source) {
  auto facts = probe(source.descriptor, source.name);
  if (!facts) {
    complain(command, "read", source.name, facts.error());
    return std::nullopt;
  }
  source.facts = std::move(*facts);
  const auto status = sys::fstat(source.descriptor);
  if (!status) {
    complain(command, "read", source.name, status.error());
    return std::nullopt;
  }
  source.status = *status;
  if (source.facts.kind == Kind::directory) {
    complain(command, fmt::format("'{}' is a directory: name a file in it", source.name));
    return std::nullopt;
  }
  if (!source.facts.readable) {
    complain(command, fmt::format("'{}' is not open for reading", source.name));
    return std::nullopt;
  }
  return source;
}

bool is_socket_file(const std::string& path) {
  const auto status = sys::fstatat(sys::working_directory, path, 0);
  return status && S_ISSOCK(status->st_mode);
}

// Before its first writer a FIFO looks ended to read(2), but not to poll(2). False when the wait
// failed, which is told, or was stopped, which is not.
bool wait_for_writer(std::string_view command, const Source& source, const Stop& stop,
                     Patience patience) {
  auto woken = net::wait_for(source.descriptor, POLLIN, net::deadline_after(patience), stop);
  if (woken && *woken == net::Woken::timed_out) woken = fail("poll", ETIMEDOUT);
  if (!woken) complain(command, "wait for a writer of", source.name, woken.error());
  return woken && *woken == net::Woken::ready;
}

}  // namespace

std::optional<Source> open_source(std::string_view command, const std::string& path,
                                  const Stop& stop, Patience patience) {
  Source source;
  if (path == "-") {
    source.descriptor = DescriptorRef{STDIN_FILENO};
    source.name = "standard input";
    return probed(command, std::move(source));
  }
  auto opened =
      sys::openat(sys::working_directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (!opened) {
    if (is_socket_file(path)) {
      complain(command, fmt::format("'{0}' is a socket; to take what it sends: headrace receive "
                                    "--connect unix:{0} FILE",
                                    path));
    } else {
      complain(command, "open", path, opened.error());
    }
    return std::nullopt;
  }
  source.owned = std::move(*opened);
  source.descriptor = source.owned.ref();
  source.name = path;
  auto ready = probed(command, std::move(source));
  if (ready && ready->facts.kind == Kind::pipe &&
      !wait_for_writer(command, *ready, stop, patience)) {
    return std::nullopt;
  }
  return ready;
}

}  // namespace headrace::cli
