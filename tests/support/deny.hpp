#pragma once

#include <sys/syscall.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace headrace::testing {

/// Narrows a denial to calls with that argument, counted from 0: {0, fd}, or {1, FICLONE} of
/// ioctl. Compares 32 bits, which is what descriptors and requests have.
struct Match {
  unsigned argument = 0;
  std::uint32_t value = 0;
};

/// Denies `call` to the calling process for the rest of its life: it answers `number` (an errno)
/// and does nothing. Use it in a child: `run_in_child` or EXPECT_EXIT.
void deny_call(int call, int number, std::optional<Match> match = std::nullopt);

/// What is answered instead of what the kernel would.
struct Answer {
  enum class Kind {
    error,   ///< `value` is the errno; the call does not run
    result,  ///< `value` is the return value, however wrong; the call does not run
    most,    ///< the call runs for true with its count cut to `value` bytes: a short result
    truth,   ///< the call runs as it is: to count past it
  };
  Kind kind = Kind::truth;
  std::int64_t value = 0;
};

/// Which calls a denial looks at: those of which a descriptor is such a thing. Files are all that
/// has a path, devices too. Of threads of the child this holds, of processes that it starts it does
/// not.
enum class On { anything, file, socket, pipe };

/// Some calls of one kind, and what they are answered. Of several denials the first that matches
/// answers; each counts the calls that it looked at, from 1.
struct Denial {
  int call = 0;  ///< SYS_sendfile...
  Answer answer;
  std::optional<Match> match;
  On on = On::anything;
  std::string under = {};  ///< a path: only calls with a descriptor of it or of what is in it
  std::uint64_t first = 1;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] Denial at(std::uint64_t number) const { return between(number, number); }
  [[nodiscard]] Denial from(std::uint64_t number) const { return between(number, last); }
  [[nodiscard]] Denial between(std::uint64_t from, std::uint64_t to) const {
    Denial changed = *this;
    changed.first = from;
    changed.last = to;
    return changed;
  }
  [[nodiscard]] Denial where(unsigned argument, std::uint32_t value) const {
    Denial changed = *this;
    changed.match = Match{argument, value};
    return changed;
  }
  [[nodiscard]] Denial only(On what) const {
    Denial changed = *this;
    changed.on = what;
    return changed;
  }
  [[nodiscard]] Denial within(std::string path) const {
    Denial changed = *this;
    changed.under = std::move(path);
    return changed;
  }
};

/// denied(SYS_sendfile, EIO).at(3)
Denial denied(int call, int number);
/// faked(SYS_splice, 0).from(2)
Denial faked(int call, std::int64_t result);
/// shortened(SYS_read, 100): for sendfile, splice, copy_file_range, and read, write, recv, send
/// with a buffer or vectors.
Denial shortened(int call, std::size_t most);

inline constexpr int hung = -1;         ///< killed by the watchdog
inline constexpr int cannot_deny = -2;  ///< no seccomp here: the test has to be skipped aloud

/// How long a child may take before it counts as hung; far more than any test needs.
inline constexpr std::chrono::milliseconds patience = std::chrono::seconds(20);

/// What became of one denial.
struct Count {
  std::uint64_t seen = 0;      ///< calls that it looked at
  std::uint64_t answered = 0;  ///< of them, those that got another answer than the truth
};

struct DeniedRun {
  int status = 0;             ///< as `run_denied` gives it
  std::vector<Count> counts;  ///< of each denial; zeros where the child had to be killed
};

/// Runs `child` in a forked process and returns its exit status (0 to 255), 128 + the number of the
/// signal that killed it, or `hung`. Descriptors are inherited; nothing else comes back. Call it
/// while no other thread of the test runs.
int run_in_child(const std::function<int()>& child, std::chrono::milliseconds limit = patience);

/// The same, with the calls of `child` answered by `denials`; `cannot_deny` where the kernel does
/// not allow it. Threads that the child starts are supervised too.
int run_denied(const std::vector<Denial>& denials, const std::function<int()>& child,
               std::chrono::milliseconds limit = patience);

/// The same, and says which denials came to bear. At most `most_counts` denials.
DeniedRun run_denied_and_count(const std::vector<Denial>& denials,
                               const std::function<int()>& child,
                               std::chrono::milliseconds limit = patience);
inline constexpr std::size_t most_counts = 16;

}  // namespace headrace::testing
