#include "transfer/legs.hpp"

#include <algorithm>

#include "transfer/confirm_end.hpp"

namespace headrace {

Refusal refusal_of(const Driven& driven) {
  const Progress& progress = driven.progress;
  std::string detail;
  if (progress.error) {
    detail = std::string(progress.error->call) + ": " + progress.error->code.message();
  }
  return {.method = driven.leg.method,
          .reason = progress.reason.value_or(refused_when_tried),
          .detail = std::move(detail)};
}

bool ends_too_early(const Driven& driven, const Job& job) {
  const bool wants_more = !job.bytes || *job.bytes > 0;
  return driven.progress.ending == Ending::finished && wants_more &&
         driven.leg.method->path_class > PathClass::user && !at_end(job);
}

void add_leg(std::vector<Leg>& legs, Leg leg) {
  const bool goes_on =
      !legs.empty() && legs.back().method == leg.method && legs.back().ending == Ending::finished;
  if (!goes_on) {
    legs.push_back(std::move(leg));
    return;
  }
  Leg& last = legs.back();
  last.bytes += leg.bytes;
  last.calls += leg.calls;
  last.waits += leg.waits;
  last.seconds += leg.seconds;
  last.ending = leg.ending;
  last.error = leg.error;
  last.copies_per_byte = std::max(last.copies_per_byte, leg.copies_per_byte);
  for (std::string& note : leg.notes) {
    if (std::ranges::find(last.notes, note) == last.notes.end()) {
      last.notes.push_back(std::move(note));
    }
  }
}

}  // namespace headrace
