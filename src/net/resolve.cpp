#include "net/resolve.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <future>
#include <memory>
#include <thread>

#include "net/socket_text.hpp"

namespace headrace::net {
namespace {

constexpr std::string_view call_name = "getaddrinfo";

// An interruption is noticed within this time while a name is being looked up.
constexpr std::chrono::milliseconds lookup_step{20};

class LookupCategory final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "lookup"; }
  [[nodiscard]] std::string message(int value) const override { return ::gai_strerror(value); }
};

using Found = Result<std::vector<Resolved>>;

struct FreeList {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

Resolved resolved_from(const addrinfo& entry) {
  Resolved resolved;
  std::memcpy(&resolved.address.storage, entry.ai_addr, entry.ai_addrlen);
  resolved.address.length = entry.ai_addrlen;
  resolved.text = text_of(resolved.address);
  return resolved;
}

Found look_up(const std::string& host, const std::string& port, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* first = nullptr;
  const int answer =
      ::getaddrinfo(host.empty() ? nullptr : host.c_str(), port.c_str(), &hints, &first);
  if (answer == EAI_SYSTEM) return fail(call_name, errno);
  if (answer != 0) return std::unexpected(Error{{answer, lookup_category()}, call_name});
  const std::unique_ptr<addrinfo, FreeList> list{first};
  std::vector<Resolved> found;
  for (const addrinfo* entry = first; entry != nullptr; entry = entry->ai_next) {
    found.push_back(resolved_from(*entry));
  }
  return found;
}

// The thread takes no signal: those are for the threads that know what to do with them.
Result<std::future<Found>> start_lookup(std::string host, std::string port, int flags) {
  std::packaged_task<Found()> task{[host = std::move(host), port = std::move(port), flags] {
    return look_up(host, port, flags);
  }};
  auto future = task.get_future();
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::error_code code;
  try {
    std::thread(std::move(task)).detach();
  } catch (const std::system_error& error) {
    code = error.code();
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (code) return std::unexpected(Error{code, "pthread_create"});
  return future;
}

Found look_up_name(const Address& address, int flags, Deadline deadline, const Stop& stop) {
  auto future = start_lookup(address.host, address.port, flags);
  if (!future) return std::unexpected(future.error());
  while (future->wait_for(lookup_step) != std::future_status::ready) {
    if (stop_requested(stop)) return fail(call_name, ECANCELED);
    if (deadline && Clock::now() >= *deadline) return fail(call_name, ETIMEDOUT);
  }
  return future->get();
}

Found resolve_tcp(const Address& address, Use use, Deadline deadline, const Stop& stop) {
  const int passive = use == Use::listening ? AI_PASSIVE : 0;
  auto found = look_up(address.host, address.port, passive | AI_NUMERICHOST);
  const Error no_number{{EAI_NONAME, lookup_category()}, call_name};
  if (!found && found.error().code == no_number.code && !address.host.empty()) {
    found = look_up_name(address, passive, deadline, stop);
  }
  // A wildcard IPv6 socket can serve IPv4 as well, so it is the better one to listen on.
  if (found && address.host.empty() && use == Use::listening) {
    std::ranges::stable_partition(
        *found, [](const Resolved& entry) { return entry.address.storage.ss_family == AF_INET6; });
  }
  return found;
}

Found resolve_unix(const std::string& path) {
  Resolved resolved;
  auto& name = reinterpret_cast<sockaddr_un&>(resolved.address.storage);
  // One byte less than the field: Linux takes a path without its final zero, other readers do not.
  if (path.size() >= sizeof(name.sun_path)) return fail("unix socket path", ENAMETOOLONG);
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, path.data(), path.size());
  const bool abstract = path.starts_with('@');
  if (abstract) name.sun_path[0] = '\0';
  const std::size_t length = offsetof(sockaddr_un, sun_path) + path.size() + (abstract ? 0 : 1);
  resolved.address.length = static_cast<socklen_t>(length);
  resolved.text = text_of(resolved.address);
  return std::vector{resolved};
}

}  // namespace

const std::error_category& lookup_category() {
  static const LookupCategory category;
  return category;
}

Result<std::vector<Resolved>> resolve(const Address& address, Use use, Deadline deadline,
                                      const Stop& stop) {
  if (address.family == Address::Family::unix_stream) return resolve_unix(address.path);
  return resolve_tcp(address, use, deadline, stop);
}

}  // namespace headrace::net
