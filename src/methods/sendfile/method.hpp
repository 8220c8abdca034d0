#pragma once

#include "methods/sendfile/engine.hpp"
#include "methods/sendfile/rule.hpp"

namespace headrace {

inline constexpr Method sendfile_method{
    .name = "sendfile",
    .path_class = PathClass::kernel,
    .summary = "sendfile(2): file or device to anything, in calls of up to 2 GiB",
    .sleeps_on_disk = true,
    .refuse = refuse_sendfile,
    .rank = rank_sendfile,
    .start = [](const Job& job) -> std::unique_ptr<Engine> {
      return std::make_unique<SendfileEngine>(job);
    }};

}  // namespace headrace
