/* cold SOURCE DESTINATION PATH AHEAD [WINDOW_MIB]: copies a file that is not in the page cache.
 *
 * PATH: copy_file_range, sendfile, splice (pipe of 1 MiB), read_write (256 KiB).
 * AHEAD: plain; sequential (POSIX_FADV_SEQUENTIAL); will_need, readahead (the window after the one
 * being moved is asked for before it is moved); threads (two halves on two threads).
 *
 * Drops SOURCE from the cache and proves by mincore(2) that no page is left, reserves the
 * destination as headrace does on ext4, then prints wall and CPU seconds of the copy alone. */
#include "bare.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { kibibyte = 1024, mebibyte = 1024 * kibibyte, gibibyte = 1024 * mebibyte };

static const char* path;
static const char* ahead;
static const char* source_name;
static const char* destination_name;
static off_t window;

static int is(const char* word, const char* other) { return strcmp(word, other) == 0; }

/* --- Cold, and proved so ---------------------------------------------------------------------- */

static size_t resident_pages(int file, off_t size) {
  size_t pages = (size_t)(size + 4095) / 4096;
  unsigned char* found = malloc(pages);
  void* map = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, file, 0);
  check(found != NULL && map != MAP_FAILED, "mmap");
  check(mincore(map, (size_t)size, found) == 0, "mincore");
  size_t resident = 0;
  for (size_t i = 0; i < pages; ++i) resident += found[i] & 1U;
  munmap(map, (size_t)size);
  free(found);
  return resident;
}

static void drop(const char* name) {
  int file = open(name, O_RDONLY | O_CLOEXEC);
  check(file >= 0, name);
  check(fsync(file) == 0, "fsync");
  check(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0, "posix_fadvise");
  size_t left = resident_pages(file, size_of(file));
  if (left != 0) fprintf(stderr, "%zu pages are still cached\n", left);
  if (left != 0) exit(2);
  close(file);
}

/* --- One call of each path; what it answers --------------------------------------------------- */

struct ends {
  int source, destination;
  int pipe[2];
  char* buffer;
};

static struct ends open_ends(off_t begin) {
  struct ends ends = {.source = open(source_name, O_RDONLY | O_CLOEXEC),
                      .destination = open(destination_name, O_WRONLY | O_CLOEXEC),
                      .buffer = malloc(256 * kibibyte)};
  check(ends.source >= 0 && ends.destination >= 0 && ends.buffer != NULL, "open");
  check(lseek(ends.destination, begin, SEEK_SET) == begin, "lseek");
  check(pipe2(ends.pipe, O_CLOEXEC) == 0, "pipe2");
  check(fcntl(ends.pipe[1], F_SETPIPE_SZ, mebibyte) >= mebibyte, "F_SETPIPE_SZ");
  return ends;
}

static ssize_t by_splice(const struct ends* ends, off_t* offset, size_t asked) {
  ssize_t taken = splice(ends->source, offset, ends->pipe[1], NULL, asked, SPLICE_F_MOVE);
  for (ssize_t left = taken; left > 0;) {
    ssize_t given =
        splice(ends->pipe[0], NULL, ends->destination, NULL, (size_t)left, SPLICE_F_MOVE);
    check(given > 0, "splice");
    left -= given;
  }
  return taken;
}

static ssize_t by_read_write(const struct ends* ends, off_t* offset, size_t asked) {
  size_t most = asked < 256 * kibibyte ? asked : 256 * kibibyte;
  ssize_t taken = pread(ends->source, ends->buffer, most, *offset);
  check(taken > 0 && write(ends->destination, ends->buffer, (size_t)taken) == taken, "write");
  *offset += taken;
  return taken;
}

static ssize_t step(const struct ends* ends, off_t* offset, size_t asked) {
  if (is(path, "copy_file_range"))
    return copy_file_range(ends->source, offset, ends->destination, NULL, asked, 0);
  if (is(path, "sendfile")) return sendfile(ends->destination, ends->source, offset, asked);
  if (is(path, "splice")) return by_splice(ends, offset, asked);
  return by_read_write(ends, offset, asked);
}

/* --- A range ---------------------------------------------------------------------------------- */

static void ask_for(int source, off_t begin, off_t bytes) {
  if (is(ahead, "will_need"))
    check(posix_fadvise(source, begin, bytes, POSIX_FADV_WILLNEED) == 0, "posix_fadvise");
  if (is(ahead, "readahead")) check(readahead(source, begin, (size_t)bytes) == 0, "readahead");
}

static void copy_range(off_t begin, off_t end) {
  struct ends ends = open_ends(begin);
  if (is(ahead, "sequential"))
    check(posix_fadvise(ends.source, 0, 0, POSIX_FADV_SEQUENTIAL) == 0, "posix_fadvise");
  if (window != 0) ask_for(ends.source, begin, window);
  off_t most = window != 0 ? window : gibibyte;
  for (off_t offset = begin; offset < end;) {
    off_t stop = end - offset < most ? end : offset + most;
    if (window != 0) ask_for(ends.source, stop, window);
    while (offset < stop)
      check(step(&ends, &offset, (size_t)(stop - offset)) > 0, path);
  }
}

static void* second_half(void* size) {
  copy_range(*(off_t*)size / 2, *(off_t*)size);
  return NULL;
}

static void copy(off_t size) {
  if (!is(ahead, "threads")) {
    copy_range(0, size);
    return;
  }
  pthread_t other;
  check(pthread_create(&other, NULL, second_half, &size) == 0, "pthread_create");
  copy_range(0, size / 2);
  pthread_join(other, NULL);
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double cpu_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  source_name = argv[1];
  destination_name = argv[2];
  path = argv[3];
  ahead = argv[4];
  window = argc > 5 ? (off_t)atoi(argv[5]) * mebibyte : 0;
  drop(source_name);
  int source = open(source_name, O_RDONLY | O_CLOEXEC);
  int destination = open(destination_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  check(source >= 0 && destination >= 0, "open");
  off_t size = size_of(source);
  double cpu = cpu_seconds();
  double start = seconds_now();
  check(fallocate(destination, FALLOC_FL_KEEP_SIZE, 0, size) == 0, "fallocate");
  copy(size);
  printf("%.6f %.6f\n", seconds_now() - start, cpu_seconds() - cpu);
  return 0;
}
