// Tests the table of Relay's operators.
#include "generator/reader/relay_text/ops/op_rows.h"

#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/paths.h"

namespace lathe::relay {
namespace {

std::vector<std::string> NamesOfRows() {
  std::vector<std::string> names;
  for (const OpRow& row : AllOpRows()) names.emplace_back(row.name);
  return names;
}

TEST(RelayOpRowsTest, HoldAllOperatorsInOrder) {
  std::ifstream list(SourcePath("tests/relay/operators.list"));
  std::vector<std::string> wanted;
  for (std::string line; std::getline(list, line);) wanted.push_back(line);
  EXPECT_EQ(wanted.size(), 298U);
  EXPECT_EQ(NamesOfRows(), wanted);
}

TEST(RelayOpRowsTest, FindsRowsByName) {
  ASSERT_NE(FindOpRow("nn.conv2d"), nullptr);
  EXPECT_EQ(FindOpRow("nn.conv2d")->args, 2);
  EXPECT_EQ(FindOpRow("nn.conv4d"), nullptr);
  EXPECT_EQ(FindOpRow(""), nullptr);
}

TEST(RelayOpRowsTest, EachRefusedOperatorHasAReason) {
  int refused = 0;
  for (const OpRow& row : AllOpRows()) {
    if (row.import != nullptr) continue;
    ++refused;
    EXPECT_STRNE(row.reason, "") << row.name;
  }
  EXPECT_LE(refused, 20);
}

}  // namespace
}  // namespace lathe::relay
