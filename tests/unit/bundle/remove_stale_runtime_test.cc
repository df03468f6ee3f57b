// Tests which runtime files of an earlier compile are removed from a folder.
#include "generator/bundle/remove_stale_runtime.h"

#include <filesystem>
#include <string>
#include <vector>

#include "generator/bundle/runtime_files.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"
#include "tests/support/scratch_directory.h"

namespace lathe::bundle {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

class RemoveStaleRuntimeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory("lathe");
    for (const emit::OutputFile& file : RuntimeFiles(std::vector<std::string>{"half.h"})) {
      ASSERT_THAT(WriteFile(file.name, file.text), IsOk());
      names_.push_back(file.name);
    }
    ASSERT_THAT(names_, Contains("lathe/half.h"));
  }

  const ScratchDirectory scratch_;
  std::vector<std::string> names_;
  const std::vector<emit::OutputFile> kept_ = {{"net.c", ""}, {"lathe/rt.h", ""}};
};

TEST_F(RemoveStaleRuntimeTest, UnneededFilesGo) {
  ASSERT_THAT(WriteFile("net.c", "#include \"lathe/rt.h\"\n"), IsOk());
  EXPECT_THAT(RemoveStaleRuntime(".", kept_), Contains("lathe/half.h"));
  EXPECT_FALSE(std::filesystem::exists("lathe/half.h"));
  EXPECT_TRUE(std::filesystem::exists("lathe/rt.h"));
  EXPECT_THAT(RemoveStaleRuntime(".", kept_), IsEmpty());
}

TEST_F(RemoveStaleRuntimeTest, FilesOfOtherModelsStay) {
  ASSERT_THAT(WriteFile("other.c", "#include \"lathe/half.h\"\n"), IsOk());
  EXPECT_THAT(RemoveStaleRuntime(".", kept_), IsEmpty());
  EXPECT_TRUE(std::filesystem::exists("lathe/half.h"));
}

TEST_F(RemoveStaleRuntimeTest, FilesThatInnerFoldersIncludeStay) {
  std::filesystem::create_directories("src/inner");
  for (const char* line : {"#include \"lathe/half.h\"\n", "#include <lathe/half.h>\n",
                           "#include \"../../lathe/half.h\"\n", "#include <half.h>\n"}) {
    ASSERT_THAT(WriteFile("src/inner/other.c", line), IsOk());
    EXPECT_THAT(RemoveStaleRuntime(".", kept_), IsEmpty()) << line;
  }
  ASSERT_THAT(WriteFile("src/inner/other.c", "#include \"lathe/rt.h\"\n"), IsOk());
  EXPECT_THAT(RemoveStaleRuntime(".", kept_), Contains("lathe/half.h"));
}

TEST_F(RemoveStaleRuntimeTest, FilesThatBuildFilesNameStay) {
  for (const char* name : {"Makefile", "CMakeLists.txt", "rules.mk"}) {
    ASSERT_THAT(WriteFile(name, "other.o: lathe/half.h net.c\n"), IsOk());
    EXPECT_THAT(RemoveStaleRuntime(".", kept_), IsEmpty()) << name;
    std::filesystem::remove(name);
  }
}

TEST_F(RemoveStaleRuntimeTest, FilesOfLargeFoldersStay) {
  std::filesystem::create_directory("many");
  for (int i = 0; i < 10'001; ++i) {
    ASSERT_THAT(WriteFile("many/" + std::to_string(i), ""), IsOk());
  }
  EXPECT_THAT(RemoveStaleRuntime(".", kept_), IsEmpty());
}

TEST_F(RemoveStaleRuntimeTest, ChangedFilesStay) {
  ASSERT_THAT(WriteFile("lathe/half.h", "/* edited */\n"), IsOk());
  ASSERT_THAT(WriteFile("lathe/own.h", "int own;\n"), IsOk());
  (void)RemoveStaleRuntime(".", kept_);
  EXPECT_TRUE(std::filesystem::exists("lathe/half.h"));
  EXPECT_TRUE(std::filesystem::exists("lathe/own.h"));
}

TEST_F(RemoveStaleRuntimeTest, FoldersWithoutRuntimeAreUnchanged) {
  EXPECT_THAT(RemoveStaleRuntime("missing", kept_), IsEmpty());
}

}  // namespace
}  // namespace lathe::bundle
