#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/progress.hpp"
#include "headrace/body.hpp"
#include "headrace/transfer.hpp"
#include "transfer/replacement.hpp"

namespace headrace::cli {

/// The body of one source under the common options: range, rate, and a display of its progress,
/// which must outlive the transfer.
Body make_body(DescriptorRef source, const Facts& facts, const CommonArguments& common,
               Progress& progress);

/// How many bytes will move, where that is known before the first.
std::optional<Bytes> expected_bytes(const Facts& source, const CommonArguments& common);

/// A range that starts in the middle needs a source with offsets, and one that goes so far (where
/// its size is known). Complains and answers false.
bool range_fits(std::string_view command, const Facts& source, const CommonArguments& common);

/// The report of a transfer that no method may make, told before anything is touched; absent where
/// one may.
std::optional<Report> refused_before(std::string_view command, const Facts& source,
                                     const Facts& destination, const Wishes& wishes,
                                     Contract fallback);

/// A report can go where the arguments say? JSON and the bytes cannot both take standard output.
/// Complains and answers false.
bool report_has_a_place(std::string_view command, const CommonArguments& common,
                        bool output_is_taken);

/// The report must not overwrite one of the ends, which `end` (from fstat) is. Complains and
/// answers false.
bool report_file_is_free(std::string_view command, const CommonArguments& common,
                         const struct stat& end);

/// Every name after --method is a method of this build? Complains and answers false.
bool methods_exist(std::string_view command, const Wishes& wishes);

/// Names in the report the hidden files that an interrupted run left beside the replaced one.
void note_left_behind(const Replacement& replacement, Report& report);

}  // namespace headrace::cli
