#include "cli/explain_kernel.hpp"

#include <gtest/gtest.h>

namespace headrace::cli {
namespace {

TEST(KernelText, HasTheReleaseAndALineForEachOffer) {
  const std::string text =
      kernel_text({{.name = "one", .offered = true, .detail = "1MiB"},
                   {.name = "two", .offered = false, .detail = "Operation not permitted"},
                   {.name = "tried", .offered = {}, .detail = "not tried: no pipe"},
                   {.name = "three", .offered = true, .detail = {}}});
  EXPECT_TRUE(text.starts_with("Linux ")) << text;
  EXPECT_NE(text.find("  one                      yes: 1MiB\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  two                      no: Operation not permitted\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  tried                    unknown: not tried: no pipe\n"),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("  three                    yes\n")) << text;
}

}  // namespace
}  // namespace headrace::cli
