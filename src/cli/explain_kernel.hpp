#pragma once

#include <optional>
#include <string>
#include <vector>

namespace headrace::cli {

/// One thing a kernel or sandbox may offer, as found by trying it.
struct Offer {
  std::string name;
  std::optional<bool> offered;  ///< absent: it could not be tried
  std::string detail;           ///< what was seen: a size, an errno in words
};

/// Tries each on files and sockets of its own; leaves nothing behind. What depends on a file system
/// is said of that of the working directory, and names it.
std::vector<Offer> try_kernel();

/// For people: the kernel's release, then one line an offer.
std::string kernel_text(const std::vector<Offer>& offers);
/// The same for programs; docs/report-json.md.
std::string kernel_json(const std::vector<Offer>& offers);

}  // namespace headrace::cli
