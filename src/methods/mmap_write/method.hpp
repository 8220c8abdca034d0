#pragma once

#include "methods/mmap_write/engine.hpp"
#include "methods/mmap_write/rule.hpp"

namespace headrace {

inline constexpr Method mmap_write_method{
    .name = "mmap_write",
    .path_class = PathClass::user,
    .summary = "write from a mapping of the file: file or block device to anything",
    .sleeps_on_disk = true,
    .refuse = refuse_mmap_write,
    .rank = rank_mmap_write,
    .start = [](const Job& job) -> std::unique_ptr<Engine> {
      return std::make_unique<MmapWriteEngine>(job);
    }};

}  // namespace headrace
