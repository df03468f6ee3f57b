#include "generator/support/files.h"

#include <sys/stat.h>

#include <cstdio>

#include "gmock/gmock.h"
#include "tests/support/matchers.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;

TEST(FilesTest, WritesAndReadsBack) {
  const std::string path = ::testing::TempDir() + "/files_test";
  const std::string bytes("a\0b\n", 4);
  ASSERT_THAT(WriteFile(path, bytes), IsOk());
  EXPECT_THAT(ReadFile(path), IsOkAndHolds(bytes));
  ASSERT_THAT(WriteFile(path, "other"), IsOk());
  EXPECT_THAT(ReadFile(path), IsOkAndHolds("other"));
  EXPECT_THAT(ReadFile(path, 4),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("is larger than 4 bytes")));
  std::remove(path.c_str());
}

TEST(FilesTest, ReportsErrors) {
  EXPECT_THAT(ReadFile("/no/such"), StatusIs(absl::StatusCode::kUnavailable,
                                             "cannot read '/no/such': No such file or directory"));
  EXPECT_THAT(ReadFile("/"), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("cannot read")));
  EXPECT_THAT(WriteFile("/no/such", "x"),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("cannot write")));
}

TEST(FilesTest, ADeviceStaysADevice) {
  ASSERT_THAT(WriteFile("/dev/null", "x"), IsOk());
  struct stat info;
  ASSERT_EQ(stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
}

}  // namespace
}  // namespace lathe
