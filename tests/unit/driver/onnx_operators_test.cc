#include "generator/driver/cli/onnx_operators.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/op_rows.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace lathe::driver {
namespace {

TEST(OnnxOperatorsTest, ThePageIsCurrent) {
  ExpectGolden(SourcePath("docs/onnx-operators.md"), OnnxOperatorsAsMarkdown());
  EXPECT_THAT(OnnxOperatorsAsJson(), ::testing::HasSubstr("\"name\": \"Conv\""));
  EXPECT_THAT(OnnxOperatorsAsJson(),
              ::testing::ContainsRegex("\"kernel_shape\",[ \n]*\"type\": \"ints\""));
}

TEST(OnnxOperatorsTest, AttributesAreThoseOfTheOperator) {
  const onnx::OpRow* scaler = onnx::FindOpRow("ai.onnx.ml", "Scaler");
  ASSERT_NE(scaler, nullptr);
  EXPECT_EQ(onnx::AttributesOf(*scaler), "offset:floats scale:floats");
  EXPECT_EQ(onnx::AttributesOf(*onnx::FindOpRow("", "Abs")), "");
}

TEST(OnnxOperatorsTest, RowsAreSortedAndEachIsThereOnce) {
  std::string before;
  for (const onnx::OpRow& row : onnx::AllOpRows()) {
    const std::string name = absl::StrCat(row.domain, " ", row.name);
    EXPECT_LT(before, name);
    EXPECT_TRUE(row.last == 0 || row.first <= row.last) << name;
    before = name;
  }
}

}  // namespace
}  // namespace lathe::driver
