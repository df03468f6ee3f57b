// The rows against what each target's own compiler says of itself; where that is not installed, the
// test is skipped and names it.
#include "generator/target/target.h"

#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/support/run_command.h"
#include "gtest/gtest.h"

namespace lathe {
namespace {

TEST(TargetTest, NamesAreUnique) {
  std::set<absl::string_view> names;
  for (const Target& t : AllTargets()) {
    EXPECT_TRUE(names.insert(t.name).second) << t.name;
    EXPECT_EQ(FindTarget(t.name), &t);
    EXPECT_EQ(t.ram_align & (t.ram_align - 1), 0) << t.name;
    EXPECT_GE(t.ram_align, t.vector_bytes) << t.name;
  }
  EXPECT_EQ(FindTarget("cortex-m99"), nullptr);
}

TEST(TargetTest, OnlyTheSameCoreHasTheUnitForFloat) {
  for (const Target& t : AllTargets()) {
    const Target* better = WithFloatUnit(t);
    EXPECT_EQ(better == nullptr ? "" : better->name, t.name == "cortex-m4" ? "cortex-m4f" : "")
        << t.name;
  }
}

class TargetRowTest : public ::testing::TestWithParam<const Target*> {};

TEST_P(TargetRowTest, MatchesTheCompiler) {
  const Target& t = *GetParam();
  std::vector<std::string> words = {std::string(t.compiler)};
  for (absl::string_view flag : absl::StrSplit(t.flags, ' ', absl::SkipEmpty())) {
    words.emplace_back(flag);
  }
  for (const char* word : {"-dM", "-E", "-x", "c", "/dev/null"}) words.emplace_back(word);
  const auto said = RunCommand(words);
  if (!said.ok()) GTEST_SKIP() << "needs " << t.compiler << " of packages " << t.packages;
  ASSERT_EQ(said->exit_code, 0) << said->output;
  std::map<std::string, std::string> macros;
  for (absl::string_view line : absl::StrSplit(said->output, '\n')) {
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(' ', 2));
    if (parts.size() > 1) macros[parts[1]] = parts.size() > 2 ? parts[2] : "";
  }
  const auto number = [&](const char* name) {
    const auto macro = macros.find(name);
    return macro == macros.end() ? 0
                                 : static_cast<int>(std::strtol(macro->second.c_str(), nullptr, 0));
  };
  EXPECT_TRUE(t.vector_macro.empty() || macros.contains(std::string(t.vector_macro)));
  EXPECT_EQ(number("__SIZEOF_INT__") * 8, t.int_bits);
  EXPECT_EQ(number("__SIZEOF_POINTER__") * 8, t.pointer_bits);
  EXPECT_EQ(number("__SIZEOF_SIZE_T__") * 8, t.pointer_bits);
  EXPECT_EQ(number("__SIZEOF_DOUBLE__") * 8, t.double_bits);
  if (macros.contains("__x86_64__")) {
    EXPECT_EQ(t.vector_bytes, macros.contains("__AVX512F__") ? 64
                              : macros.contains("__AVX2__")  ? 32
                                                             : 16);
    EXPECT_EQ(t.has_fma, macros.contains("__FMA__"));
  }
  if (macros.contains("__arm__")) {
    const int precisions = number("__ARM_FP");
    EXPECT_EQ(t.has_float, (precisions & 4) != 0);
    EXPECT_EQ(t.has_double, (precisions & 8) != 0);
    EXPECT_EQ(t.has_fma, macros.contains("__ARM_FEATURE_FMA"));
    EXPECT_EQ(t.has_half, number("__ARM_FEATURE_MVE") == 3);
    EXPECT_EQ(t.vector_bytes, macros.contains("__ARM_FEATURE_MVE") ? 16 : 0);
    EXPECT_EQ(t.dot_products > 1, macros.contains("__ARM_FEATURE_DSP"));
  }
  if (macros.contains("__riscv")) {
    EXPECT_EQ(t.has_float, macros.contains("__riscv_flen"));
    EXPECT_EQ(t.has_double, number("__riscv_flen") == 64);
  }
}

std::vector<const Target*> OfCompilers() {
  std::vector<const Target*> targets;
  for (const Target& t : AllTargets()) {
    if (t.name != "generic-c99") targets.push_back(&t);
  }
  return targets;
}

INSTANTIATE_TEST_SUITE_P(All, TargetRowTest, ::testing::ValuesIn(OfCompilers()),
                         [](const auto& info) {
                           std::string name(info.param->name);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace lathe
