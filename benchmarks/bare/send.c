/* send FILE HOST:PORT: sendfile on a non-blocking socket with poll, as the library does it. */
#include "bare.h"

int main(int argc, char** argv) {
  (void)argc;
  int file = open(argv[1], O_RDONLY | O_CLOEXEC);
  check(file >= 0, "open");
  int peer = connect_to(argv[2]);
  not_blocking(peer);
  off_t size = size_of(file);
  for (off_t offset = 0; offset < size;) {
    off_t left = size - offset;
    size_t asked = left < 0x7ffff000 ? (size_t)left : 0x7ffff000;
    ssize_t moved = sendfile(peer, file, &offset, asked);
    if (moved < 0 && errno == EAGAIN) wait_for(peer, POLLOUT);
    else check(moved > 0, "sendfile");
  }
  finish(peer);
  return 0;
}
