#include "generator/driver/cli/relay_operators.h"

#include <string>

#include "generator/reader/relay_text/ops/op_rows.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace lathe::driver {
namespace {

TEST(RelayOperatorsTest, ThePageIsCurrent) {
  ExpectGolden(SourcePath("docs/relay-operators.md"), RelayOperatorsAsMarkdown());
  EXPECT_THAT(RelayOperatorsAsJson(), ::testing::HasSubstr("\"name\": \"nn.conv2d\""));
}

TEST(RelayOperatorsTest, RowsAreSortedAndEachIsThereOnce) {
  std::string before;
  for (const relay::OpRow& row : relay::AllOpRows()) {
    EXPECT_LT(before, row.name);
    EXPECT_EQ(row.import == nullptr, row.reason[0] != '\0') << row.name;
    before = row.name;
  }
}

}  // namespace
}  // namespace lathe::driver
