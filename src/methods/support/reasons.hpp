#pragma once

#include "headrace/reason.hpp"

namespace headrace {

// Reasons that more than one method gives; one that only one gives stands beside its rule.
inline constexpr Reason first_call_zero{
    "first-call-zero",
    "the first call moved nothing: a plain read decides whether this is the end"};
inline constexpr Reason false_end{
    "false-end", "the call said that this is the end, and a plain read found more"};
inline constexpr Reason source_not_a_file{"source-not-a-file",
                                          "the call takes a regular file as source"};
inline constexpr Reason destination_not_a_file{"destination-not-a-file",
                                               "the call takes a regular file as destination"};
inline constexpr Reason source_not_seekable{
    "source-not-seekable", "the call must be able to read its source at an offset"};
inline constexpr Reason destination_appends{"destination-appends",
                                            "the call refuses a destination opened with O_APPEND"};
inline constexpr Reason source_is_terminal{"source-is-terminal",
                                           "lines of a terminal come by plain reads"};
inline constexpr Reason source_blocks{
    "source-blocks", "the device is blocking and not ours to change: the call would sleep in it"};
inline constexpr Reason destination_is_terminal{"destination-is-terminal",
                                                "the call would sleep in a terminal that is held"};
inline constexpr Reason destination_blocks{
    "destination-blocks",
    "the descriptor is blocking and not ours to change: the call would sleep in it"};
inline constexpr Reason size_unknown{
    "size-unknown", "a size of 0, or of a file made when read, says nothing: only reading tells"};
inline constexpr Reason shares_pages{
    "shares-pages",
    "the peer would get pages of the file, so later writes would be seen: not stable"};
inline constexpr Reason an_end_is_a_pipe{"an-end-is-a-pipe",
                                         "splice needs no pipe of ours where one end is a pipe"};
inline constexpr Reason no_end_is_a_pipe{"no-end-is-a-pipe", "splice needs a pipe on one end"};
inline constexpr Reason different_file_systems{"different-file-systems",
                                               "the two files lie on file systems of two kinds"};
inline constexpr Reason no_pipe{"no-pipe", "the kernel gives us no pipe of our own"};
inline constexpr Reason no_memory{"no-memory", "the kernel gives us no pages for a buffer"};
inline constexpr Reason end_is_a_directory{"end-is-a-directory", "a directory holds no bytes"};

}  // namespace headrace
