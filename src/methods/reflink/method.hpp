#pragma once

#include "methods/reflink/engine.hpp"
#include "methods/reflink/rule.hpp"

namespace headrace {

inline constexpr Method reflink_method{
    .name = "reflink",
    .path_class = PathClass::shared,
    .summary = "ioctl(FICLONERANGE): the two files share their extents until one is written",
    .sleeps_on_disk = true,
    .refuse = refuse_reflink,
    .rank = rank_reflink,
    .start = [](const Job& job) -> std::unique_ptr<Engine> {
      return std::make_unique<ReflinkEngine>(job);
    }};

}  // namespace headrace
