#pragma once

#include <string>
#include <string_view>
#include <thread>

#include "headrace/descriptor.hpp"

namespace headrace::testing {

/// Whether both ends are made non-blocking.
enum class Mode { blocking, nonblocking };

struct Pipe {
  Descriptor reader;
  Descriptor writer;
};
/// An anonymous pipe; `capacity` in bytes is asked of the kernel, 0 keeps its default.
Pipe open_pipe(Mode mode = Mode::blocking, int capacity = 0);

/// Two ends of one connection; what is written to one is read from the other.
struct Pair {
  Descriptor near;  ///< the end that is tested
  Descriptor far;   ///< its peer
};
/// A TCP connection over 127.0.0.1; `near` connected, `far` accepted.
Pair connected_tcp(Mode mode = Mode::blocking);
Pair connected_unix(Mode mode = Mode::blocking);
/// A raw terminal (`near`) and what its user sees and types (`far`).
Pair open_terminal(Mode mode = Mode::blocking);

/// Closes a TCP socket so that its peer gets a reset instead of an end.
void close_with_reset(Descriptor socket);

/// Writes until the descriptor takes no more; returns how many bytes went in. Non-blocking only.
std::size_t fill(DescriptorRef destination);

/// Reads a descriptor to its end on a thread of its own. Borrows it.
class Drain {
 public:
  explicit Drain(DescriptorRef source);
  explicit Drain(const Descriptor& source) : Drain(source.ref()) {}
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;
  /// Does not wait for an end that nobody asked for.
  ~Drain();
  /// Waits for the end and gives all bytes. An end is 0, a reset, or a hung-up terminal (EIO).
  const std::string& bytes();

 private:
  void run();

  DescriptorRef source_;
  Pipe stop_;
  std::string bytes_;
  std::jthread thread_;
};

/// Writes bytes on a thread of its own, then closes the descriptor.
class Feed {
 public:
  Feed(Descriptor destination, std::string bytes);
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;
  /// Does not wait for a reader that is not there.
  ~Feed();

 private:
  void run();

  Descriptor destination_;
  std::string bytes_;
  Pipe stop_;
  std::jthread thread_;
};

}  // namespace headrace::testing
