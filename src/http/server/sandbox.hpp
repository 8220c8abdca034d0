#pragma once

#include <string>

#include "headrace/descriptor.hpp"

namespace headrace::http::server {

/// Leaves the calling thread, and all it starts from now on, no access to files but those beneath
/// `root`: to read, and to write where `writes`. What is open already stays so.
///
/// Returns what should be told: empty where all of it holds, else why a kernel does not offer it.
/// This is a second wall: openat2(2) is the first.
std::string confine(DescriptorRef root, bool writes);

}  // namespace headrace::http::server
