#pragma once

namespace headrace::cli {

/// Fills a standard descriptor that was closed when the tool was started, so that no file of ours
/// gets its number and takes what was meant for it. What fills it can be used for nothing.
void occupy_standard_descriptors();

}  // namespace headrace::cli
