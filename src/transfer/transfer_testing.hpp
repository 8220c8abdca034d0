#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "headrace/transfer.hpp"
#include "support/ends.hpp"
#include "support/must.hpp"
#include "support/temporary.hpp"

// What the tests of transfer() share.
namespace headrace::transfer_testing {

using Names = std::vector<std::string>;

/// A transfer that can start: its report, or the end of the test program.
inline Report move(const Body& body, DescriptorRef destination, const Options& options = {}) {
  auto report = transfer(body, Plain{destination}, options);
  if (!report) testing::give_up(report.error().call, report.error().code.message());
  return std::move(*report);
}
inline Report move(const Body& body, const Descriptor& destination, const Options& options = {}) {
  return move(body, destination.ref(), options);
}

inline Body body_of_file(const Descriptor& source) { return body_of(source.ref()); }

/// Options under which only these methods are tried, in this order.
inline Options only(Names methods) {
  Options options;
  options.wishes.methods = std::move(methods);
  return options;
}

/// A pace at which `bytes` come in `portions` turns, 20 a second.
inline Body in_portions(Body body, Bytes bytes, Bytes portions) {
  return paced(std::move(body), bytes / portions * 20);
}

/// Calls `action` once: after the first turn that moved bytes.
template <class Action>
Body after_first_turn(Body body, Action action) {
  return observed(std::move(body), [action, done = false](Bytes moved) mutable {
    if (!std::exchange(done, true)) action(moved);
  });
}

inline Names methods_of(const Report& report) {
  Names names;
  for (const Leg& leg : report.legs) names.emplace_back(leg.method->name);
  return names;
}

inline bool has_note(const std::vector<std::string>& notes, std::string_view part) {
  return std::ranges::any_of(notes, [&](const std::string& note) { return note.contains(part); });
}

inline int number_of(const std::optional<Error>& error) { return error ? error->code.value() : 0; }

inline int flags_of(const Descriptor& descriptor) {
  return testing::must(::fcntl(descriptor.ref().number(), F_GETFL), "fcntl");
}

/// Bytes that wait to be read in a pipe or socket.
inline Bytes waiting_in(const Descriptor& end) {
  int bytes = 0;
  testing::must(::ioctl(end.ref().number(), FIONREAD, &bytes), "ioctl");
  return static_cast<Bytes>(bytes);
}

inline void truncate(const Descriptor& file, Bytes size) {
  testing::must(::ftruncate(file.ref().number(), static_cast<off_t>(size)), "ftruncate");
}

inline void seek(const Descriptor& file, Bytes position) {
  testing::must(::lseek(file.ref().number(), static_cast<off_t>(position), SEEK_SET), "lseek");
}

/// A stop with its flag and its eventfd.
class Brake {
 public:
  void pull() {
    requested_ = true;
    testing::must(::eventfd_write(wake_.ref().number(), 1), "eventfd_write");
  }
  /// Only the flag: nothing wakes a wait.
  void raise_flag() { requested_ = true; }
  [[nodiscard]] Stop stop() const { return {.requested = &requested_, .wake = wake_.ref()}; }

 private:
  std::atomic<bool> requested_{false};
  Descriptor wake_{testing::must(::eventfd(0, EFD_CLOEXEC), "eventfd")};
};

}  // namespace headrace::transfer_testing
