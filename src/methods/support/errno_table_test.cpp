#include "methods/support/errno_table.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <ios>
#include <set>

namespace headrace {
namespace {

Error error_of(int number) { return {{number, std::system_category()}, "call"}; }

Ending ending_of(Meaning meaning, Bytes stranded) {
  if (meaning == Meaning::try_again) return Ending::paused;
  return meaning == Meaning::not_offered && stranded == 0 ? Ending::refused : Ending::failed;
}

TEST(ErrnoTable, EveryRowEndsAsItSays) {
  for (const ErrnoRow& row : errno_table()) {
    SCOPED_TRACE(row.name);
    for (const Bytes stranded : {Bytes{0}, Bytes{1}, everything}) {
      EXPECT_EQ(classify(error_of(row.number), stranded, true), ending_of(row.meaning, stranded));
      if (row.number == EBADF) continue;
      EXPECT_EQ(classify(error_of(row.number), stranded, false), ending_of(row.meaning, stranded));
    }
  }
}

TEST(ErrnoTable, ABadDescriptorIsARefusalOnlyWhereTheDestinationAppends) {
  EXPECT_EQ(classify(error_of(EBADF), 0, true), Ending::refused);
  EXPECT_EQ(classify(error_of(EBADF), 1, true), Ending::failed);
  EXPECT_EQ(classify(error_of(EBADF), 0, false), Ending::failed);
}

TEST(ErrnoTable, HasTheRowsThatTheDesignNames) {
  const std::set<int> not_offered{ENOSYS, EOPNOTSUPP, EINVAL, EXDEV,   EPERM,
                                  EACCES, ENODATA,    EBADF,  ETXTBSY, ENOTTY};
  const std::set<int> try_again{EAGAIN, EINTR};
  std::set<int> found_not_offered;
  std::set<int> found_try_again;
  std::set<int> all;
  for (const ErrnoRow& row : errno_table()) {
    EXPECT_TRUE(all.insert(row.number).second) << row.name << " stands there twice";
    EXPECT_FALSE(row.because.empty()) << row.name;
    if (row.meaning == Meaning::not_offered) found_not_offered.insert(row.number);
    if (row.meaning == Meaning::try_again) found_try_again.insert(row.number);
  }
  EXPECT_EQ(found_not_offered, not_offered);
  EXPECT_EQ(found_try_again, try_again);
}

TEST(ErrnoTable, NamesAreThoseOfTheNumbers) {
  for (const ErrnoRow& row : errno_table()) {
    EXPECT_EQ(row.name, ::strerrorname_np(row.number));
  }
}

TEST(ErrnoTable, WhatIsNotListedIsFinal) {
  for (const int number : {0, ENXIO, EFAULT, EISDIR, EROFS, ETIMEDOUT, EHOSTUNREACH, 4095}) {
    EXPECT_EQ(meaning_of(error_of(number), false), Meaning::final) << number;
    EXPECT_EQ(classify(error_of(number), 0, true), Ending::failed) << number;
  }
}

TEST(ErrnoTable, NumbersOfOtherCategoriesAreNoErrno) {
  EXPECT_EQ(meaning_of({{EINVAL, std::iostream_category()}, "library"}, false), Meaning::final);
}

}  // namespace
}  // namespace headrace
