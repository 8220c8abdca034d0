#include "denied/attempt.hpp"

#include <sys/mman.h>

#include "support/cloning_file_system.hpp"
#include "support/must.hpp"

namespace headrace::testing {
namespace {

// Memory that the child writes and its parent reads.
class Shared {
 public:
  Shared()
      : memory_(::mmap(nullptr, sizeof(Seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)) {
    must(memory_ == MAP_FAILED ? -1 : 0, "mmap");
    new (memory_) Seen;
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { ::munmap(memory_, sizeof(Seen)); }
  Seen& operator*() const { return *static_cast<Seen*>(memory_); }

 private:
  void* memory_;
};

int number_of(const std::optional<Error>& error) { return error ? error->code.value() : 0; }

bool told(const Report& report, const Method* method) {
  for (const Refusal& refusal : report.refused) {
    if (refusal.method == method && !refusal.reason.code.empty() && !refusal.detail.empty()) {
      return true;
    }
  }
  return false;
}

Seen seen_in(const Report& report) {
  Seen seen{.outcome = report.outcome,
            .bytes = report.bytes,
            .stranded = report.stranded,
            .legs = static_cast<int>(report.legs.size()),
            .last_errno = number_of(report.error)};
  for (const Leg& leg : report.legs) {
    seen.in_legs += leg.bytes;
    seen.note = seen.note || !leg.notes.empty();
    if (leg.error) seen.last_errno = number_of(leg.error);
    if (leg.ending != Ending::refused || !leg.error) continue;
    if (seen.refused_errno == 0) seen.refused_errno = number_of(leg.error);
    if (!told(report, leg.method)) seen.everything_told = false;
  }
  seen.reason_told = !report.refused.empty();
  return seen;
}

void check(const Seen& seen, Ends& ends) {
  const std::string arrived = ends.arrived();
  EXPECT_EQ(arrived.size(), seen.bytes) << "the report does not tell what has arrived";
  EXPECT_TRUE(ends.content.starts_with(arrived)) << "wrong bytes";
  EXPECT_EQ(seen.in_legs, seen.bytes);
  EXPECT_EQ(ends.taken(), seen.bytes + seen.stranded);
  EXPECT_TRUE(seen.everything_told) << "a method was refused in silence";
  if (seen.outcome == Outcome::complete) return;
  const bool why =
      seen.last_errno != 0 || seen.reason_told || seen.outcome == Outcome::source_changed;
  EXPECT_TRUE(why) << "incomplete, and does not say why";
}

}  // namespace

Seen attempt(Ends ends, const std::vector<Denial>& denials, const Wishes& wishes,
             std::chrono::milliseconds idle, const std::function<void()>& prepare) {
  const Shared shared;
  const auto child = [&] {
    if (prepare) prepare();
    const Options options{.wishes = wishes, .idle_timeout = idle};
    const auto report =
        transfer(body_of(ends.source.ref()), Plain{ends.destination.ref()}, options);
    if (report) *shared = seen_in(*report);
    return report ? 0 : 1;
  };
  const int status = denials.empty() ? run_in_child(child) : run_denied(denials, child);
  Seen seen = *shared;
  seen.status = status;
  EXPECT_EQ(status, 0) << "the child hung, crashed or could not start";
  if (status == 0) check(seen, ends);
  return seen;
}

Denial narrowed(Denial denial, const MovingCall& call, const Ends& ends) {
  if (call.number == SYS_ioctl) return denial.where(call.end, FICLONERANGE);
  if (call.number == SYS_vmsplice) return denial;  // nobody else makes it
  const Descriptor& end = call.at_source ? ends.source : ends.destination;
  return denial.where(call.end, static_cast<std::uint32_t>(end.ref().number()));
}

bool uses(const Method& method, const MovingCall& call, Ends ends) {
  const Denial denial = narrowed(denied(call.number, EIO), call, ends);
  return attempt(std::move(ends), {denial}, alone(method)).last_errno == EIO;
}

Wishes alone(const Method& method) { return {.methods = {std::string(method.name)}}; }

Wishes before_all_others(const Method& method) {
  Wishes wishes = alone(method);
  for (const Method* other : all_methods()) {
    if (other != &method) wishes.methods.emplace_back(other->name);
  }
  return wishes;
}

int for_each_call(
    const Method& method,
    const std::function<void(const std::function<Ends()>& make, const MovingCall& call)>& visit) {
  const TemporaryFolder folder;
  std::optional<CloningFileSystem> cloning;
  int calls = 0;
  for (const PairKind& kind : pair_kinds()) {
    SCOPED_TRACE(kind.name);
    if (kind.cloning && method.path_class != PathClass::shared) continue;
    if (kind.cloning) cloning.emplace();
    if (kind.cloning && !cloning->path()) continue;
    const auto make = [&] { return kind.make(kind.cloning ? *cloning->path() : folder.path()); };
    if (!serves(method, make())) continue;
    for (const MovingCall& call : moving_calls) {
      SCOPED_TRACE(call.name);
      if (!uses(method, call, make())) continue;
      ++calls;
      visit(make, call);
    }
  }
  return calls;
}

bool can_deny() {
  return run_denied({denied(SYS_sync, EPERM)}, [] { return 0; }) != cannot_deny;
}

}  // namespace headrace::testing
