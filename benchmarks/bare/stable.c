/* stable FILE ROUNDS WAY...: ways to send a file to a TCP peer such that later writes to it do not
 * reach the peer, and sendfile as it is for comparison. The peer reads into a buffer, in a process of
 * its own. One CSV line a sample: way, bytes, wall seconds, CPU seconds of the sender, of the peer.
 *
 *   read:N      pread and send, N bytes at a time
 *   memfd:N     N bytes at a time: sendfile into a new memfd, sealed, sendfile from there
 *   gift:N      N bytes at a time: read into a new mapping, vmsplice, splice; the mapping dropped
 *   clone       FICLONE into an unnamed file, sendfile from there
 *   live        sendfile from the file itself: not stable
 *   cold-WAY    the same, with the file dropped from the page cache beforehand
 */
#include "bare.h"

#include <libgen.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { peer_buffer = 256 << 10 };

static void send_all(int peer, const char* bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(peer, bytes, count, 0);
    check(sent > 0, "send");
    bytes += sent;
    count -= (size_t)sent;
  }
}

static void sendfile_all(int to, int from, off_t offset, off_t end) {
  while (offset < end) check(sendfile(to, from, &offset, (size_t)(end - offset)) > 0, "sendfile");
}

static void by_read(int file, int peer, off_t size, size_t piece) {
  char* buffer = malloc(piece);
  for (off_t offset = 0; offset < size;) {
    ssize_t got = pread(file, buffer, piece, offset);
    check(got > 0, "pread");
    send_all(peer, buffer, (size_t)got);
    offset += got;
  }
  free(buffer);
}

static void by_memfd(int file, int peer, off_t size, off_t piece) {
  for (off_t offset = 0; offset < size; offset += piece) {
    off_t end = offset + piece < size ? offset + piece : size;
    int copy = memfd_create("stable", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    check(copy >= 0, "memfd_create");
    sendfile_all(copy, file, offset, end);
    check(fcntl(copy, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_SEAL) == 0, "F_ADD_SEALS");
    sendfile_all(peer, copy, 0, end - offset);
    close(copy);
  }
}

static void splice_all(int pipe_in, int pipe_out, struct iovec piece, int peer) {
  while (piece.iov_len > 0) {
    ssize_t given = vmsplice(pipe_in, &piece, 1, 0);
    check(given > 0, "vmsplice");
    piece.iov_base = (char*)piece.iov_base + given;
    piece.iov_len -= (size_t)given;
    while (given > 0) {
      ssize_t moved = splice(pipe_out, NULL, peer, NULL, (size_t)given, 0);
      check(moved > 0, "splice");
      given -= moved;
    }
  }
}

static void by_gift(int file, int peer, off_t size, size_t piece) {
  int ends[2];
  check(pipe2(ends, O_CLOEXEC) == 0, "pipe2");
  fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  for (off_t offset = 0; offset < size;) {
    char* fresh = mmap(NULL, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(fresh != MAP_FAILED, "mmap");
    ssize_t got = pread(file, fresh, piece, offset);
    check(got > 0, "pread");
    splice_all(ends[1], ends[0], (struct iovec){fresh, (size_t)got}, peer);
    munmap(fresh, piece); /* the pages live on until the peer has read them; nobody writes them */
    offset += got;
  }
  close(ends[0]);
  close(ends[1]);
}

static void by_clone(const char* name, int file, int peer, off_t size) {
  char* copy_of_name = strdup(name);
  int clone = open(dirname(copy_of_name), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0);
  check(clone >= 0, "O_TMPFILE");
  check(ioctl(clone, FICLONE, file) == 0, "FICLONE");
  sendfile_all(peer, clone, 0, size);
  close(clone);
  free(copy_of_name);
}

static void carry(const char* way, const char* name, int file, int peer, off_t size) {
  const char* colon = strchr(way, ':');
  size_t piece = colon ? (size_t)atol(colon + 1) : 0;
  if (strncmp(way, "read", 4) == 0) by_read(file, peer, size, piece);
  else if (strncmp(way, "memfd", 5) == 0) by_memfd(file, peer, size, (off_t)piece);
  else if (strncmp(way, "gift", 4) == 0) by_gift(file, peer, size, piece);
  else if (strcmp(way, "clone") == 0) by_clone(name, file, peer, size);
  else if (strcmp(way, "live") == 0) sendfile_all(peer, file, 0, size);
  else exit(2);
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void read_everything(int peer) {
  char* buffer = malloc(peer_buffer);
  while (read(peer, buffer, peer_buffer) > 0) continue;
  _exit(0);
}

static const char* prepared(const char* way, int file, off_t size) {
  if (strncmp(way, "cold-", 5) != 0) {
    check(readahead(file, 0, (size_t)size) == 0, "readahead");
    return way;
  }
  fsync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  return way + 5;
}

static void sample(const char* named, const char* name, int file, off_t size) {
  const char* way = prepared(named, file, size);
  struct sockaddr_in address = loopback(0);
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  check(bind(listener, (struct sockaddr*)&address, sizeof address) == 0, "bind");
  check(listen(listener, 1) == 0, "listen");
  check(getsockname(listener, (struct sockaddr*)&address, &length) == 0, "getsockname");
  char target[32];
  snprintf(target, sizeof target, "127.0.0.1:%d", ntohs(address.sin_port));
  pid_t child = fork();
  if (child == 0) read_everything(accept(listener, NULL, NULL));
  close(listener);
  int peer = connect_to(target);
  double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  carry(way, name, file, peer, size);
  finish(peer);
  wall = seconds(CLOCK_MONOTONIC) - wall;
  cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  close(peer);
  int status;
  struct rusage usage;
  check(wait4(child, &status, 0, &usage) == child, "wait4");
  double other = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                 (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  printf("%s,%lld,%.6f,%.6f,%.6f\n", named, (long long)size, wall, cpu, other);
  fflush(stdout);
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  int file = open(argv[1], O_RDONLY | O_CLOEXEC);
  check(file >= 0, "open");
  off_t size = size_of(file);
  for (int round = 0; round < atoi(argv[2]); ++round) {
    for (int way = 3; way < argc; ++way) sample(argv[way], argv[1], file, size);
  }
  return 0;
}
