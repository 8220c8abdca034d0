#pragma once

#include "methods/copy_file_range/engine.hpp"
#include "methods/copy_file_range/rule.hpp"

namespace headrace {

inline constexpr Method copy_file_range_method{
    .name = "copy_file_range",
    .path_class = PathClass::kernel,
    .summary = "copy_file_range(2): file to file of one file system type",
    .sleeps_on_disk = true,
    .refuse = refuse_copy_file_range,
    .rank = rank_copy_file_range,
    .start = [](const Job& job) -> std::unique_ptr<Engine> {
      return std::make_unique<CopyFileRangeEngine>(job);
    }};

}  // namespace headrace
