// Tests values of Relay's operators where they differ from what Relax's operator of the same
// purpose does, or from what their names suggest.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/relay_program.h"

namespace lathe::relay {
namespace {

using testing::RelayArgument;

// Evaluates an expression of %a, %b, .. of these values.
std::string Evaluate(const std::string& expression, const std::vector<RelayArgument>& args) {
  std::vector<std::string> names;
  for (size_t i = 0; i < args.size(); ++i)
    names.push_back(std::string(1, static_cast<char>('a' + i)));
  testing::RelayProgram program(
      absl::StrCat("def @main(", testing::RelayParams(names, args), ") { ", expression, " }"));
  return program.Run(args);
}

RelayArgument F(std::vector<int64_t> shape, std::vector<double> elements) {
  return {"float32", std::move(shape), std::move(elements)};
}
RelayArgument I(std::vector<int64_t> shape, std::vector<double> elements) {
  return {"int32", std::move(shape), std::move(elements)};
}
RelayArgument Bytes(std::vector<int64_t> shape, std::vector<double> elements) {
  return {"int8", std::move(shape), std::move(elements)};
}
// 0, 1, 2, ...
RelayArgument Counted(std::vector<int64_t> shape) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  std::vector<double> elements;
  for (int64_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(i));
  return F(std::move(shape), std::move(elements));
}

struct ValueCase {
  std::string expression;
  std::vector<RelayArgument> args;
  std::string want;
};

void ExpectValues(const std::vector<ValueCase>& cases) {
  for (const ValueCase& c : cases)
    EXPECT_EQ(Evaluate(c.expression, c.args), c.want) << c.expression;
}

TEST(RelayValuesTest, Elementwise) {
  ExpectValues({
      {"round(%a)", {F({6}, {0.5, 1.5, 2.5, -0.5, -2.5, 0.25})}, "float32(6): 1 2 3 -1 -3 0"},
      {"divide(%a, %b)", {I({2}, {-7, 7}), I({2}, {2, 2})}, "int32(2): -3 3"},
      {"mod(%a, %b)", {I({2}, {-7, 7}), I({2}, {2, -2})}, "int32(2): -1 1"},
      {"floor_mod(%a, %b)", {I({2}, {-7, 7}), I({2}, {2, -2})}, "int32(2): 1 -1"},
      {"trunc_divide(%a, %b)", {F({2}, {-7, 7}), F({2}, {2, 2})}, "float32(2): -3 3"},
      {"right_shift(%a, %b)", {I({1}, {-7}), I({1}, {1})}, "int32(1): -4"},
      {"clip(%a, a_min=-1.5f, a_max=2.7f)", {I({3}, {-5, 0, 5})}, "int32(3): -1 0 2"},
      {"clip(%a, a_min=3f, a_max=1f)", {F({1}, {2})}, "float32(1): 3"},
      {"log2(%a)", {F({2}, {8, 0.5})}, "float32(2): 3 -1"},
      {"cast(%a, dtype=\"int8\")", {F({3}, {1.9, -1.9, 100})}, "int8(3): 1 -1 100"},
      {"cast(%a, dtype=\"bool\")", {F({3}, {0, 0.5, -1})}, "bool(3): False True True"},
      {"reinterpret(%a, dtype=\"int32\")", {F({1}, {1})}, "int32(1): 1065353216"},
      {"where(%a, %b, %c)", {I({2}, {0, 3}), F({2}, {1, 1}), F({1}, {5})}, "float32(2): 5 1"},
  });
}

TEST(RelayValuesTest, Reductions) {
  ExpectValues({
      {"sum(%a, axis=[0], exclude=True)", {Counted({2, 3})}, "float32(2): 3 12"},
      {"mean(%a)", {I({3}, {1, 2, 5})}, "int32(): 2"},
      {"mean(%a, axis=[0])", {I({2}, {-1, -2})}, "int32(): -1"},
      {"argmax(%a, axis=[0])", {F({4}, {1, 9, 9, 2})}, "int32(): 1"},
      {"argmax(%a, axis=[0], select_last_index=True)", {F({4}, {1, 9, 9, 2})}, "int32(): 2"},
      {"argmin(%a, axis=[0, 2], keepdims=True)",
       {F({2, 2, 2}, {5, 4, 3, 2, 1, 0, 9, 8})},
       "int32(1, 2, 1): 3 1"},
      {"all(%a)", {{"bool", {2}, {1, 0}}}, "bool(): False"},
      {"variance(%a, %b, axis=[0], unbiased=True)",
       {F({3}, {1, 2, 6}), F({1}, {3})},
       "float32(): 7"},
  });
}

TEST(RelayValuesTest, Shapes) {
  const auto shape = [](const char* call) {
    const std::string got = Evaluate(call, {Counted({2, 3, 4})});
    return got.substr(0, got.find(':'));
  };
  EXPECT_EQ(shape("reshape(%a, newshape=[-3, -2])"), "float32(6, 4)");
  EXPECT_EQ(shape("reshape(%a, newshape=[2, -4, -1, 3, -2])"), "float32(2, 1, 3, 4)");
  EXPECT_EQ(shape("reshape(%a, newshape=[0, -3])"), "float32(2, 12)");
  EXPECT_EQ(shape("reshape(%a, newshape=[-1, 0, 2])"), "float32(4, 3, 2)");
  EXPECT_EQ(shape("contrib_reverse_reshape(%a, newshape=[0, -1])"), "float32(3, 8)");
  EXPECT_EQ(shape("transpose(%a, axes=None)"), "float32(4, 3, 2)");
  EXPECT_EQ(shape("transpose(%a, axes=[-1, 0, 1])"), "float32(4, 2, 3)");
  EXPECT_EQ(shape("expand_dims(%a, axis=-1, num_newaxis=2)"), "float32(2, 3, 4, 1, 1)");
  EXPECT_EQ(shape("squeeze(%a, axis=[])"), "float32(2, 3, 4)");
  EXPECT_EQ(shape("nn.batch_flatten(%a)"), "float32(2, 12)");
  EXPECT_EQ(shape("shape_of(%a, dtype=\"int64\")"), "int64(3)");
  EXPECT_EQ(shape("layout_transform(%a, src_layout=\"NCW\", dst_layout=\"NCW2c\")"),
            "float32(2, 2, 4, 2)");
}

TEST(RelayValuesTest, SlicesAndGathers) {
  const RelayArgument row = Counted({5}), matrix = Counted({3, 4});
  ExpectValues({
      {"strided_slice(%a, begin=[1], end=[-1], strides=[1], axes=None)",
       {row},
       "float32(3): 1 2 3"},
      {"strided_slice(%a, begin=[-1], end=[-9], strides=[-2], axes=None)",
       {row},
       "float32(3): 4 2 0"},
      {"strided_slice(%a, begin=[1], end=[2], strides=[2], slice_mode=\"size\", axes=None)",
       {row},
       "float32(2): 1 2"},
      {"strided_slice(%a, begin=[1], end=[-1], strides=[1], slice_mode=\"size\", axes=None)",
       {row},
       "float32(4): 1 2 3 4"},
      {"take(%a, %b)", {row, I({3}, {-1, 2, 9})}, "float32(3): 0 2 4"},
      {"take(%a, %b, mode=\"wrap\")", {row, I({3}, {-1, 2, 9})}, "float32(3): 4 2 4"},
      {"take(%a, %b, batch_dims=1, axis=1)",
       {matrix, I({3, 1}, {3, 0, 1})},
       "float32(3, 1): 3 4 9"},
      {"gather_nd(%a, %b)", {matrix, I({2, 3}, {0, 1, 2, 3, 2, 1})}, "float32(3): 3 6 9"},
      {"gather(%a, %b, axis=1)", {matrix, I({3, 1}, {3, 0, 1})}, "float32(3, 1): 3 4 9"},
      {"scatter_nd(%a, %b, %c, mode=\"add\")",
       {F({3}, {1, 1, 1}), I({1, 2}, {2, 2}), F({2}, {5, 6})},
       "float32(3): 1 1 12"},
      {"split(%a, indices_or_sections=[1, 3])",
       {row},
       "float32(1): 0; float32(2): 1 2; float32(2): 3 4"},
      {"one_hot(%a, 2, 1, depth=3)", {I({2}, {1, 7})}, "int32(2, 3): 1 2 1 1 1 1"},
      {"unique(%a)",
       {I({4}, {7, 3, 7, 3})},
       "int32(4): 3 7 0 0; int32(4): 1 0 0 0; int32(4): 1 0 1 0; int32(1): 2"},
      {"slice_like(%a, %b, axes=[1])", {matrix, F({1, 2}, {0, 0})}, "float32(3, 2): 0 1 4 5 8 9"},
      {"sequence_mask(%a, %b, mask_value=-1f)",
       {F({3, 2}, {1, 2, 3, 4, 5, 6}), I({2}, {1, 2})},
       "float32(3, 2): 1 2 -1 4 -1 -1"},
      {"arange(0, 7, 3, start=None, stop=None, step=None, dtype=\"int32\")", {}, "int32(3): 0 3 6"},
      {"unravel_index(%a, %b)", {I({2}, {5, 7}), I({2}, {3, 4})}, "int32(2, 2): 1 1 1 3"},
  });
}

TEST(RelayValuesTest, Products) {
  const RelayArgument square = F({2, 2}, {1, 2, 3, 4});
  ExpectValues({
      {"nn.dense(%a, %b, units=None)", {F({1, 2}, {1, 10}), square}, "float32(1, 2): 21 43"},
      {"nn.batch_matmul(%a, %b, transpose_b=True)",
       {F({1, 1, 2}, {1, 10}), F({1, 2, 2}, {1, 2, 3, 4})},
       "float32(1, 1, 2): 21 43"},
      {"nn.bias_add(%a, %b)", {square, F({2}, {10, 20})}, "float32(2, 2): 11 22 13 24"},
      // Depthwise weights of (channels, multiplier, ..).
      {"nn.conv2d(%a, %b, groups=2, channels=4, kernel_size=[1, 1])",
       {F({1, 2, 1, 1}, {1, 10}), F({2, 2, 1, 1}, {1, 2, 3, 4})},
       "float32(1, 4, 1, 1): 1 2 30 40"},
      {"nn.conv2d(%a, %b, padding=[0, 1], out_dtype=\"int32\")",
       {Bytes({1, 1, 1, 1}, {100}), Bytes({1, 1, 1, 2}, {100, 100})},
       "int32(1, 1, 1, 2): 10000 10000"},
      {"nn.cross_entropy_with_logits(%a, %b)", {square, square}, "float32(): -15"},
      {"nn.leaky_relu(%a)", {F({2}, {-4, 4})}, "float32(2): -1 4"},
      {"nn.dropout(%a).0", {F({1}, {3})}, "float32(1): 3"},
  });
}

TEST(RelayValuesTest, Images) {
  const RelayArgument image = Counted({1, 1, 2, 2});
  ExpectValues({
      {"nn.upsampling(%a, scale_h=2f, scale_w=1f)",
       {image},
       "float32(1, 1, 4, 2): 0 1 0 1 2 3 2 3"},
      {"nn.upsampling(%a, scale_h=1f, scale_w=2f, method=\"bilinear\")",
       {image},
       "float32(1, 1, 2, 4): 0 0.5 1 1 2 2.5 3 3"},
      {"nn.avg_pool2d(%a, pool_size=[2, 2], strides=[2, 2], padding=[1, 1])",
       {image},
       "float32(1, 1, 2, 2): 0 1 2 3"},
      {"nn.avg_pool2d(%a, pool_size=[2, 2], strides=[2, 2], padding=[1, 1], "
       "count_include_pad=True)",
       {image},
       "float32(1, 1, 2, 2): 0 0.25 0.5 0.75"},
      {"nn.adaptive_max_pool2d(%a, output_size=[1])", {image}, "float32(1, 1, 1, 1): 3"},
      {"nn.mirror_pad(%a, pad_width=[[0, 1], [1, 0]])",
       {F({2, 2}, {1, 2, 3, 4})},
       "float32(3, 3): 1 1 2 3 3 4 3 3 4"},
      {"nn.pad(%a, 7, pad_width=[[-1, 1], [0, 0]])",
       {F({2, 2}, {1, 2, 3, 4})},
       "float32(2, 2): 3 4 7 7"},
  });
}

TEST(RelayValuesTest, Quantized) {
  const RelayArgument halves = I({4}, {1, -1, 3, -3});
  ExpectValues({
      {"qnn.requantize(%a, 0.5f, 0, 1f, 0, out_dtype=\"int8\")", {halves}, "int8(4): 1 0 2 -1"},
      {"qnn.requantize(%a, 0.5f, 0, 1f, 0, rounding=\"TONEAREST\", out_dtype=\"int8\")",
       {halves},
       "int8(4): 1 -1 2 -2"},
      {"qnn.requantize(%a, 1f, 3, 1f, 0, out_dtype=\"int8\")",
       {I({2}, {1000, -1000})},
       "int8(2): 127 -128"},
      {"qnn.quantize(%a, 1f, 0, out_dtype=\"int8\")",
       {F({4}, {0.5, 1.5, 2.5, -0.5})},
       "int8(4): 1 2 3 -1"},
      {"qnn.dequantize(%a, 0.5f, 2)", {Bytes({2}, {3, -128})}, "float32(2): 0.5 -65"},
      // Zero points before scales.
      {"qnn.dense(%a, %b, 1, 2, 0.5f, 0.25f, units=1, out_dtype=\"int32\")",
       {Bytes({1, 2}, {3, 4}), Bytes({1, 2}, {5, 6})},
       "int32(1, 1): 18"},
      {"qnn.add(%a, %b, 1f, 0, 1f, 0, 1f, 0)",
       {Bytes({2}, {100, -100}), Bytes({2}, {100, -100})},
       "int8(2): 127 -128"},
      {"qnn.abs(%a, 1f, 0, 1f, 0)", {Bytes({2}, {-128, 5})}, "int8(2): 127 5"},
      {"fixed_point_multiply(%a, multiplier=1073741824, shift=0)",
       {I({2}, {3, -3})},
       "int32(2): 2 -1"},
  });
}

TEST(RelayValuesTest, ShapesAsTensors) {
  const RelayArgument row = Counted({6});
  const RelayArgument shape = {"int64", {2}, {2, -1}};
  ExpectValues({
      {"dyn.reshape(%a, %b, newshape=[])", {row, shape}, "float32(2, 3): 0 1 2 3 4 5"},
      {"dyn.tile(%a, %b, reps=[])", {F({2}, {1, 2}), {"int64", {1}, {2}}}, "float32(4): 1 2 1 2"},
      {"dyn.ones(%a, shape=[], dtype=\"int32\")", {{"int64", {1}, {3}}}, "int32(3): 1 1 1"},
      {"dyn.strided_slice(%a, %b, %c, %d, begin=None, end=None, strides=None, axes=None)",
       {row, {"int64", {1}, {-1}}, {"int64", {1}, {0}}, {"int64", {1}, {-2}}},
       "float32(3): 5 3 1"},
  });
}

}  // namespace
}  // namespace lathe::relay
