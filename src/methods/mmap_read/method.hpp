#pragma once

#include "methods/mmap_read/engine.hpp"
#include "methods/mmap_read/rule.hpp"

namespace headrace {

inline constexpr Method mmap_read_method{
    .name = "mmap_read",
    .path_class = PathClass::user,
    .summary = "read into a mapping of the destination: anything to a regular file",
    .sleeps_on_disk = true,
    .refuse = refuse_mmap_read,
    .rank = rank_mmap_read,
    .start = [](const Job& job) -> std::unique_ptr<Engine> {
      return std::make_unique<MmapReadEngine>(job);
    }};

}  // namespace headrace
