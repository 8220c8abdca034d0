#pragma once

#include "methods/send_zerocopy/engine.hpp"
#include "methods/send_zerocopy/rule.hpp"

namespace headrace {

inline constexpr Method send_zerocopy_method{
    .name = "send_zerocopy",
    .path_class = PathClass::user,
    .summary = "read, and send(2) with MSG_ZEROCOPY: TCP takes our pages and says when it is done",
    .sleeps_on_disk = true,
    .shows_bytes = true,
    .refuse = refuse_send_zerocopy,
    .rank = rank_send_zerocopy,
    .start = [](const Job& job) -> std::unique_ptr<Engine> {
      return std::make_unique<SendZerocopyEngine>(job);
    }};

}  // namespace headrace
