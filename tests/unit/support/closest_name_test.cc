#include "generator/support/closest_name.h"

#include "gtest/gtest.h"

namespace lathe {
namespace {

TEST(ClosestNameTest, FindsTheClosestName) {
  const absl::string_view verbs[] = {"check", "run", "inspect", "explain"};
  EXPECT_EQ(ClosestName("chekc", verbs), "check");
  EXPECT_EQ(ClosestName("inspct", verbs), "inspect");
  EXPECT_EQ(ClosestName("ru", verbs), "run");
  EXPECT_EQ(ClosestName("explaining", verbs), "explain");
  EXPECT_EQ(ClosestName("compile", verbs), "");
  EXPECT_EQ(ClosestName("", verbs), "");
  EXPECT_EQ(ClosestName(std::string(5000, 'x'), verbs), "");
  EXPECT_EQ(DidYouMean("rum", verbs), "; did you mean 'run'?");
  EXPECT_EQ(DidYouMean("xyz", verbs), "");
}

}  // namespace
}  // namespace lathe
