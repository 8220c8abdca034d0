#include "cli/failure.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace headrace::cli {
namespace {

Report ended(Outcome outcome) {
  Report report;
  report.source.name = "a";
  report.destination.name = "b";
  report.bytes = 5;
  report.outcome = outcome;
  return report;
}

TEST(Failure, NamesBothEndsTheCountTheCallAndTheAdvice) {
  Report report = ended(Outcome::failed);
  report.expected = 9;
  report.legs.push_back({.ending = Ending::failed, .error = fail("write", EDQUOT).error()});
  EXPECT_EQ(failure_of(report),
            "'a' to 'b' failed after 5 of 9 bytes: write: Disk quota exceeded (EDQUOT); the disk "
            "quota is used up: free space or ask for a larger quota");
}

TEST(Failure, TellsWhatWasAcknowledgedAndWhatIsLost) {
  Report report = ended(Outcome::interrupted);
  report.acknowledged = 3;
  report.stranded = 2;
  EXPECT_EQ(failure_of(report),
            "'a' to 'b' interrupted after 5 bytes, 3 acknowledged, 2 lost on the way");
}

TEST(Failure, PutsTheErrorOutsideTheLegsFirst) {
  Report report = ended(Outcome::failed);
  report.error = fail("fsync", EILSEQ).error();
  report.legs.push_back({.ending = Ending::finished});
  EXPECT_NE(failure_of(report).find("fsync"), std::string::npos);
}

TEST(Failure, GivesTheReasonsOfARefusalThatSomebodyAskedFor) {
  Report report = ended(Outcome::refused);
  report.refused.push_back({.reason = not_named});
  report.refused.push_back({.reason = below_required_class});
  const std::string text = failure_of(report);
  EXPECT_EQ(text.find(not_named.code), std::string::npos);
  EXPECT_NE(text.find(below_required_class.code), std::string::npos);
}

TEST(Failure, GivesTheUnaskedReasonsWhereThereIsNoOther) {
  Report report = ended(Outcome::refused);
  report.refused.push_back({.reason = not_named});
  EXPECT_NE(failure_of(report).find(not_named.code), std::string::npos);
}

TEST(Failure, SaysWhatHappenedToTheSource) {
  Report report = ended(Outcome::source_changed);
  EXPECT_NE(failure_of(report).find("gave fewer bytes than it promised"), std::string::npos);
  report.change = Change{.kind = Change::Kind::shrank, .bytes = 5};
  EXPECT_NE(failure_of(report).find("the source shrank to 5 bytes"), std::string::npos);
}

TEST(Failure, SaysThatTheEndsDiffer) {
  EXPECT_NE(failure_of(ended(Outcome::mismatched)).find("what arrived is not what was sent"),
            std::string::npos);
}

TEST(Failure, IsWhatAServerAnsweredUnlessSomethingOfOursFailed) {
  for (const Outcome outcome : {Outcome::failed, Outcome::answered_early}) {
    Report report = ended(outcome);
    report.exchange = Exchange{.status = 413, .reason = "Content Too Large", .answer = "big!"};
    const std::string start = "'a' to 'b' failed after 5 bytes: ";
    EXPECT_EQ(failure_of(report), start + "the server answered 413 Content Too Large: big!");
    report.error = fail("recv", ECONNRESET).error();
    EXPECT_EQ(failure_of(report).find("413"), std::string::npos);
  }
}

}  // namespace
}  // namespace headrace::cli
