#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headrace/method.hpp"

namespace headrace {

/// A method that was passed over or gave up, and why.
struct Refusal {
  const Method* method = nullptr;
  Reason reason;
  std::string detail;  ///< e.g. the errno in words; may be empty
};

/// The choice among methods. A promise, not a record: the report is the record.
struct Plan {
  std::vector<const Method*> usable;  ///< best first; empty: there is no way
  std::vector<Refusal> refused;
  Contract contract = Contract::live;  ///< the one that follows from wishes and ends
  /// `stable` by a path that gives pages away: what is sent must be a clone of the source that
  /// nobody else can reach. Where none can be had, plan again for a source that cannot clone.
  bool clones_source = false;
};

// Reasons the planner itself gives; those of a method stand in its folder.
inline constexpr Reason not_named{"not-named", "--method names other methods"};
inline constexpr Reason by_name_only{"by-name-only",
                                     "no measurement shows it ahead: taken only by --method"};
inline constexpr Reason below_required_class{"below-required-class",
                                             "--require asks for a better class than this"};
inline constexpr Reason contract_not_offered{
    "contract-not-offered",
    "only a regular file can be guarded: nothing else tells that it was changed"};
inline constexpr Reason may_share_blocks{
    "may-share-blocks", "only reading and writing is sure to give the copy blocks of its own"};
inline constexpr Reason body_is_hashed{"body-is-hashed",
                                       "every byte must pass through our memory to be hashed"};
inline constexpr Reason one_way_only{"one-way-only", "only one method can move these bytes"};
inline constexpr Reason refused_when_tried{"refused-when-tried",
                                           "the kernel answered that it does not do this here"};

/// Chooses. Pure: no descriptor, no clock, no environment, no global.
///
/// `fallback_contract` holds where `wishes.contract` is absent, unless a required class cannot be
/// had under it, or the source cannot be guarded: then the plan says `live`. A kernel path that was
/// asked for under `stable` is had by a clone, where the source's file system may have one.
/// `opaque` is why the body's bytes must pass through our memory, where they must (`Body::opaque`).
Plan make_plan(std::span<const Method* const> methods, const Facts& source,
               const Facts& destination, const Wishes& wishes,
               Contract fallback_contract = Contract::live,
               const std::optional<Reason>& opaque = {});

}  // namespace headrace
