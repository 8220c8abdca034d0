#include "http/message/listing.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "http/message/target.hpp"

namespace headrace::http {
namespace {

constexpr Time noon =
    std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + std::chrono::hours{12};

Entry file(std::string name, Bytes size = 1) {
  return {.name = std::move(name), .kind = Entry::Kind::file, .size = size, .modified = noon};
}
Entry directory(std::string name) {
  return {.name = std::move(name), .kind = Entry::Kind::directory, .modified = noon};
}

/// Names that are something else to HTML, JSON, a URL or a terminal.
std::vector<std::string> difficult_names() {
  return {"<script>alert(1)<x>",
          "\" onload=\"x",
          "' a='",
          "a&amp;b",
          "a\r\nX: 1",
          "a b",
          "a#b",
          "a?b",
          "a%3ab",
          "http:x",
          "\xC3\xA9",
          "\xFF\xFE.bin",
          "\xE2\x80\xAE",
          "\\",
          "\x1B[2J",
          "<title>",
          "...",
          std::string(255, 'x')};
}

std::vector<std::string> all_between(std::string_view text, std::string_view before,
                                     std::string_view after) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(before); at != std::string_view::npos;
       at = text.find(before, at)) {
    at += before.size();
    found.emplace_back(text.substr(at, text.find(after, at) - at));
  }
  return found;
}

Listing difficult_listing() {
  Listing listing{.path = "/<b>\xFF\"/", .entries = {}};
  for (const std::string& name : difficult_names()) listing.entries.push_back(file(name));
  return listing;
}

TEST(ListingHtml, PutsDirectoriesFirstThenNames) {
  const std::string html =
      listing_html({"/", {file("b"), directory("z"), file("a"), directory("c"), file("B")}});
  EXPECT_EQ(all_between(html, "href=\"", "\""),
            (std::vector<std::string>{"c/", "z/", "B", "a", "b"}));
}

TEST(ListingHtml, ShowsSizeAndTime) {
  const std::string html = listing_html({"/d/", {file("a", 1536), directory("s")}});
  EXPECT_NE(html.find("<data value=\"1536\">1.5 KiB</data>"), std::string::npos) << html;
  EXPECT_NE(html.find("<time datetime=\"2026-11-30T12:00:00Z\">2026-11-30 12:00:00</time>"),
            std::string::npos);
  EXPECT_NE(html.find("1 directory, 1 file, 1.5 KiB"), std::string::npos);
  EXPECT_NE(html.find("<h1><bdi>/d/</bdi></h1>"), std::string::npos);
}

TEST(ListingHtml, WritesSizesForPeople) {
  const std::vector<std::pair<Bytes, std::string>> table{{0, "0 B"},
                                                         {1023, "1023 B"},
                                                         {1024, "1.0 KiB"},
                                                         {1126, "1.0 KiB"},
                                                         {1127, "1.1 KiB"},
                                                         {mebibyte - 1, "1023.9 KiB"},
                                                         {mebibyte, "1.0 MiB"},
                                                         {5 * gibibyte / 2, "2.5 GiB"},
                                                         {everything, "15.9 EiB"}};
  for (const auto& [size, text] : table) {
    const auto cells =
        all_between(listing_html({"/", {file("a", size)}}), "<data value=\"", "</data>");
    EXPECT_EQ(cells, std::vector{std::to_string(size) + "\">" + text});
  }
}

TEST(ListingHtml, LeadsToTheParentButNotAboveTheRoot) {
  EXPECT_NE(listing_html({"/a/", {}}).find("href=\"../\""), std::string::npos);
  EXPECT_EQ(listing_html({"/", {}}).find("href"), std::string::npos);
}

TEST(ListingHtml, HasNoMarkupFromNames) {
  const std::string html = listing_html(difficult_listing());
  const auto count = [&](std::string_view text) { return all_between(html, text, ">").size(); };
  EXPECT_EQ(count("<script"), 0U);
  EXPECT_EQ(count("<b>"), 0U);
  EXPECT_EQ(count("<title"), 1U);
  EXPECT_EQ(count(" onload=\""), 0U);
  EXPECT_EQ(count("<tr"), difficult_names().size() + 1);
  EXPECT_EQ(html.find('\x1B'), std::string::npos);
  EXPECT_EQ(html.find('\r'), std::string::npos);
  EXPECT_EQ(html.find('\xFF'), std::string::npos);
}

TEST(ListingHtml, NeedsNothingFromElsewhere) {
  const std::string html = listing_html({"/", {file("a")}});
  for (const std::string_view text : {"<script", "src=", "<link", "@import", "url(", "http"}) {
    EXPECT_EQ(html.find(text), std::string::npos) << text;
  }
}

TEST(Listing, LinksLeadToEveryNameByteForByte) {
  const auto hrefs = all_between(listing_html(difficult_listing()), "<a href=\"", "\"");
  std::vector<std::string> reached;
  for (const std::string& href : hrefs) {
    if (href == "../") continue;
    const auto target = parse_target("/" + href);
    ASSERT_TRUE(target) << href;
    reached.push_back(target->path.substr(1));
  }
  auto names = difficult_names();
  std::ranges::sort(names);
  EXPECT_EQ(reached, names);
}

TEST(ListingJson, HasTheFieldsInOrder) {
  EXPECT_EQ(
      listing_json({"/d/", {file("a b", 7), directory("s")}}),
      R"({"path":"/d/","entries":[)"
      R"({"name":"s","href":"s/","kind":"directory","size":null,"modified":"2026-11-30T12:00:00Z"},)"
      R"({"name":"a b","href":"a%20b","kind":"file","size":7,"modified":"2026-11-30T12:00:00Z"})"
      "]}\n");
  EXPECT_EQ(listing_json({"/", {}}), "{\"path\":\"/\",\"entries\":[]}\n");
}

TEST(ListingJson, IsValidForEveryName) {
  const auto json = nlohmann::json::parse(listing_json(difficult_listing()));
  ASSERT_EQ(json.at("entries").size(), difficult_names().size());
  EXPECT_EQ(json.at("path"), "/<b>\xEF\xBF\xBD\"/");
  for (const auto& entry : json.at("entries")) {
    const auto target = parse_target("/" + entry.at("href").get<std::string>());
    ASSERT_TRUE(target);
    const std::string name = entry.at("name");
    if (name.find("\xEF\xBF\xBD") != std::string::npos) continue;
    EXPECT_EQ("/" + name, target->path);
  }
}

TEST(ListingText, HasOneLineForEachName) {
  EXPECT_EQ(listing_text({"/", {file("a b", 1234567), directory("s")}}),
            "2026-11-30T12:00:00Z               - s/\n"
            "2026-11-30T12:00:00Z         1234567 a b\n");
  const std::string text = listing_text(difficult_listing());
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), difficult_names().size());
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
}

}  // namespace
}  // namespace headrace::http
