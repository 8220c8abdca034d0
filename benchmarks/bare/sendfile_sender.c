/* sendfile_sender FILE HOST:PORT: a blocking socket and the largest calls; the partner of every receiver. */
#include "bare.h"

int main(int argc, char** argv) {
  (void)argc;
  int file = open(argv[1], O_RDONLY | O_CLOEXEC);
  check(file >= 0, "open");
  int peer = connect_to(argv[2]);
  off_t size = size_of(file);
  for (off_t offset = 0; offset < size;) {
    check(sendfile(peer, file, &offset, (size_t)(size - offset)) > 0, "sendfile");
  }
  finish(peer);
  return 0;
}
