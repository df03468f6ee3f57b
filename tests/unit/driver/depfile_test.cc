// Tests the syntax of dependency files for make.
#include "generator/driver/cli/depfile.h"

#include <cstdlib>

#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

TEST(DepfileTest, IsARule) {
  EXPECT_EQ(Depfile({"out/a.c", "out/a.h"}, {"a.py", "b.py"}),
            "out/a.c out/a.h: \\\n  a.py \\\n  b.py\n");
}

TEST(DepfileTest, EscapesMakeCharacters) {
  EXPECT_EQ(Depfile({"my out/a$b.c"}, {"c:#1\\ 2.py"}),
            "my\\ out/a$$b.c: \\\n  c\\:\\#1\\\\\\ 2.py\n");
}

// What is escaped is the file's own name again: the rule fires when it is newer.
TEST(DepfileTest, EscapesTabs) { EXPECT_EQ(Depfile({"a\tb"}, {"c"}), "a\\\tb: \\\n  c\n"); }

TEST(DepfileTest, MakeFindsTheFile) {
  if (std::system("make --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no make";
  const ScratchDirectory scratch;
  const std::string input = "a model$1 #2.py";
  ASSERT_THAT(WriteFile(input, "old"), IsOk());
  ASSERT_THAT(WriteFile("out.c", "made"), IsOk());
  ASSERT_THAT(WriteFile("deps.mk", Depfile({"out.c"}, {input})), IsOk());
  ASSERT_THAT(WriteFile("Makefile", "out.c:\n\ttouch remade\ninclude deps.mk\n"), IsOk());
  ASSERT_EQ(std::system("touch -d '2 hours ago' *.py && make -s out.c"), 0);
  EXPECT_FALSE(ReadFile("remade").ok());
  ASSERT_EQ(std::system("touch -d '2 hours ago' out.c && touch *.py && make -s out.c"), 0);
  EXPECT_TRUE(ReadFile("remade").ok());
}

}  // namespace
}  // namespace lathe::driver
