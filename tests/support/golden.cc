#include "tests/support/golden.h"

#include <cstdlib>

#include "absl/strings/string_view.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"

namespace lathe {

void ExpectGolden(const std::string& path, const std::string& actual) {
  const char* update = std::getenv("UPDATE_GOLDENS");
  if (update != nullptr && absl::string_view(update) == "1") {
    const absl::Status written = WriteFile(path, actual);
    EXPECT_TRUE(written.ok()) << written;
    return;
  }
  auto expected = ReadFile(path);
  ASSERT_TRUE(expected.ok()) << expected.status();
  // Compared as strings, so that a failure shows the lines that differ.
  EXPECT_EQ(*expected, actual) << path << "\nrun again with UPDATE_GOLDENS=1 to accept";
}

}  // namespace lathe
