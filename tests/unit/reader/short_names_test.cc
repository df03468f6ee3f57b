#include "generator/reader/import/short_names.h"

#include "gtest/gtest.h"

namespace lathe {
namespace {

TEST(ShortNamesTest, SharedScopesAndEarlierOperatorsAreDropped) {
  const ShortNames names({"model/conv1/Relu;model/conv1/Conv2D", "model/conv2/Relu", "Identity"});
  EXPECT_EQ(names.Of("model/conv1/Relu;model/conv1/Conv2D"), "conv1/Relu");
  EXPECT_EQ(names.Of("model/conv2/Relu"), "conv2/Relu");
  EXPECT_EQ(names.Of("Identity"), "Identity");
}

TEST(ShortNamesTest, ScopesAreDroppedWhole) {
  const ShortNames names({"net/block1/a/Relu", "net/block2/a/Relu"});
  EXPECT_EQ(names.Of("net/block1/a/Relu"), "block1/a/Relu");
  EXPECT_EQ(names.Of("netting/Relu"), "netting/Relu");
}

TEST(ShortNamesTest, OneNameKeepsItsScopes) {
  const ShortNames names({"model/conv1/Relu", "out"});
  EXPECT_EQ(names.Of("model/conv1/Relu"), "model/conv1/Relu");
}

TEST(ShortNamesTest, NamesWithoutACommonScopeStay) {
  const ShortNames names({"encoder/a/Relu", "decoder/a/Relu", "/c/Relu"});
  EXPECT_EQ(names.Of("encoder/a/Relu"), "encoder/a/Relu");
  EXPECT_EQ(names.Of("/c/Relu"), "/c/Relu");
}

TEST(ShortNamesTest, NothingIsLeftEmpty) {
  const ShortNames names({"a/", "a/", ";b"});
  EXPECT_EQ(names.Of("a/"), "a/");
  EXPECT_EQ(names.Of(";b"), ";b");
  EXPECT_EQ(ShortNames().Of("a/b;c"), "a/b");
}

}  // namespace
}  // namespace lathe
