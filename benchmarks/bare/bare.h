/* What the bare programs share: the loops that a program without headrace would contain. */
#ifndef HEADRACE_BENCHMARKS_BARE_H
#define HEADRACE_BENCHMARKS_BARE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static inline void check(int good, const char* call) {
  if (good) return;
  perror(call);
  exit(1);
}

static inline struct sockaddr_in loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/* Listens on a port of the kernel's choice, says which on standard output, takes one connection. */
static inline int accept_one(void) {
  struct sockaddr_in address = loopback(0);
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  check(bind(listener, (struct sockaddr*)&address, sizeof address) == 0, "bind");
  check(listen(listener, 1) == 0, "listen");
  check(getsockname(listener, (struct sockaddr*)&address, &length) == 0, "getsockname");
  printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  int peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  check(peer >= 0, "accept4");
  close(listener);
  return peer;
}

static inline int connect_to(const char* host_and_port) {
  struct sockaddr_in address = loopback(atoi(strrchr(host_and_port, ':') + 1));
  int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  check(connect(peer, (struct sockaddr*)&address, sizeof address) == 0, "connect");
  int on = 1;
  setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return peer;
}

static inline void not_blocking(int descriptor) {
  check(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0, "fcntl");
}

static inline void wait_for(int descriptor, short event) {
  struct pollfd end = {.fd = descriptor, .events = event};
  check(poll(&end, 1, -1) >= 0 || errno == EINTR, "poll");
}

static inline off_t size_of(int file) {
  struct stat status;
  check(fstat(file, &status) == 0, "fstat");
  return status.st_size;
}

/* Half-close, then wait for the peer's end: nothing sent is lost to a reset. */
static inline void finish(int peer) {
  char byte;
  shutdown(peer, SHUT_WR);
  for (;;) {
    ssize_t got = read(peer, &byte, 1);
    if (got == 0) return;
    if (got < 0 && errno == EAGAIN) wait_for(peer, POLLIN);
    else check(got >= 0, "read");
  }
}

#endif
