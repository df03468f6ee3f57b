// Tests program strings as C literals.
#include "generator/emit/text/c_string.h"

#include "gtest/gtest.h"

namespace lathe::emit {
namespace {

// What looks for names in printed lines takes that for a comment, of which all else would be a
// part.
TEST(CStringTest, ContainsNoCommentStart) {
  EXPECT_EQ(CString("data/*.csv").str(), "\"data/\\052.csv\"");
  EXPECT_EQ(CString("2 * 3 / 4").str(), "\"2 * 3 / 4\"");
}

}  // namespace
}  // namespace lathe::emit
