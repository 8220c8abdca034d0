/* receive FILE: splice through a pipe of 1 MiB on a non-blocking socket, as the library does it. */
#include "bare.h"

int main(int argc, char** argv) {
  (void)argc;
  int peer = accept_one();
  not_blocking(peer);
  int file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int ends[2];
  check(file >= 0 && pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0, "open");
  fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  for (;;) {
    ssize_t held = splice(peer, NULL, ends[1], NULL, 0x7ffff000, SPLICE_F_NONBLOCK);
    if (held < 0 && errno == EAGAIN) {
      wait_for(peer, POLLIN);
      continue;
    }
    check(held >= 0, "splice");
    if (held == 0) return 0;
    while (held > 0) {
      ssize_t step = splice(ends[0], NULL, file, NULL, (size_t)held, SPLICE_F_NONBLOCK);
      check(step > 0, "splice");
      held -= step;
    }
  }
}
