#include "generator/driver/cli/response_file.h"

#include <cstdlib>
#include <filesystem>

#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"

namespace lathe::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ResponseFileTest, QuotesAsGcc) {
  EXPECT_THAT(SplitResponseWords("a  'b c'\n\"d\\\"e\" f\\ g ''"),
              ElementsAre("a", "b c", "d\"e", "f g", ""));
  EXPECT_THAT(SplitResponseWords(" \n\t"), ElementsAre());
  EXPECT_THAT(SplitResponseWords("x=\"a b\"c"), ElementsAre("x=a bc"));
  EXPECT_THAT(SplitResponseWords("ends\\"), ElementsAre("ends\\"));
}

TEST(ResponseFileTest, Expands) {
  const std::string path = ::testing::TempDir() + "/response_file_test.args";
  ASSERT_THAT(WriteFile(path, "check 'a b.py' --"), IsOk());
  // What follows a "--" inside the file is no longer expanded either.
  EXPECT_THAT(ExpandResponseFiles({"-q", "@" + path, "@" + path}),
              IsOkAndHolds(ElementsAre("-q", "check", "a b.py", "--", "@" + path)));
  EXPECT_THAT(ExpandResponseFiles({"@/no/such/file", "@"}),
              IsOkAndHolds(ElementsAre("@/no/such/file", "@")));
  ASSERT_THAT(WriteFile(path, "@" + path), IsOk());
  EXPECT_THAT(ExpandResponseFiles({"@" + path}), StatusIs(absl::StatusCode::kResourceExhausted,
                                                          HasSubstr("are nested deeper than 16")));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace lathe::driver
