#include "headrace/body.hpp"

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(Body, OfOneDescriptorHasOnePieceAndNoBounds) {
  const Body body = body_of(DescriptorRef{7}, 5, 9);
  ASSERT_EQ(body.pieces.size(), 1U);
  EXPECT_EQ(descriptor_of(body.pieces[0]), DescriptorRef{7});
  EXPECT_EQ(body.pieces[0].offset, 5U);
  EXPECT_EQ(body.pieces[0].length, 9U);
  EXPECT_FALSE(body.limit);
  EXPECT_FALSE(body.rate);
  EXPECT_TRUE(body.observers.empty());
}

TEST(Body, ALimitIsOnlyEverLowered) {
  const Body body = limited(body_of(DescriptorRef{7}), 10);
  EXPECT_EQ(body.limit, 10U);
  EXPECT_EQ(limited(body, 20).limit, 10U);
  EXPECT_EQ(limited(body, 3).limit, 3U);
  EXPECT_EQ(limited(body, 0).limit, 0U);
}

TEST(Body, ARateIsOnlyEverLoweredAndNeverZero) {
  const Body body = paced(body_of(DescriptorRef{7}), 10);
  EXPECT_EQ(body.rate, 10U);
  EXPECT_EQ(paced(body, 20).rate, 10U);
  EXPECT_EQ(paced(body, 3).rate, 3U);
  EXPECT_EQ(paced(body, 0).rate, 1U);
}

TEST(Body, ObserversAreAddedInOrder) {
  std::vector<int> called;
  Body body = observed(body_of(DescriptorRef{7}), [&](Bytes) { called.push_back(1); });
  body = observed(body, [&](Bytes) { called.push_back(2); });
  for (const Observer& observer : body.observers) observer(0);
  EXPECT_EQ(called, (std::vector{1, 2}));
}

TEST(Body, IsAValueThatHidesNoPiece) {
  const Body plain = body_of(DescriptorRef{7});
  const Body wrapped = paced(limited(observed(plain, [](Bytes) {}), 1), 1);
  EXPECT_FALSE(plain.limit);
  EXPECT_FALSE(plain.rate);
  EXPECT_TRUE(plain.observers.empty());
  ASSERT_EQ(wrapped.pieces.size(), 1U);
  EXPECT_EQ(descriptor_of(wrapped.pieces[0]), DescriptorRef{7});
}

}  // namespace
}  // namespace headrace
