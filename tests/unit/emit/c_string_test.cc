// Strings of a program as literals of C.
#include "generator/emit/print_value.h"
#include "gtest/gtest.h"

namespace lathe::emit {
namespace {

// What looks for names in printed lines takes that for a comment, of which all else would be a
// part.
TEST(CStringTest, HoldsNothingThatBeginsAComment) {
  EXPECT_EQ(CString("data/*.csv"), "\"data/\\052.csv\"");
  EXPECT_EQ(CString("2 * 3 / 4"), "\"2 * 3 / 4\"");
}

}  // namespace
}  // namespace lathe::emit
