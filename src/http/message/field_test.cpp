#include "http/message/field.hpp"

#include <gtest/gtest.h>

namespace headrace::http {
namespace {

using Texts = std::vector<std::string_view>;

TEST(Field, IsFoundWhateverTheCaseOfItsName) {
  const Fields fields{{"Host", "a"}, {"ETag", "b"}};
  EXPECT_EQ(find(fields, "etag"), "b");
  EXPECT_EQ(find(fields, "HOST"), "a");
  EXPECT_EQ(find(fields, "hos"), std::nullopt);
  EXPECT_EQ(find(fields, "Hosts"), std::nullopt);
}

TEST(Field, IsTheFirstOfItsNameAndAllAreInOrder) {
  const Fields fields{{"Via", "1"}, {"Host", "a"}, {"via", "2"}, {"VIA", ""}};
  EXPECT_EQ(find(fields, "via"), "1");
  EXPECT_EQ(all(fields, "Via"), (Texts{"1", "2", ""}));
  EXPECT_EQ(all(fields, "Date"), Texts{});
}

TEST(SameToken, KnowsTheCaseOfAsciiLettersOnly) {
  EXPECT_TRUE(same_token("cHuNkEd", "chunked"));
  EXPECT_TRUE(same_token("", ""));
  EXPECT_FALSE(same_token("chunked", "chunke"));
  EXPECT_FALSE(same_token("[", "{"));        // 32 apart, as letters of both cases are
  EXPECT_FALSE(same_token("\xC4", "\xE4"));  // no letters here, whatever Latin-1 says
}

TEST(IsToken, TakesTheCharactersOfTokensAlone) {
  EXPECT_TRUE(is_token("GET"));
  EXPECT_TRUE(is_token("!#$%&'*+-.^_`|~09azAZ"));
  EXPECT_FALSE(is_token(""));
  for (const char c : std::string_view("\"(),/:;<=>?@[\\]{} \t\r\n\x7F\x80\xFF\0", 26)) {
    EXPECT_FALSE(is_token(std::string("a") + c + "b")) << static_cast<int>(c);
  }
}

TEST(Tokens, AreWhatStandsBetweenCommas) {
  EXPECT_EQ(tokens("a, b ,\tc"), (Texts{"a", "b", "c"}));
  EXPECT_EQ(tokens("one"), Texts{"one"});
  EXPECT_EQ(tokens(",, a,,b , "), (Texts{"a", "b"}));
  EXPECT_EQ(tokens(""), Texts{});
  EXPECT_EQ(tokens(" ,\t, "), Texts{});
  EXPECT_EQ(tokens("a b"), Texts{"a b"});
}

TEST(Tokens, KeepACommaThatIsQuoted) {
  EXPECT_EQ(tokens(R"(a="1,2", b)"), (Texts{R"(a="1,2")", "b"}));
  EXPECT_EQ(tokens(R"("a\",b", c)"), (Texts{R"("a\",b")", "c"}));
  EXPECT_EQ(tokens(R"("never ended, c)"), Texts{R"("never ended, c)"});
  EXPECT_EQ(tokens(R"("ends\)"), Texts{R"("ends\)"});
}

}  // namespace
}  // namespace headrace::http
