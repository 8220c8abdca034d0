/* Takes one connection and throws its bytes away, without copying them (MSG_TRUNC). */
#include "bare.h"

int main(void) {
  int peer = accept_one();
  static char buffer[1 << 20];
  for (;;) {
    ssize_t got = recv(peer, buffer, sizeof buffer, MSG_TRUNC);
    check(got >= 0, "recv");
    if (got == 0) return 0;
  }
}
