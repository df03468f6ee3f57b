#include "generator/driver/cli/tflite_operators.h"

#include <set>
#include <string>

#include "generator/reader/tflite/ops/op_rows.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace lathe::driver {
namespace {

TEST(TfliteOperatorsTest, ThePageIsCurrent) {
  ExpectGolden(SourcePath("docs/tflite-operators.md"), TfliteOperatorsAsMarkdown());
  EXPECT_THAT(TfliteOperatorsAsJson(), ::testing::HasSubstr("\"name\": \"CONV_2D\""));
}

TEST(TfliteOperatorsTest, EachOperatorIsThereOnce) {
  std::set<std::string> names;
  for (const tflite::OpRow& row : tflite::AllOpRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.import == nullptr, row.reason[0] != '\0') << row.name;
  }
}

}  // namespace
}  // namespace lathe::driver
