#pragma once

#include <string>
#include <vector>

namespace headrace::cli {

/// One thing a kernel or sandbox may offer, as found by trying it.
struct Offer {
  std::string name;
  bool offered = false;
  std::string detail;  ///< what was seen: a size, an errno in words
};

/// Tries each on files and sockets of its own; leaves nothing behind. The file system is that of
/// the working directory.
std::vector<Offer> try_kernel();

/// For people: the kernel's release, then one line an offer.
std::string kernel_text(const std::vector<Offer>& offers);

}  // namespace headrace::cli
