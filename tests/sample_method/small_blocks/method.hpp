#pragma once

#include "methods/small_blocks/engine.hpp"
#include "methods/small_blocks/rule.hpp"

namespace headrace {

inline constexpr Method small_blocks_method{
    .name = "small_blocks",
    .path_class = PathClass::user,
    .summary = "pread(2) and write(2) of one page at a time, to show what a method is",
    .sleeps_on_disk = true,
    .refuse = refuse_small_blocks,
    .rank = rank_small_blocks,
    .start = [](const Job& job) -> std::unique_ptr<Engine> {
      return std::make_unique<SmallBlocksEngine>(job);
    }};

}  // namespace headrace
