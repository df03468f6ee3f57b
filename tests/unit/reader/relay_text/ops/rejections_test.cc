// Tests calls that Relay's type relations reject.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/relay_program.h"

namespace lathe::relay {
namespace {

using ::testing::HasSubstr;

struct Rejection {
  std::string params, call, message;
};

class RelayRejectionsTest : public ::testing::TestWithParam<Rejection> {};

TEST_P(RelayRejectionsTest, NameTheReason) {
  const Rejection& r = GetParam();
  const testing::RelayProgram program(absl::StrCat("def @main(", r.params, ") { ", r.call, " }"));
  EXPECT_FALSE(program.module.has_value()) << r.call;
  EXPECT_THAT(program.Errors(), HasSubstr(r.message)) << r.call;
}

const char* const kRow = "%a: Tensor[(4), float32]";
const char* const kMatrix = "%a: Tensor[(2, 3), float32]";
const char* const kImage = "%a: Tensor[(1, 3, 8, 8), float32]";

INSTANTIATE_TEST_SUITE_P(
    All, RelayRejectionsTest,
    ::testing::Values(
        Rejection{"%a: Tensor[(2), float32], %b: Tensor[(2), int32]", "add(%a, %b)",
                  "operands of dtypes float32 and int32"},
        Rejection{"%a: Tensor[(2), float32], %b: Tensor[(3), float32]", "add(%a, %b)",
                  "sizes 2 and 3 do not broadcast"},
        Rejection{"%a: Tensor[(2), int32]", "power(%a, %a)", "it takes floats"},
        Rejection{"%a: Tensor[(2), float32]", "reinterpret(%a, dtype=\"int8\")", "another width"},
        Rejection{kMatrix, "sum(%a, axis=[2])", "axis 2 is out of range"},
        Rejection{kMatrix, "sum(%a, axis=[0, -2])", "is repeated"},
        Rejection{kMatrix, "sum(%a, axis=[])", "axis=[] reduces nothing"},
        Rejection{kMatrix, "reshape(%a, newshape=[4, 2])", "6 elements"},
        Rejection{kMatrix, "reshape(%a, newshape=[-1, -1])", "two sizes"},
        Rejection{kMatrix, "reshape(%a, newshape=[4, -1])", "do not divide"},
        Rejection{kMatrix, "transpose(%a, axes=[0, 0])", "is repeated"},
        Rejection{kMatrix, "squeeze(%a, axis=[0])", "dimension 0 is squeezed and 2 long"},
        Rejection{"%a: Tensor[(?, 1), float32]", "squeeze(%a)", "all sizes have to be known"},
        Rejection{kMatrix, "concatenate((%a, %a), axis=2)", "axis 2 is out of range"},
        Rejection{"%a: Tensor[(2, 3), float32], %b: Tensor[(4, 4), float32]",
                  "concatenate((%a, %b), axis=0)", "sizes 3 and 4 of dimension 1 differ"},
        Rejection{kRow, "split(%a, indices_or_sections=3)", "3 parts do not divide"},
        Rejection{kRow, "split(%a, indices_or_sections=[2, 2])", "have to ascend"},
        Rejection{kRow, "strided_slice(%a, begin=[3], end=[1], strides=[1], axes=None)",
                  "runs against the stride"},
        Rejection{kRow, "strided_slice(%a, begin=[0], end=[1], strides=[0], axes=None)",
                  "a stride of 0"},
        Rejection{kRow, "take(%a, %a)", "indices have to be integers"},
        Rejection{kRow, "take(%a, 1, mode=\"nan\")", "mode is 'nan'; supported: 'clip'"},
        Rejection{kRow, "one_hot(1, 1, 0, depth=0)", "a depth of 0"},
        Rejection{kMatrix, "repeat(%a, repeats=0)", "repeats is 0"},
        Rejection{kMatrix, "broadcast_to(%a, shape=[2, 4])", "size 3 does not broadcast to 4"},
        Rejection{"%a: Tensor[(2, 3), float32], %b: Tensor[(4, 5), float32]",
                  "nn.dense(%a, %b, units=None)", "the last axis of the data"},
        Rejection{"%a: Tensor[(2, 3), float32], %b: Tensor[(4, 3), float32]",
                  "nn.dense(%a, %b, units=5)", "units is 5, and the weight has 4"},
        Rejection{"%a: Tensor[(2, 3), float32], %b: Tensor[(2), float32]", "nn.bias_add(%a, %b)",
                  "the bias has to have 3 elements, and has 2"},
        Rejection{"%a: Tensor[(1, 3, 8, 8), float32], %b: Tensor[(4, 3, 3, 3), float32]",
                  "nn.conv2d(%a, %b, channels=5)", "channels is 5, and the weights give 4"},
        Rejection{"%a: Tensor[(1, 3, 8, 8), float32], %b: Tensor[(4, 3, 3, 3), float32]",
                  "nn.conv2d(%a, %b, kernel_size=[3, 2])", "kernel_size is 2 along axis 1"},
        Rejection{"%a: Tensor[(1, 3, 8, 8), float32], %b: Tensor[(4, 2, 3, 3), float32]",
                  "nn.conv2d(%a, %b)", "nn.conv2d"},
        Rejection{"%a: Tensor[(1, 3, 8, 8), float32], %b: Tensor[(4, 3, 3, 3), float32]",
                  "nn.conv2d(%a, %b, padding=[1, 1, 1])", "padding has 3 values; 1, 2 or 4"},
        Rejection{kImage, "nn.max_pool2d(%a, pool_size=[2, 2, 2])",
                  "pool_size has 3 values; 2 are needed"},
        Rejection{kImage, "nn.pad(%a, 0f, pad_width=[[0, 0]])", "1 pairs for 4 dimensions"},
        Rejection{kImage, "nn.depth_to_space(%a, block_size=2)", "does not divide the data"},
        Rejection{kImage, "image.resize2d(%a, size=[4], roi=[0f, 0f, 0f, 0f])",
                  "size has 1 values"},
        Rejection{"%a: Tensor[(2), int32], %s: float32",
                  "qnn.requantize(%a, %s, 0, 1f, 0, out_dtype=\"int8\")",
                  "scales that are not constants"},
        Rejection{"%a: Tensor[(2), int32]", "qnn.requantize(%a, 1f, 0f, 1f, 0, out_dtype=\"int8\")",
                  "zero points have to be int32"},
        Rejection{"%a: Tensor[(2), float32]", "qnn.quantize(%a, 1f, 0, out_dtype=\"float32\")",
                  "integers of at most 32 bits"}));

}  // namespace
}  // namespace lathe::relay
