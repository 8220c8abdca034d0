#pragma once

#include <string>
#include <system_error>
#include <vector>

#include "headrace/result.hpp"
#include "headrace/transfer.hpp"
#include "net/address.hpp"
#include "net/wait.hpp"
#include "sys/socket.hpp"

namespace headrace::net {

/// One address the kernel can take, and its text.
struct Resolved {
  sys::SocketAddress address;
  std::string text;
};

/// What a missing host means: every address of this machine, or the loopback ones.
enum class Use { connecting, listening };

/// The errors of getaddrinfo(3): EAI_NONAME, EAI_AGAIN... with gai_strerror(3)'s words.
const std::error_category& lookup_category();

/// The addresses of `address`, in the order to try them; never an empty list.
///
/// Numbers and paths are answered at once. Names go to getaddrinfo(3), which nothing can interrupt:
/// it runs on a thread of its own, which is left behind when `stop` or `deadline` ends the wait.
/// Errors: lookup_category(), ENAMETOOLONG (unix paths), ECANCELED, ETIMEDOUT.
Result<std::vector<Resolved>> resolve(const Address& address, Use use, Deadline deadline = {},
                                      const Stop& stop = {});

}  // namespace headrace::net
