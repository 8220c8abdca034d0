#pragma once

#include "transfer/course.hpp"

namespace headrace {

/// The choice among the ways to move one piece: of memory there is one, which no method is and no
/// list shows; a piece with an `only_way` has that; else the methods. Pure.
Plan plan_of(const Piece& piece, const Job& job, const Course& course);

}  // namespace headrace
