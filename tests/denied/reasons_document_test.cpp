#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "methods/support/errno_table.hpp"
#include "support/temporary.hpp"

namespace headrace::testing {
namespace {

namespace fs = std::filesystem;

const fs::path project = HEADRACE_PROJECT;

std::string document() { return read_all(project / "docs/reasons.md"); }

constexpr std::string_view spaces = " \n";

void skip(std::string_view& text, std::string_view characters) {
  text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
}

// `name{"code",` at the beginning of `text`: the code, else nothing.
std::string_view code_at(std::string_view text) {
  skip(text, "abcdefghijklmnopqrstuvwxyz_");
  if (!text.starts_with('{')) return {};
  text.remove_prefix(1);
  skip(text, spaces);
  if (!text.starts_with('"')) return {};
  text.remove_prefix(1);
  return text.substr(0, text.find('"'));
}

// The code of every `Reason name{"code", "meaning"}` under a folder.
void add_codes_in(const fs::path& folder, std::set<std::string>& codes) {
  constexpr std::string_view type = " Reason ";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".hpp") && !name.ends_with(".cpp")) continue;
    if (name.ends_with("_test.cpp")) continue;
    const std::string text = read_all(entry.path());
    for (auto at = text.find(type); at != text.npos; at = text.find(type, at + 1)) {
      const auto code = code_at(std::string_view(text).substr(at + type.size()));
      if (!code.empty()) codes.emplace(code);
    }
  }
}

// The first cells of all rows that look like a reason's code: lower case, unlike an errno.
std::set<std::string> documented() {
  constexpr std::string_view row = "\n| `";
  const std::string text = document();
  std::set<std::string> found;
  for (auto at = text.find(row); at != text.npos; at = text.find(row, at + 1)) {
    const auto cell = std::string_view(text).substr(at + row.size());
    const auto code = cell.substr(0, cell.find('`'));
    if (code.front() != 'E') found.emplace(code);
  }
  return found;
}

TEST(ReasonsDocument, TellsEveryReasonOfTheSourceAndNoOther) {
  std::set<std::string> codes;
  add_codes_in(project / "src", codes);
  add_codes_in(project / "include", codes);
  EXPECT_GE(codes.size(), 25U) << "the definitions are no longer found";
  EXPECT_EQ(documented(), codes);
}

std::string_view words_for(Meaning meaning) {
  switch (meaning) {
    case Meaning::not_offered:
      return "not offered here";
    case Meaning::try_again:
      return "try again";
    case Meaning::final:
      break;
  }
  return "final";
}

TEST(ReasonsDocument, TellsTheErrnoTableRowByRow) {
  std::string expected;
  for (const ErrnoRow& row : errno_table()) {
    expected += "| `" + std::string(row.name) + "` | " + std::string(words_for(row.meaning)) +
                " | " + std::string(row.because) + " |\n";
  }
  EXPECT_NE(document().find("|---|---|---|\n" + expected + "\n"), std::string::npos)
      << "the table has to be:\n"
      << expected;
}

}  // namespace
}  // namespace headrace::testing
