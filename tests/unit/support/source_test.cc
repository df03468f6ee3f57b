#include "generator/support/source.h"

#include "gtest/gtest.h"

namespace lathe {
namespace {

TEST(SourceTest, LinesEndInThreeWays) {
  const SourceFile file("t", "a\nbc\r\n\rd");
  EXPECT_EQ(file.Line(1), "a");
  EXPECT_EQ(file.Line(2), "bc");
  EXPECT_EQ(file.Line(3), "");
  EXPECT_EQ(file.Line(4), "d");
  EXPECT_EQ(file.LineAt(0), 1);
  EXPECT_EQ(file.LineAt(2), 2);
  EXPECT_EQ(file.LineAt(5), 2);
  EXPECT_EQ(file.LineAt(6), 3);
  EXPECT_EQ(file.LineAt(7), 4);
}

}  // namespace
}  // namespace lathe
