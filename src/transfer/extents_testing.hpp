#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/must.hpp"
#include "support/temporary.hpp"
#include "transfer/extents.hpp"

// What the tests of holes share.
namespace headrace::extents_testing {

inline constexpr Bytes block = 4096;

/// An unnamed file of holes with `marks` (bytes at offsets) in it.
inline Descriptor sparse_file(Bytes size, const std::map<Bytes, std::string>& marks = {}) {
  Descriptor file = testing::file_holding("");
  testing::must(::ftruncate(file.ref().number(), static_cast<off_t>(size)), "ftruncate");
  for (const auto& [offset, bytes] : marks) {
    testing::must(
        ::pwrite(file.ref().number(), bytes.data(), bytes.size(), static_cast<off_t>(offset)),
        "pwrite");
  }
  return file;
}

/// Blocks that are no zeros.
inline std::string full_block(std::size_t blocks = 1) {
  std::string bytes;
  bytes.resize(blocks * block, 'x');
  return bytes;
}
inline std::string zeros(std::size_t bytes) {
  std::string content;
  content.resize(bytes);
  return content;
}

/// All runs of a walk. A run that has no bytes or leaves its bounds fails the test.
inline std::vector<Extent> walk(Extents& extents, Bytes from, Bytes end) {
  std::vector<Extent> runs;
  while (from < end) {
    const Extent run = extents.next(from, end);
    if (run.bytes == 0 || run.bytes > end - from) {
      ADD_FAILURE() << run.bytes << " bytes at " << from << " of " << end;
      break;
    }
    runs.push_back(run);
    from += run.bytes;
  }
  return runs;
}

inline std::vector<Extent> runs_of(const Descriptor& file, Bytes from, Bytes end,
                                   Sparse sparse = Sparse::automatic, Bytes block_start = 0) {
  Extents extents(file.ref(), sparse, block_start);
  return walk(extents, from, end);
}

inline Extent data(Bytes bytes) { return {.hole = false, .bytes = bytes}; }
inline Extent hole(Bytes bytes) { return {.hole = true, .bytes = bytes}; }

using Runs = std::vector<Extent>;

/// Whether the file system of the tests has holes of one block, as most have; the kernel is asked.
inline bool keeps_holes() {
  const Descriptor file = sparse_file(3 * block, {{block, full_block()}});
  const int number = file.ref().number();
  return ::lseek(number, 0, SEEK_DATA) == off_t{block} &&
         ::lseek(number, block, SEEK_HOLE) == off_t{2 * block};
}

}  // namespace headrace::extents_testing
