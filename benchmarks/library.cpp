// library copy SOURCE DESTINATION | send FILE HOST:PORT | receive FILE
//
// The same jobs as the bare programs, by the library's transfer(): what does the library cost?
#include <fcntl.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "headrace/transfer.hpp"
extern "C" {
#include "bare/bare.h"
}

namespace {

// By the method that the bare program uses, so that the calls are the same.
int moved(headrace::DescriptorRef source, headrace::DescriptorRef destination, std::string method) {
  const headrace::Options options{.wishes = {.methods = {std::move(method)}}};
  const auto report =
      headrace::transfer(headrace::body_of(source), headrace::Plain{destination}, options);
  return report && report->outcome == headrace::Outcome::complete ? 0 : 1;
}

headrace::Descriptor open_source(const char* path) {
  return headrace::Descriptor{::open(path, O_RDONLY | O_CLOEXEC)};
}

headrace::Descriptor open_destination(const char* path) {
  return headrace::Descriptor{::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
}

int copy(char** argv) {
  const auto source = open_source(argv[2]);
  const auto destination = open_destination(argv[3]);
  return moved(source.ref(), destination.ref(), "copy_file_range");
}

int send(char** argv) {
  const auto source = open_source(argv[2]);
  const headrace::Descriptor peer{connect_to(argv[3])};
  not_blocking(peer.ref().number());
  const int status = moved(source.ref(), peer.ref(), "sendfile");
  finish(peer.ref().number());
  return status;
}

int receive(char** argv) {
  const headrace::Descriptor peer{accept_one()};
  not_blocking(peer.ref().number());
  const auto destination = open_destination(argv[2]);
  return moved(peer.ref(), destination.ref(), "splice_pipe");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view job = argc > 2 ? argv[1] : "";
  if (job == "copy" && argc == 4) return copy(argv);
  if (job == "send" && argc == 4) return send(argv);
  if (job == "receive") return receive(argv);
  std::fputs("usage: library copy SOURCE DESTINATION | send FILE HOST:PORT | receive FILE\n",
             stderr);
  return 2;
}
