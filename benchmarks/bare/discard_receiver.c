/* Takes one connection, reads its bytes into a buffer of 256 KiB and throws them away. */
#include "bare.h"

int main(void) {
  int peer = accept_one();
  static char buffer[256 << 10];
  for (;;) {
    ssize_t got = read(peer, buffer, sizeof buffer);
    check(got >= 0, "read");
    if (got == 0) return 0;
  }
}
