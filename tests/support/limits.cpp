#include "support/limits.hpp"

#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "support/must.hpp"

namespace headrace::testing {
namespace {

constexpr unsigned nobody = 65534;  // the kernel's overflow user, the same on every Linux

}  // namespace

void limit_open_files(std::uint64_t descriptors) {
  const rlimit limit{descriptors, descriptors};
  must(::setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
}

void limit_file_size(std::uint64_t bytes) {
  must(std::signal(SIGXFSZ, SIG_IGN) == SIG_ERR ? -1 : 0, "signal");
  const rlimit limit{bytes, bytes};
  must(::setrlimit(RLIMIT_FSIZE, &limit), "setrlimit");
}

bool become_nobody() {
  if (::geteuid() != 0) return false;
  must(::setgroups(0, nullptr), "setgroups");
  must(::setresgid(nobody, nobody, nobody), "setresgid");
  must(::setresuid(nobody, nobody, nobody), "setresuid");
  // A change of user makes a process undumpable: its /proc files would be root's.
  must(::prctl(PR_SET_DUMPABLE, 1), "prctl");
  return true;
}

}  // namespace headrace::testing
