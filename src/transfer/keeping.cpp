#include "transfer/keeping.hpp"

#include <algorithm>

#include "transfer/private_copy.hpp"

namespace headrace {
namespace {

// A write to these may sleep, whatever poll(2) said, as long as somebody holds them.
bool may_sleep(Kind destination) {
  return destination == Kind::terminal || destination == Kind::character_device ||
         destination == Kind::other;
}

}  // namespace

bool Keeping::clone_source(Job& job) {
  auto clone = clone_unnamed(job.source.descriptor);
  if (!clone) return false;
  clone_ = std::move(*clone);
  job.source = Plain{clone_.ref()};
  job.source_facts.sealed = true;
  return true;
}

Evidence Keeping::evidence_of_stable(const Job& job) const {
  if (clone_.valid() && job.source.descriptor == clone_.ref()) return Evidence::clone;
  return job.source_facts.sealed ? Evidence::sealed : Evidence::read;
}

Result<void> Keeping::begin(Contract contract, const Job& job, const std::string& path, bool last) {
  if (contract == Contract::stable && is_file(job.source_facts.kind)) {
    const Evidence found = evidence_of_stable(job);
    stable_ = std::min(stable_.value_or(found), found);
  }
  if (contract != Contract::guarded) return {};
  auto guard = Guard::begin(job.source.descriptor, path, !may_sleep(job.destination_facts.kind));
  if (!guard) return std::unexpected(guard.error());
  guards_.push_back(std::move(*guard));
  holds_back_ = last && job.bytes.value_or(0) > 0 && !is_file(job.destination_facts.kind);
  return {};
}

void Keeping::look() {
  for (Guard& guard : guards_) guard.look();
}

bool Keeping::has_lease() const { return std::ranges::any_of(guards_, &Guard::holds_lease); }

Bytes Keeping::before_last_piece(Bytes bytes) const {
  return holds_back_ ? bytes - std::min(last_piece, bytes - bytes / 2) : everything;
}

Result<std::optional<Change>> Keeping::changed() {
  looked_before_last_ = std::exchange(holds_back_, false);
  looked_again_ = true;
  look();
  for (const Guard& guard : guards_) {
    auto change = guard.changed();
    if (!change || *change) return change;
  }
  return std::nullopt;
}

Result<std::optional<Change>> Keeping::changed_at_end() {
  if (looked_before_last_) return std::nullopt;
  return changed();
}

std::optional<Evidence> Keeping::evidence() const {
  if (guards_.empty()) return stable_;
  if (!looked_again_) return std::nullopt;
  const bool all = std::ranges::all_of(
      guards_, [](const Guard& guard) { return guard.evidence() == Evidence::lease; });
  return all ? Evidence::lease : Evidence::times;
}

std::vector<std::string> Keeping::notes() const {
  std::vector<std::string> all;
  for (const Guard& guard : guards_) std::ranges::copy(guard.notes(), std::back_inserter(all));
  return all;
}

}  // namespace headrace
