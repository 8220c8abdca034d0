#include "transfer/access_list.hpp"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>

namespace headrace {
namespace {

/// Entries of (tag, permissions) as the kernel gives them; who they name does not matter here.
AccessList list_of(std::initializer_list<std::array<unsigned char, 2>> entries) {
  AccessList list;
  const auto add = [&](std::initializer_list<unsigned char> bytes) {
    for (const unsigned char byte : bytes) list.bytes.push_back(std::byte{byte});
  };
  add({2, 0, 0, 0});
  for (const auto& [tag, permissions] : entries) add({tag, 0, permissions, 0, 255, 255, 255, 255});
  return list;
}

constexpr unsigned char user = 0x01;
constexpr unsigned char named = 0x02;
constexpr unsigned char group = 0x04;
constexpr unsigned char mask = 0x10;
constexpr unsigned char other = 0x20;

TEST(GroupPermissions, AreTheGroupsOwnAndNotTheMask) {
  EXPECT_EQ(group_permissions(list_of({{user, 6}, {named, 6}, {group, 0}, {mask, 6}, {other, 0}})),
            0U);
  EXPECT_EQ(group_permissions(list_of({{user, 6}, {named, 6}, {group, 4}, {mask, 6}, {other, 0}})),
            0040U);
}

TEST(GroupPermissions, AreCutByTheMask) {
  EXPECT_EQ(group_permissions(list_of({{user, 6}, {named, 6}, {group, 7}, {mask, 4}, {other, 0}})),
            0040U);
}

TEST(GroupPermissions, AreNoneOfAListThatIsNotUnderstood) {
  EXPECT_EQ(group_permissions({}), 0U);
  AccessList cut = list_of({{group, 7}});
  cut.bytes.pop_back();
  EXPECT_EQ(group_permissions(cut), 0U);
}

}  // namespace
}  // namespace headrace
