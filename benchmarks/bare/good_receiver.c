/* good_receiver FILE: a good loop without splice: 1 MiB at a time (MSG_WAITALL), then write. */
#include "bare.h"

int main(int argc, char** argv) {
  (void)argc;
  int peer = accept_one();
  int file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  check(file >= 0, "open");
  static char buffer[1 << 20];
  for (;;) {
    ssize_t got = recv(peer, buffer, sizeof buffer, MSG_WAITALL);
    check(got >= 0, "recv");
    if (got == 0) return close(file);
    for (ssize_t put = 0; put < got;) {
      ssize_t step = write(file, buffer + put, (size_t)(got - put));
      check(step > 0, "write");
      put += step;
    }
  }
}
