#pragma once

#include "methods/splice_pipe/engine.hpp"
#include "methods/splice_pipe/rule.hpp"

namespace headrace {

inline constexpr Method splice_pipe_method{.name = "splice_pipe",
                                           .path_class = PathClass::kernel,
                                           .summary = "splice(2) twice, through a pipe of our own",
                                           .sleeps_on_disk = true,
                                           .refuse = refuse_splice_pipe,
                                           .rank = rank_splice_pipe,
                                           .start = [](const Job& job) -> std::unique_ptr<Engine> {
                                             return std::make_unique<SplicePipeEngine>(job);
                                           }};

}  // namespace headrace
