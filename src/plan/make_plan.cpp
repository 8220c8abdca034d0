#include <algorithm>

#include "headrace/plan.hpp"

namespace headrace {
namespace {

bool named(const Wishes& wishes, const Method& method) {
  return std::ranges::find(wishes.methods, method.name) != wishes.methods.end();
}

// Times that tell of a change: a block device has none, and what is made when read has no past.
bool can_be_guarded(const Facts& source) { return source.kind == Kind::regular && !source.pseudo; }

bool can_be_cloned(const Facts& source) {
  return source.may_clone && source.seekable && size_is_known(source) && !source.sealed;
}

bool may_share(const Method& method, const Facts& destination) {
  return destination.kind == Kind::regular && method.path_class > PathClass::user;
}

std::optional<Reason> refuse(const Method& method, const Facts& source, const Facts& destination,
                             const Wishes& wishes) {
  if (!wishes.methods.empty() && !named(wishes, method)) return not_named;
  const bool by_name = method.rank(source, destination) >= first_rank_by_name_only;
  if (wishes.methods.empty() && by_name) return by_name_only;
  if (wishes.require && method.path_class < *wishes.require) return below_required_class;
  if (wishes.contract == Contract::guarded && !can_be_guarded(source)) return contract_not_offered;
  if (wishes.own_blocks && may_share(method, destination)) return may_share_blocks;
  return method.refuse(source, destination, wishes);
}

// The place in --method's list where there is one, else the measured rank.
std::ptrdiff_t place(const Method& method, const Facts& source, const Facts& destination,
                     const Wishes& wishes) {
  if (wishes.methods.empty()) return method.rank(source, destination);
  return std::ranges::find(wishes.methods, method.name) - wishes.methods.begin();
}

Plan plan_under(Contract contract, std::span<const Method* const> methods, const Facts& source,
                const Facts& destination, Wishes wishes, const std::optional<Reason>& opaque) {
  wishes.contract = contract;
  Plan plan{.usable = {}, .refused = {}, .contract = contract};
  for (const Method* method : methods) {
    auto reason = refuse(*method, source, destination, wishes);
    if (!reason && opaque && !method->shows_bytes) reason = opaque;
    if (reason) {
      plan.refused.push_back({.method = method, .reason = *reason, .detail = {}});
    } else {
      plan.usable.push_back(method);
    }
  }
  std::ranges::stable_sort(plan.usable, {}, [&](const Method* method) {
    return place(*method, source, destination, wishes);
  });
  return plan;
}

}  // namespace

Plan make_plan(std::span<const Method* const> methods, const Facts& source,
               const Facts& destination, const Wishes& wishes, Contract fallback_contract,
               const std::optional<Reason>& opaque) {
  const Contract contract = wishes.contract.value_or(fallback_contract);
  Plan plan = plan_under(contract, methods, source, destination, wishes, opaque);
  if (plan.usable.empty() && contract == Contract::stable && can_be_cloned(source)) {
    Facts clone = source;
    clone.sealed = true;
    Plan with_clone = plan_under(contract, methods, clone, destination, wishes, opaque);
    with_clone.clones_source = true;
    if (!with_clone.usable.empty()) return with_clone;
  }
  // What was asked for outweighs a default: a contract nobody asked for gives way to it.
  const bool may_yield = !wishes.contract && contract != Contract::live;
  if (!plan.usable.empty() || !may_yield) return plan;
  return plan_under(Contract::live, methods, source, destination, wishes, opaque);
}

}  // namespace headrace
