#include "generator/reader/relax_text/relax/tensor_literal.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::relax_text {
namespace {

using testing::ReadProgram;
using testing::ReadText;

// dtype(shape) bytes, or the problems; on line 3, from column 20.
std::string Constant(const std::string& literal) {
  const ReadProgram program =
      ReadText(absl::StrCat("@R.function\ndef f():\n    return R.const(", literal, ")\n"));
  if (!program.module) return program.problems;
  const ir::Constant& c = program.module->constants[ir::ConstantId{0}];
  std::vector<int> bytes(c.bytes->begin(), c.bytes->end());
  return absl::StrCat(ir::ToString(c.dtype), "(", absl::StrJoin(c.shape, ","), ") ",
                      absl::StrJoin(bytes, " "));
}

TEST(TensorLiteralTest, TypesWithoutADType) {
  EXPECT_EQ(Constant("1"), "int32() 1 0 0 0");
  EXPECT_EQ(Constant("-1"), "int32() 255 255 255 255");
  EXPECT_EQ(Constant("True"), "bool() 1");
  EXPECT_EQ(Constant("1.0"), "float32() 0 0 128 63");
  EXPECT_EQ(Constant("[1, 2.0]"), "float32(2) 0 0 128 63 0 0 0 64");
  EXPECT_EQ(Constant("[True, False]"), "bool(2) 1 0");
  EXPECT_EQ(Constant("[]"), "float32(0) ");
}

TEST(TensorLiteralTest, ExplicitTypes) {
  EXPECT_EQ(Constant("[[1, 2], [3, -4]], \"int8\""), "int8(2,2) 1 2 3 252");
  EXPECT_EQ(Constant("1, dtype=\"float16\""), "float16() 0 60");
  EXPECT_EQ(Constant("1, \"bfloat16\""), "bfloat16() 128 63");
  EXPECT_EQ(Constant("1, \"float64\""), "float64() 0 0 0 0 0 0 240 63");
  EXPECT_EQ(Constant("18446744073709551615, \"uint64\""),
            "uint64() 255 255 255 255 255 255 255 255");
  EXPECT_EQ(Constant("[1, 2, 3], \"uint4\""), "uint4(3) 33 3");
  EXPECT_EQ(Constant("[], \"int64\""), "int64(0) ");
  EXPECT_EQ(Constant("\"-inf\", \"float32\""), "float32() 0 0 128 255");
  EXPECT_EQ(Constant("1 / 8, \"float32\""), "float32() 0 0 0 62");
  EXPECT_EQ(Constant("2.7, \"int8\""), "int8() 2");
}

TEST(TensorLiteralTest, Refused) {
  EXPECT_EQ(Constant("[[1, 2], [3]]"),
            "3:29: ragged-constant: the nested lists of a constant must have equal lengths\n");
  EXPECT_EQ(Constant("[[1], 2]"),
            "3:26: ragged-constant: the nested lists of a constant must have equal lengths\n");
  EXPECT_EQ(Constant("256, \"uint8\""),
            "3:20: number-out-of-range: the number does not fit in uint8\n");
  EXPECT_EQ(Constant("-1, \"uint8\""),
            "3:20: number-out-of-range: the number does not fit in uint8\n");
  EXPECT_EQ(Constant("\"nan\", \"int8\""),
            "3:20: number-out-of-range: the number does not fit in int8\n");
  EXPECT_EQ(Constant("1, \"float32x4\""),
            "3:20: unknown-dtype: a tensor cannot have the dtype float32x4\n");
  EXPECT_EQ(Constant("np.zeros(4)"),
            "3:20: host-python: the elements of a constant must be numbers, got a call\n");
}

}  // namespace
}  // namespace lathe::relax_text
