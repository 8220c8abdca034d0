#include "cli/standard_descriptors.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace headrace::cli {
namespace {

// Open the wrong way round: reading standard input or writing the others is EBADF, as when closed.
void occupy(int number, int wrong_way) {
  if (::fcntl(number, F_GETFD) >= 0) return;
  const int filler = ::open("/dev/null", wrong_way);
  // The lowest free number is this one, since those below it are taken: they were looked at first.
  if (filler > STDERR_FILENO) ::close(filler);
}

}  // namespace

void occupy_standard_descriptors() {
  occupy(STDIN_FILENO, O_WRONLY);
  occupy(STDOUT_FILENO, O_RDONLY);
  occupy(STDERR_FILENO, O_RDONLY);
}

}  // namespace headrace::cli
