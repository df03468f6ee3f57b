// Tests which needs of a model fit a board, and what the table says of those that do not.
#include "generator/driver/view/fit_table.h"

#include "gmock/gmock.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A model that fits its board.
FitTable Fitting() {
  FitRow row;
  row.board = FindCommonBoard("nucleo-f411re");
  row.ram = 1000;
  row.stack = 100;
  row.flash = 2000;
  row.measured = true;
  row.time = {TimeRange{1, 2}, "main", ""};
  return {"net", 1, {row}};
}

TEST(FitTableTest, BoundedNeedsFit) {
  const FitTable table = Fitting();
  EXPECT_TRUE(table.rows[0].fits());
  EXPECT_THAT(FitAsText(table), HasSubstr("net fits 1 of 1 boards"));
  EXPECT_THAT(FitAsText(table), Not(HasSubstr("Times are of one call")));
}

TEST(FitTableTest, StacksWithoutABoundDoNotFit) {
  FitTable table = Fitting();
  table.rows[0].stack.reset();
  table.rows[0].why_no_stack = "ext_fn is not measured";
  EXPECT_FALSE(table.rows[0].fits());
  EXPECT_THAT(FitAsText(table), HasSubstr("  stack: no bound: ext_fn is not measured\n"));
  EXPECT_THAT(FitAsText(table), HasSubstr("net fits 0 of 1 boards"));
  EXPECT_THAT(FitAsCsv(table), HasSubstr(",false,stack: no bound: ext_fn is not measured\n"));
  EXPECT_EQ(FitAsJson(table)["boards"][0]["fits"], false);
  table.rows[0].measured = false;  // --no-cc
  EXPECT_TRUE(table.rows[0].fits());
}

TEST(FitTableTest, FailedMeasurementsAreNoFailedCompilations) {
  FitTable table = Fitting();
  table.rows[0].measured = false;
  table.rows[0].stack.reset();
  table.rows[0].why_not_measured = "cc1: unknown flag";
  EXPECT_FALSE(table.rows[0].fits());
  EXPECT_THAT(FitAsText(table), HasSubstr("  not measured: cc1: unknown flag\n"));
  EXPECT_THAT(FitAsText(table), HasSubstr("1 000"));
  EXPECT_THAT(FitAsText(table), Not(HasSubstr("not compiled")));
}

TEST(FitTableTest, TimesOfSeveralFunctionsNameThem) {
  FitTable table = Fitting();
  table.functions = 3;
  EXPECT_THAT(FitAsText(table), HasSubstr("Times are of one call of 'main', which takes longest of "
                                          "the 3 exported functions."));
  EXPECT_EQ(FitAsJson(table)["boards"][0]["estimate"]["function"], "main");
}

}  // namespace
}  // namespace lathe::driver
