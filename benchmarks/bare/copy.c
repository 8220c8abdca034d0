/* copy SOURCE DESTINATION: copy_file_range in calls of 1 GiB, as the library makes them. */
#include "bare.h"

int main(int argc, char** argv) {
  (void)argc;
  int source = open(argv[1], O_RDONLY | O_CLOEXEC);
  int destination = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  check(source >= 0 && destination >= 0, "open");
  off_t size = size_of(source);
  for (off64_t offset = 0; offset < size;) {
    size_t asked = (size_t)(size - offset) < (1U << 30) ? (size_t)(size - offset) : 1U << 30;
    check(copy_file_range(source, &offset, destination, NULL, asked, 0) > 0, "copy_file_range");
  }
  return 0;
}
