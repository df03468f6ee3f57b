// Tests identifiers of the generated C.
#include "generator/emit/c/names/c_names.h"

#include <string>

#include "gtest/gtest.h"

namespace lathe::emit {
namespace {

TEST(MakeCNameTest, ReturnsLettersDigitsAndSingleUnderscores) {
  EXPECT_EQ(MakeCName("conv1/bias:0").str(), "conv1_bias_0");
  EXPECT_EQ(MakeCName("__x__").str(), "x");
  EXPECT_EQ(MakeCName("").str(), "v");
  EXPECT_EQ(MakeCName("\n*/").str(), "v");
  EXPECT_EQ(MakeCName("1x").str(), "v1x");
}

TEST(MakeCNameTest, IsAsLongAsTheLimit) {
  EXPECT_EQ(MakeCName(std::string(kMaxIdentifier, 'x')).str(), std::string(120, 'x'));
  EXPECT_EQ(MakeCName(std::string(kMaxIdentifier + 1, 'x')).str(), std::string(120, 'x'));
}

TEST(CNamesTest, EqualNamesGetNumbersInOrder) {
  CNames names;
  EXPECT_EQ(names.Unique("a.b").str(), "a_b");
  EXPECT_EQ(names.Unique("a b").str(), "a_b_1");
  EXPECT_EQ(names.Unique("a-b").str(), "a_b_2");
  const std::string longer(200, 'x');
  EXPECT_NE(names.Unique(longer).str(), names.Unique(longer + "y").str());
}

TEST(CNamesTest, NoNameMeansSomethingElse) {
  CNames names;
  for (const char* word : {"while", "co_await", "char8_t", "requires", "typeof_unqual", "int8_t",
                           "memcpy", "NULL", "INT8_MAX", "expf", "linux"}) {
    EXPECT_NE(names.Unique(word).str(), word);
  }
}

}  // namespace
}  // namespace lathe::emit
