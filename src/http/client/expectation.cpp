#include "http/client/expectation.hpp"

#include <algorithm>
#include <chrono>

namespace headrace::http::client {
namespace {

// Below that a refusal costs less than asking does.
constexpr Bytes expect_from = mebibyte;
// Servers that know of Expect answer at once; those that do not never will (RFC 9110 10.1.1).
constexpr std::chrono::milliseconds patience{1000};

bool is_dear(const Outgoing& outgoing) {
  return outgoing.length.value_or(everything) > expect_from || !outgoing.repeatable;
}

}  // namespace

Expectation::Expectation(Expect wish, const Outgoing& outgoing)
    : made_(outgoing.length != Bytes{0} &&
            (wish == Expect::always || (wish == Expect::automatic && is_dear(outgoing)))),
      wished_(wish == Expect::always) {}

bool Expectation::is_made_on(const Connection& connection) const {
  return made_ && (wished_ || !connection.waited_in_vain);
}

Result<std::optional<ResponseHead>> answer_to_expectation(Connection& connection) {
  const auto until = net::Clock::now() + patience;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - net::Clock::now());
    const auto heard =
        connection.wait_for_answer(std::max(left, std::chrono::milliseconds::zero()));
    if (!heard) return std::unexpected(heard.error());
    if (*heard == Heard::nothing) {
      connection.waited_in_vain = true;
      return std::nullopt;
    }
    auto head = connection.receive_head();
    if (!head) return std::unexpected(head.error());
    if (head->status == 100) return std::nullopt;
    if (head->status >= 200) return std::move(*head);
  }
}

}  // namespace headrace::http::client
