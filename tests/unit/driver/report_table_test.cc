// Tests texts in the CSV and Markdown tables of `lathe analyze`.
#include "generator/driver/view/report_table.h"

#include "gtest/gtest.h"

namespace lathe::driver {
namespace {

TEST(CsvFieldTest, QuotesWhatSeparates) {
  EXPECT_EQ(CsvField("conv1/bias:0"), "conv1/bias:0");
  EXPECT_EQ(CsvField("a, b"), "\"a, b\"");
  EXPECT_EQ(CsvField("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(CsvField("a\nb"), "a b");
}

TEST(CsvFieldTest, IsNoFormula) {
  EXPECT_EQ(CsvField("=1+1"), "'=1+1");
  EXPECT_EQ(CsvField("@SUM(A1,A2)"), "\"'@SUM(A1,A2)\"");
  EXPECT_EQ(CsvField("a=1"), "a=1");
}

TEST(MarkdownCellTest, HasNoMarkup) {
  EXPECT_EQ(MarkdownCell("a|b"), "a\\|b");
  EXPECT_EQ(MarkdownCell("[x](y) <b> `c` *d* \\"), "\\[x\\](y) \\<b\\> \\`c\\` \\*d\\* \\\\");
  EXPECT_EQ(MarkdownCell("a\nb"), "a b");
}

}  // namespace
}  // namespace lathe::driver
