#include "transfer/course.hpp"

#include <algorithm>
#include <utility>

namespace headrace {

Course::Course(const Body& what, Plain to, Facts facts, const Options& how)
    : body(what),
      options(how),
      destination(to),
      report{.destination = std::move(facts), .wishes = how.wishes},
      sink(to, report.destination, how),
      pace(what.rate, Clock::now()),
      head(how.head) {
  report.contract = how.wishes.contract.value_or(how.fallback_contract);
  report.congestion.in_force = report.destination.congestion;
}

bool Course::stop_requested() const {
  const auto* const requested = options.stop.requested;
  return requested != nullptr && requested->load(std::memory_order_relaxed);
}

bool Course::restricted() const {
  return !options.wishes.methods.empty() || options.wishes.require;
}

void Course::tell_observers() const {
  for (const Observer& observer : body.observers) observer(done());
}

void Course::promise(Contract contract) {
  const bool first = !std::exchange(promised_, true);
  report.contract = first ? contract : std::min(report.contract, contract);
}

void Course::head_sent(Bytes bytes) {
  head = head.subspan(static_cast<std::size_t>(bytes));
  report.head_bytes += bytes;
}

void Course::fail_with(const Error& error) {
  report.outcome = Outcome::failed;
  report.error = error;
}

void Course::refuse(const Reason& reason) {
  report.outcome = Outcome::refused;
  report.refused.push_back({.method = nullptr, .reason = reason, .detail = {}});
}

}  // namespace headrace
