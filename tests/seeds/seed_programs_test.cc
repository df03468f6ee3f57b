// Reads the example programs of the texts that define Relax, from ../shared/seeds or LATHE_SEEDS.
// Skipped if they are missing.
//
// A program is a fenced block with a decorator of R, T or tvm.script in it; the others are
// pseudocode of the specification, or fragments. Each has what is said of it here, in the order of
// the file: the codes that `lathe check` gives, and below what the whole ones evaluate to.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/support/matchers.h"
#include "tests/support/outside_functions.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

namespace fs = std::filesystem;
using interp::AddOutside;
using interp::Outside;
using interp::Program;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

fs::path SeedFolder() {
  const char* named = std::getenv("LATHE_SEEDS");
  return named != nullptr ? fs::path(named) : fs::path(SourcePath("../shared/seeds"));
}

bool HasProgram(absl::string_view block) {
  for (absl::string_view mark : {"@R.", "@T.", "@tvm.script.", "@I."}) {
    if (absl::StrContains(block, mark)) return true;
  }
  return false;
}

class SeedPrograms : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(SeedFolder())) GTEST_SKIP() << "no texts in " << SeedFolder().string();
  }

  // The programs of the text whose file name starts with `number`.
  std::vector<std::string> ProgramsOf(absl::string_view number) {
    std::vector<std::string> programs;
    for (const auto& entry : fs::directory_iterator(SeedFolder())) {
      if (!absl::StartsWith(entry.path().filename().string(), number)) continue;
      auto text = ReadFile(entry.path().string());
      EXPECT_THAT(text, IsOk());
      std::string block;
      bool inside = false;
      for (absl::string_view line : absl::StrSplit(text.value(), '\n')) {
        if (!absl::StartsWith(absl::StripLeadingAsciiWhitespace(line), "```")) {
          if (inside) absl::StrAppend(&block, line, "\n");
          continue;
        }
        if (inside && HasProgram(block)) programs.push_back(block);
        inside = !inside;
        block.clear();
      }
    }
    return programs;
  }

  // What is said of a program, each code once, in the order of the program.
  std::vector<std::string> CodesOf(const std::string& program) {
    const ScratchDirectory scratch;
    EXPECT_THAT(WriteFile("program.py", program), IsOk());
    const LatheRun run = RunLatheWords("check --diagnostics=json program.py");
    const json report = json::parse(run.err, nullptr, /*allow_exceptions=*/false);
    EXPECT_FALSE(report.is_discarded()) << run.err;
    std::vector<std::string> codes;
    if (report.is_discarded()) return codes;
    for (const json& d : report["diagnostics"]) {
      const std::string code = d["code"];
      if (std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
    }
    return codes;
  }
};

// Pseudocode that can be read all the same. By the text's own rules a function that prints is
// impure, and has to say so.
TEST_F(SeedPrograms, Shadowing) {
  for (absl::string_view number : {"000", "001"}) {
    const std::vector<std::string> programs = ProgramsOf(number);
    ASSERT_EQ(programs.size(), 1) << number;
    EXPECT_THAT(CodesOf(programs[0]), ElementsAre("impure-call"));
    Program p(absl::StrReplaceAll(programs[0], {{"@R.function", "@R.function(pure=False)"}}));
    EXPECT_EQ(p.Run({p.Floats({2}, {5, 6})}, "func"), "[5, 6]");
    EXPECT_EQ(p.printed, "1\n[5, 6]\n");
  }
  // A copy of it that lost its indentation.
  const std::vector<std::string> copies = ProgramsOf("003");
  ASSERT_EQ(copies.size(), 1);
  EXPECT_THAT(CodesOf(copies[0]), ElementsAre("syntax-indentation", "syntax-error"));
}

TEST_F(SeedPrograms, ProposalSeedsAreReadOrRejected) {
  const std::vector<std::string> programs = ProgramsOf("004");
  ASSERT_EQ(programs.size(), 8);
  // Python beside the module is passed over.
  EXPECT_THAT(CodesOf(programs[0]), ElementsAre("host-statement-ignored"));
  EXPECT_THAT(CodesOf(programs[1]), ElementsAre("host-statement-ignored"));
  // An output's shape is computed by an external function: its dimensions have to be matched.
  EXPECT_THAT(CodesOf(programs[2]), ElementsAre("annotation-more-specific", "call-tir-output"));
  // The PrimFuncs that it calls, and an operator that reads files, are left to the imagination.
  EXPECT_THAT(CodesOf(programs[3]), ElementsAre("var-not-bound-once", "unknown-operator"));
  EXPECT_THAT(CodesOf(programs[4]), IsEmpty());
  // Names that nothing binds, and a spelling of blocks that was never more than proposed.
  EXPECT_THAT(CodesOf(programs[5]), ElementsAre("unknown-dtype", "unbound-name",
                                                "with-without-value", "with-without-scope"));
  // Brackets that do not match.
  EXPECT_THAT(CodesOf(programs[6]), ElementsAre("syntax-error", "syntax-bracket"));
  EXPECT_THAT(CodesOf(programs[7]), ElementsAre("syntax-bracket"));
}

TEST_F(SeedPrograms, OfTheProposalEvaluate) {
  const std::vector<std::string> programs = ProgramsOf("004");
  ASSERT_EQ(programs.size(), 8);
  {  // exp of the product, which is then updated in place.
    Program p(programs[0]);
    AddOutside(p.interpreter(), "custom_inplace_update", Outside::kDouble);
    EXPECT_EQ(p.Run({p.Floats({1, 2}, {0, 0}), p.Floats({2, 2}, {1, 2, 3, 4})}, "relax_func"),
              "[2, 2]");
    EXPECT_THAT(p.Run({p.Floats({1, 2}, {0, 0}), p.Floats({3, 2}, {})}, "relax_func"),
                HasSubstr("run-struct-info-mismatch"));
  }
  {  // A product with a transposed matrix, added to itself, and tiled: twice, side by side.
    Program p(programs[1]);
    AddOutside(p.interpreter(), "custom_print", Outside::kIgnore);
    AddOutside(p.interpreter(), "custom_add", Outside::kAdd);
    AddOutside(p.interpreter(), "custom_tile", Outside::kRepeatTwice);
    EXPECT_EQ(p.Run({p.Floats({2, 2}, {1, 2, 3, 4}), p.Floats({2, 2}, {1, 0, 1, 1})}, "relax_func"),
              "[[2, 6, 2, 6], [6, 14, 6, 14]]");
  }
  {  // The flattened product, updated in place.
    Program p(programs[4]);
    AddOutside(p.interpreter(), "custom_inplace_update", Outside::kDouble);
    EXPECT_EQ(p.Run({p.Floats({1, 2}, {1, 2}), p.Floats({2, 2}, {1, 2, 3, 4})}, "relax_func"),
              "[14, 20]");
  }
}

// Relay determines the result of `add` from its operands, not the operands from the result.
TEST_F(SeedPrograms, RelayNeedsTypesOfOperands) {
  const ScratchDirectory scratch;
  EXPECT_THAT(WriteFile("program.relay", "fn(%x, %y) { add(%x, %y) }\n"), IsOk());
  const LatheRun run = RunLatheWords("check program.relay");
  EXPECT_THAT(run.err, HasSubstr("[relay-cannot-infer]"));
}

}  // namespace
}  // namespace lathe
