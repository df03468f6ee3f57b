// The list of swept operators says what the sweeps do.
#include "tests/unit/ops/swept_nn_operators.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/ops/ops.h"
#include "generator/support/files.h"
#include "gtest/gtest.h"
#include "tests/support/paths.h"

namespace lathe::ops {
namespace {

TEST(SweptNnOperators, EachIsCalledByASweep) {
  std::string sweeps;
  for (const char* family : {"activation", "attention", "conv", "image", "loss", "norm", "pool",
                             "product", "region", "requantize", "suppression"}) {
    const absl::StatusOr<std::string> text =
        ReadFile(SourcePath(absl::StrCat("tests/unit/ops/", family, "_sweep_test.cc")));
    ASSERT_TRUE(text.ok()) << text.status();
    absl::StrAppend(&sweeps, *text);
  }
  for (absl::string_view name : kSweptNnOperators) {
    const ir::Op* op = FindOp(name);
    ASSERT_NE(op, nullptr) << name;
    EXPECT_NE(op->compute, nullptr) << name;
    EXPECT_TRUE(
        absl::StrContains(sweeps, absl::StrCat("\"", absl::StripPrefix(name, "relax."), "\"")))
        << "no sweep calls " << name;
  }
}

}  // namespace
}  // namespace lathe::ops
