/* peak COMMAND ARGUMENT...: runs it and prints its peak resident memory in KiB. A small program in
   between, because the kernel counts what a process was before its exec: a Python's 40 MiB. */
#include "bare.h"

#include <sys/resource.h>
#include <sys/wait.h>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  pid_t child = vfork();
  check(child >= 0, "vfork");
  if (child == 0) {
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int status;
  struct rusage usage;
  check(wait4(child, &status, 0, &usage) == child, "wait4");
  printf("%ld\n", usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
