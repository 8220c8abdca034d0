#pragma once

#include <gtest/gtest.h>

#include <array>

#include "denied/moving_calls.hpp"
#include "denied/pairs.hpp"
#include "headrace/transfer.hpp"

namespace headrace::testing {

/// The sanitizers believe what a read answers, and need a pipe of their own to check an address.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// What a transfer in a child came to, in a form that memory shared with it can hold.
struct Seen {
  int status = 0;  ///< of the child: 0, `hung`, `cannot_deny`, 128 + a signal; 1: not started
  Outcome outcome = Outcome::complete;
  Bytes bytes = 0;
  Bytes stranded = 0;
  Bytes in_legs = 0;
  int legs = 0;
  int last_errno = 0;           ///< of the last leg, or outside any
  int refused_errno = 0;        ///< of the first leg that was refused
  bool reason_told = false;     ///< the report names the method that was refused, and why
  bool everything_told = true;  ///< every leg refused by an errno is among the refused
  bool note = false;            ///< some leg has a note
};

/// Runs the real `transfer` of the whole source in a child with `denials`, and checks what must
/// hold whatever happens: the bytes that arrived are the first of the source, as many as the report
/// says; what left the source and did not arrive is stranded; an incomplete transfer says why.
Seen attempt(Ends ends, const std::vector<Denial>& denials, const Wishes& wishes,
             std::chrono::milliseconds idle = std::chrono::seconds(5),
             const std::function<void()>& prepare = {});

/// `denial` of that call, narrowed to the end of the transfer that it works on.
Denial narrowed(Denial denial, const MovingCall& call, const Ends& ends);

/// True where the method makes that call for the pair: an EIO changes what happens.
bool uses(const Method& method, const MovingCall& call, Ends ends);

/// Only `method`; and `method` with all others behind it, in the list's order.
Wishes alone(const Method& method);
Wishes before_all_others(const Method& method);

/// Calls `visit` for every pair that the method serves and every moving call it makes there; how
/// many there were. `make` gives fresh ends each time.
int for_each_call(
    const Method& method,
    const std::function<void(const std::function<Ends()>& make, const MovingCall& call)>& visit);

/// Whether this kernel and sandbox let a test deny calls; tests skip aloud where not.
bool can_deny();

}  // namespace headrace::testing
