#pragma once

#include "methods/vmsplice/engine.hpp"
#include "methods/vmsplice/rule.hpp"

namespace headrace {

inline constexpr Method vmsplice_method{
    .name = "vmsplice",
    .path_class = PathClass::user,
    .summary = "read, vmsplice(2) our pages into a pipe, splice(2) them into a file; two buffers",
    .sleeps_on_disk = true,
    .shows_bytes = true,
    .refuse = refuse_vmsplice,
    .rank = rank_vmsplice,
    .start = [](const Job& job) -> std::unique_ptr<Engine> {
      return std::make_unique<VmspliceEngine>(job);
    }};

}  // namespace headrace
