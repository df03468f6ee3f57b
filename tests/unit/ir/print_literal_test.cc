#include "generator/ir/print_literal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lathe::ir {
namespace {

TEST(PrintLiteral, EscapesStrings) {
  EXPECT_EQ(StringLiteral("a\"b\\c\n\t\r"), R"("a\"b\\c\n\t\r")");
  EXPECT_EQ(StringLiteral(absl::string_view("\0\x7f", 2)), R"("\x00\x7f")");
  EXPECT_EQ(StringLiteral("\xc3\xa9"), "\"\xc3\xa9\"");
}

TEST(PrintLiteral, WritesTheShortestFloatThatReadsBack) {
  EXPECT_EQ(FloatLiteral(1), "1.0");
  EXPECT_EQ(FloatLiteral(-0.0), "-0.0");
  EXPECT_EQ(FloatLiteral(0.1), "0.1");
  EXPECT_EQ(FloatLiteral(1e-5), "1e-05");
  EXPECT_EQ(FloatLiteral(1e22), "1e+22");
  EXPECT_EQ(FloatLiteral(3.4028234663852886e+38), "3.4028234663852886e+38");
  EXPECT_EQ(FloatLiteral(5e-324), "5e-324");
}

TEST(PrintLiteral, QuotesNonFiniteNumbers) {
  EXPECT_EQ(FloatLiteral(std::numeric_limits<double>::infinity()), "\"inf\"");
  EXPECT_EQ(FloatLiteral(-std::numeric_limits<double>::infinity()), "\"-inf\"");
  EXPECT_EQ(FloatLiteral(std::nan("")), "\"nan\"");
}

}  // namespace
}  // namespace lathe::ir
