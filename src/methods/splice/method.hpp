#pragma once

#include "methods/splice/engine.hpp"
#include "methods/splice/rule.hpp"

namespace headrace {

inline constexpr Method splice_method{.name = "splice",
                                      .path_class = PathClass::kernel,
                                      .summary = "splice(2): where one end is a pipe already",
                                      .sleeps_on_disk = true,
                                      .refuse = refuse_splice,
                                      .rank = rank_splice,
                                      .start = [](const Job& job) -> std::unique_ptr<Engine> {
                                        return std::make_unique<SpliceEngine>(job);
                                      }};

}  // namespace headrace
