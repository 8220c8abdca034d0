#include "http/message/media_type.hpp"

#include <gtest/gtest.h>

namespace headrace::http {
namespace {

TEST(MediaTypes, KnowCommonEndingsByThemselves) {
  const MediaTypes types;
  EXPECT_EQ(types.of("index.html"), "text/html; charset=utf-8");
  EXPECT_EQ(types.of("a.txt"), "text/plain; charset=utf-8");
  EXPECT_EQ(types.of("a.js"), "text/javascript; charset=utf-8");
  EXPECT_EQ(types.of("a.png"), "image/png");
  EXPECT_EQ(types.of("a.json"), "application/json");
  EXPECT_EQ(types.of("a.svg"), "image/svg+xml");
  EXPECT_EQ(types.of("video.mp4"), "video/mp4");
}

TEST(MediaTypes, LookAtTheLastEndingInAnyCase) {
  const MediaTypes types;
  EXPECT_EQ(types.of("archive.tar.gz"), "application/gzip");
  EXPECT_EQ(types.of("PHOTO.JPG"), "image/jpeg");
  EXPECT_EQ(types.of(".hidden.css"), "text/css; charset=utf-8");
}

TEST(MediaTypes, CallWhatTheyDoNotKnowBytes) {
  const MediaTypes types;
  for (const std::string_view name :
       {"", "README", ".html", "a.", ".", "a.nothing", "a.html ", "a.\xFF"}) {
    EXPECT_EQ(types.of(name), "application/octet-stream") << name;
  }
}

TEST(MediaTypesLoad, ReadsTheSystemsList) {
  const MediaTypes types = MediaTypes::load(
      "# a comment\n"
      "text/x-own\t\town OWN2  own3 # and more\n"
      "application/x-lonely\n"
      "\n"
      "image/png\tpicture\r\n"
      "application/x-last last");
  EXPECT_EQ(types.of("a.own"), "text/x-own; charset=utf-8");
  EXPECT_EQ(types.of("a.own2"), "text/x-own; charset=utf-8");
  EXPECT_EQ(types.of("a.own3"), "text/x-own; charset=utf-8");
  EXPECT_EQ(types.of("a.and"), "application/octet-stream");
  EXPECT_EQ(types.of("a.picture"), "image/png");
  EXPECT_EQ(types.of("a.last"), "application/x-last");
  EXPECT_EQ(types.of("a.html"), "text/html; charset=utf-8") << "built in";
}

TEST(MediaTypesLoad, OutweighsTheBuiltInList) {
  EXPECT_EQ(MediaTypes::load("application/x-page html\n").of("a.html"), "application/x-page");
}

TEST(MediaTypesLoad, LeavesOutWhatCouldNotStandInAHeader) {
  const MediaTypes types = MediaTypes::load(
      "nonsense a1\n/x a2\nx/ a3\ntext/pl\x01in a4\ntext/p;q a5\nt\xC3\xA9xt/x a6\nx/y/z a7\n");
  for (const std::string_view name : {"f.a1", "f.a2", "f.a3", "f.a4", "f.a5", "f.a6", "f.a7"}) {
    EXPECT_EQ(types.of(name), "application/octet-stream") << name;
  }
}

}  // namespace
}  // namespace headrace::http
