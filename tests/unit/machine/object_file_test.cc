// Tests section sizes in objects of this machine's compiler, and malformed objects.
#include "generator/machine/object_file.h"

#include <cstdlib>

#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/scratch_directory.h"

namespace lathe::machine {
namespace {

std::string Compiled(const std::string& compiler) {
  EXPECT_THAT(WriteFile("a.c",
                        "const int table[25] = {1};\nint first[3] = {1};\nint later[7];\n"
                        "int twice(int x) { return x + x; }\n"
                        "int thrice(int x) { return x * x * x; }\n"),
              IsOk());
  EXPECT_EQ(std::system((compiler + " -c -fno-common a.c -o a.o").c_str()), 0);
  const auto bytes = ReadFile("a.o");
  return bytes.ok() ? *bytes : "";
}

void ExpectSizes(const std::string& compiler) {
  const ScratchDirectory scratch;
  const auto sizes = ReadObjectSizes(Compiled(compiler));
  ASSERT_THAT(sizes, IsOk());
  EXPECT_GE(sizes->rodata, 100);
  EXPECT_LT(sizes->rodata, 300);
  EXPECT_EQ(sizes->data, 12);
  EXPECT_EQ(sizes->bss, 28);
  ASSERT_EQ(sizes->functions.size(), 2u);
  EXPECT_GT(sizes->functions.at("twice"), 2);
  EXPECT_LE(sizes->functions.at("twice") + sizes->functions.at("thrice"), sizes->text);
}

TEST(ObjectFileTest, OfThisMachine) { ExpectSizes("cc"); }

TEST(ObjectFileTest, OfThirtyTwoBits) {
  if (std::system("arm-none-eabi-gcc --version >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "arm-none-eabi-gcc is not installed";
  }
  ExpectSizes("arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb");
}

TEST(ObjectFileTest, RejectsOtherFiles) {
  EXPECT_FALSE(ReadObjectSizes("").ok());
  EXPECT_FALSE(ReadObjectSizes("!<arch>\n").ok());
  const ScratchDirectory scratch;
  const std::string whole = Compiled("cc");
  // Cut short anywhere, it is refused or read; no byte beyond it is looked at.
  for (size_t size = 0; size < whole.size(); size += 7)
    (void)ReadObjectSizes(whole.substr(0, size));
  std::string wrong = whole;
  for (size_t i = 32; i < 64; ++i) wrong[i] = '\xff';
  EXPECT_FALSE(ReadObjectSizes(wrong).ok());
}

}  // namespace
}  // namespace lathe::machine
