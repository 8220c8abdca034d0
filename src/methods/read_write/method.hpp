#pragma once

#include "methods/read_write/engine.hpp"
#include "methods/read_write/rule.hpp"

namespace headrace {

inline constexpr Method read_write_method{
    .name = "read_write",
    .path_class = PathClass::user,
    .summary = "read and write through a buffer of ours: any two ends",
    .sleeps_on_disk = true,
    .shows_bytes = true,
    .sends_head = true,
    .refuse = refuse_read_write,
    .rank = rank_read_write,
    .start = [](const Job& job) -> std::unique_ptr<Engine> {
      return std::make_unique<ReadWriteEngine>(job);
    }};

}  // namespace headrace
