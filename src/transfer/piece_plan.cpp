#include "transfer/piece_plan.hpp"

#include <array>

#include "transfer/memory_engine.hpp"

namespace headrace {
namespace {

std::optional<Bytes> stated_length(const Piece& piece) {
  const auto* const memory = std::get_if<Memory>(&piece.source);
  return memory != nullptr ? std::optional<Bytes>{memory->bytes.size()} : piece.length;
}

// The whole body, of which this piece has `bytes`.
bool is_short(const Piece& piece, std::optional<Bytes> bytes, const Course& course) {
  Bytes all = 0;
  for (const Piece& other : course.body.pieces) {
    const auto length = &other == &piece ? bytes : stated_length(other);
    if (!length || *length > course.options.copy_limit - all) return false;
    all += *length;
  }
  return true;
}

bool is_copied(const Piece& piece, const Job& job, const Course& course) {
  return course.options.copy_limit > 0 && is_socket(job.destination_facts.kind) &&
         !course.restricted() && !course.options.wishes.contract &&
         is_short(piece, job.bytes, course);
}

// Nobody writes to it meanwhile, so every contract holds.
Plan plan_of_memory(const Piece& piece, const Job& job, const Course& course) {
  constexpr std::array<const Method*, 1> only{&memory_method};
  Wishes wishes = piece.excepted ? Wishes{} : course.options.wishes;
  wishes.contract = Contract::stable;
  return make_plan(only, job.source_facts, job.destination_facts, wishes, Contract::stable,
                   course.body.opaque);
}

Plan plan_of_way(const Way& way, const Job& job, const Course& course) {
  const std::array<const Method*, 1> only{way.method};
  Plan plan = make_plan(only, job.source_facts, job.destination_facts, course.options.wishes,
                        course.options.fallback_contract);
  const Reason reason = course.body.opaque.value_or(one_way_only);
  for (const Method* method : all_methods()) {
    plan.refused.push_back({.method = method, .reason = reason, .detail = {}});
  }
  return plan;
}

}  // namespace

Plan plan_of(const Piece& piece, const Job& job, const Course& course) {
  if (std::holds_alternative<Memory>(piece.source)) return plan_of_memory(piece, job, course);
  if (piece.only_way) return plan_of_way(*piece.only_way, job, course);
  const Options& options = course.options;
  const bool copied = is_copied(piece, job, course);
  return make_plan(all_methods(), job.source_facts, job.destination_facts, options.wishes,
                   copied ? Contract::stable : options.fallback_contract, course.body.opaque);
}

}  // namespace headrace
