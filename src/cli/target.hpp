#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "headrace/transfer.hpp"
#include "transfer/destination.hpp"

namespace headrace::cli {

/// An open destination that is written as it stands: a device, a FIFO, standard output, or a file
/// in place.
struct Target {
  Descriptor owned;  ///< empty for standard output
  DescriptorRef descriptor;
  std::string name;
  bool truncate = false;  ///< the transfer is to empty it first
};

/// Says what stands in the way, with what to do.
void complain_of(std::string_view command, const Obstacle& obstacle);

Target standard_output();
/// Opens what is written through; waits for a FIFO's reader until `stop` is requested, which is
/// an obstacle with ECANCELED, or as long as `patience` lasts (ETIMEDOUT). A regular file's content
/// stays until the transfer empties it.
Placed<Target> wait_for_target_through(const Destination& destination, const Stop& stop,
                                       Patience patience);
/// The same; complains of what stands in the way, but not of a stop.
std::optional<Target> open_target_through(std::string_view command, const Destination& destination,
                                          const Stop& stop, Patience patience);
/// What a file that is not there yet will be: its directory's file system tells. Complains where
/// that cannot be had.
std::optional<Facts> facts_of_new_file(std::string_view command, const Destination& destination);
/// Closes what is ours (not what was lent) and puts the write error that only closing tells into
/// the report: a transfer that seemed complete failed.
void close_target(Target& target, Report& report);
/// Opens the file itself; its content stays until the transfer empties it (Options::truncate).
std::optional<Target> open_target_in_place(std::string_view command,
                                           const Destination& destination);

}  // namespace headrace::cli
