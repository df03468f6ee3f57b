// Matrix products, einsum and outer products over dtypes, ranks and broadcasts; quantization.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/number.h"
#include "tests/reference/product.h"
#include "tests/support/expect_op.h"
#include "tests/support/pairwise.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ForEach;
using reference::Shape;
using testing::ExactArray;
using testing::ExpectOp;
using testing::RandomArray;
using testing::TypedArray;

struct Kinds {
  const char* from;
  const char* to;  // of the result and of the sums
};
const Kinds kKinds[] = {{"float32", ""},        {"float64", ""}, {"float16", ""},
                        {"bfloat16", ""},       {"int8", ""},    {"uint8", ""},
                        {"float16", "float32"}, {"int32", ""},   {"int8", "int32"},
                        {"int64", ""},          {"bool", ""},    {"uint8", "int32"}};

TEST(ProductSweep, Matmul) {
  const std::pair<Shape, Shape> kShapes[] = {
      {{3, 4}, {4, 5}},       {{4}, {4}},
      {{4}, {4, 3}},          {{2, 4}, {4}},
      {{2, 3, 4}, {4, 2}},    {{2, 3, 4}, {2, 4, 1}},
      {{3, 4}, {2, 4, 2}},    {{2, 1, 3, 4}, {5, 4, 2}},
      {{1, 1}, {1, 1}},       {{4}, {2, 4, 3}},
      {{2, 3, 4}, {4}},       {{3, 0}, {0, 2}},
      {{0, 3}, {3, 2}},       {{2, 3}, {3, 0}},
      {{0, 2, 3}, {1, 3, 2}}, {{2, 1, 1, 2, 3}, {1, 2, 2, 3, 2}}};
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise({std::size(kKinds), std::size(kShapes)})) {
    const Kinds& kinds = kKinds[pick[0]];
    const TypedArray a = ExactArray(kShapes[pick[1]].first, kinds.from, seed++),
                     b = ExactArray(kShapes[pick[1]].second, kinds.from, seed++);
    ir::AttrMap attrs;
    const std::string to = *kinds.to == '\0' ? kinds.from : kinds.to;
    if (to != kinds.from) attrs["out_dtype"] = *ir::ParseDType(to);
    ExpectOp("matmul", {a, b}, attrs, {{Matmul(a.array, b.array), to}});
  }
}

struct Sums {
  const char* subscripts;
  std::vector<Shape> shapes;
  std::vector<std::string> inputs;
  const char* output;
};
const Sums kSums[] = {
    {"ij,jk->ik", {{2, 3}, {3, 4}}, {"ij", "jk"}, "ik"},
    {"ij,jk", {{2, 3}, {3, 4}}, {"ij", "jk"}, "ik"},
    {"ij,kj->ki", {{2, 3}, {4, 3}}, {"ij", "kj"}, "ki"},
    {"ij->ji", {{2, 3}}, {"ij"}, "ji"},
    {"ba", {{2, 3}}, {"ba"}, "ab"},
    {"ii->i", {{3, 3}}, {"ii"}, "i"},
    {"ii", {{3, 3}}, {"ii"}, ""},
    {"ij->", {{2, 3}}, {"ij"}, ""},
    {"i,j->ij", {{2}, {3}}, {"i", "j"}, "ij"},
    {"i,i->", {{4}, {4}}, {"i", "i"}, ""},
    {"ij,jk,kl->il", {{2, 3}, {3, 2}, {2, 4}}, {"ij", "jk", "kl"}, "il"},
    {"bij,bjk->bik", {{2, 2, 3}, {2, 3, 2}}, {"bij", "bjk"}, "bik"},
    {"bij,bjk->bik", {{1, 2, 3}, {2, 3, 2}}, {"bij", "bjk"}, "bik"},
    {"ij,ij->ij", {{2, 1}, {2, 3}}, {"ij", "ij"}, "ij"},
    {"bhqd,bhkd->bhqk", {{1, 2, 3, 2}, {1, 2, 4, 2}}, {"bhqd", "bhkd"}, "bhqk"},
    {"abcde->ec", {{2, 1, 2, 1, 3}}, {"abcde"}, "ec"},
    {"ij,jk->ik", {{2, 0}, {0, 4}}, {"ij", "jk"}, "ik"},
    {"ij,jk->ik", {{0, 3}, {3, 2}}, {"ij", "jk"}, "ik"},
    {" i j , j -> i ", {{2, 3}, {3}}, {"ij", "j"}, "i"},
    {"Ba,aC->CB", {{2, 3}, {3, 2}}, {"Ba", "aC"}, "CB"},
    {",i->i", {{}, {3}}, {"", "i"}, "i"},
    {"...ij,...jk->...ik", {{2, 2, 3}, {2, 3, 4}}, {"bij", "bjk"}, "bik"},
    {"...ij,jk->...ik", {{2, 1, 2, 3}, {3, 2}}, {"abij", "jk"}, "abik"},
    {"...i,...i", {{2, 3, 4}, {3, 4}}, {"abi", "bi"}, "ab"},
    {"i...,...j->j...i", {{2, 3}, {4, 1, 2}}, {"ib", "abj"}, "jabi"},
    {"...->...", {{2, 3}}, {"ab"}, "ab"},
    {"i...", {{2}}, {"i"}, "i"},
};

TEST(ProductSweep, Einsum) {
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise({std::size(kKinds), std::size(kSums)})) {
    const Sums& sums = kSums[pick[1]];
    const char* dtype = kKinds[pick[0]].from;
    std::vector<TypedArray> operands;
    std::vector<Array> arrays;
    for (const Shape& shape : sums.shapes) {
      operands.push_back(ExactArray(shape, dtype, seed++));
      arrays.push_back(operands.back().array);
    }
    ExpectOp("einsum", {operands}, {{"subscripts", sums.subscripts}},
             {{reference::Einsum(arrays, sums.inputs, sums.output), dtype}});
  }
}

TEST(ProductSweep, Outer) {
  const std::pair<int64_t, int64_t> kLengths[] = {{3, 4}, {1, 5}, {2, 0}, {0, 2}, {1, 1}};
  uint32_t seed = 1;
  for (const Kinds& kinds : kKinds) {
    for (const auto& [n, m] : kLengths) {
      const TypedArray a = ExactArray({n}, kinds.from, seed++),
                       b = ExactArray({m}, kinds.from, seed++);
      ExpectOp("outer", {a, b}, {},
               {{reference::Einsum({a.array, b.array}, {"i", "j"}, "ij"), kinds.from}});
    }
  }
}

struct Scaled {
  Shape shape;
  int64_t axis;
};
const Scaled kScaled[] = {{{2, 3}, 1},       {{4}, 0},    {{2, 3, 2}, 1},
                          {{1, 2, 2, 3}, 3}, {{3, 0}, 0}, {{2, 2, 1, 3, 2}, 2}};
const char* const kStored[] = {"int8", "uint8", "int16", "uint16", "float8_e4m3fn", "float8_e5m2"};
const char* const kReal[] = {"float32", "float16"};
const char* const kZeros[] = {"int8", "int32", "uint8", "float16"};

// A number for each place along the axis, or one for all, as a vector or a scalar.
TypedArray Parameter(const std::string& dtype, size_t form, int64_t length, uint32_t seed) {
  return RandomArray(form == 0 ? Shape{length} : form == 1 ? Shape{1} : Shape{}, dtype, seed);
}
double ParameterAt(const TypedArray& x, int64_t place) {
  return x.array.data[x.array.data.size() == 1 ? 0 : static_cast<size_t>(place)];
}

TEST(ProductSweep, QuantizeAndDequantize) {
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise({std::size(kScaled), std::size(kStored),
                                             std::size(kReal), std::size(kZeros), 3, 3, 2, 2})) {
    const Shape& shape = kScaled[pick[0]].shape;
    const int64_t axis = kScaled[pick[0]].axis;
    const std::string stored = kStored[pick[1]], real = kReal[pick[2]];
    const int64_t length = shape[static_cast<size_t>(axis)];
    // Data up to 64 with scales of 1/8 and more: beyond 8 bits on both sides.
    TypedArray x = RandomArray(shape, real, seed++);
    for (double& value : x.array.data) value *= 16;
    TypedArray scale = Parameter(pick[6] == 0 ? "float32" : "float16", pick[4], length, seed++);
    for (double& value : scale.array.data) value = std::fabs(value) / 2 + 0.125;
    const TypedArray zero = Parameter(kZeros[pick[3]], pick[5], length, seed++);
    const reference::NumberFormat& format = reference::FormatOf(stored);
    const double low =
        format.is_float() ? -format.largest : static_cast<double>(reference::LowestOf(stored));
    const double high =
        format.is_float() ? format.largest : static_cast<double>(reference::HighestOf(stored));
    Array small(shape), back(shape);
    ForEach(shape, [&](const Shape& at) {
      const int64_t place = at[static_cast<size_t>(axis)];
      const double s = ParameterAt(scale, place), z = ParameterAt(zero, place);
      // As float32, in which a quotient may be a half that it is not in double.
      const double quotient = testing::InDType("float32", x.array[at] / s);
      const double sum = (format.is_float() ? quotient : std::nearbyint(quotient)) + z;
      small[at] = testing::InDType(stored, std::clamp(sum, low, high));
      back[at] = (small[at] - z) * s;
      if (real == "float16") back[at] = std::clamp(back[at], -65504.0, 65504.0);
    });
    const ir::AttrValue axis_attr = pick[7] == 0 ? axis : axis - static_cast<int64_t>(shape.size());
    ExpectOp("quantize", {x, scale, zero},
             {{"axis", axis_attr}, {"out_dtype", *ir::ParseDType(stored)}}, {{small, stored}});
    ExpectOp("dequantize", {TypedArray{small, stored}, scale, zero},
             {{"axis", axis_attr}, {"out_dtype", *ir::ParseDType(real)}}, {{back, real}}, 1);
  }
}

// What is too large becomes the largest number, as ONNX saturates, and no infinity or NaN.
TEST(ProductSweep, QuantizeSaturatesSmallFloats) {
  const TypedArray x{Array({3}, std::vector<double>{1e6, -1e6, 3}), "float32"};
  const TypedArray one{Array({}, 1.0), "float32"}, zero{Array(Shape{}), "int8"};
  const std::pair<const char*, double> kLargest[] = {{"float8_e4m3fn", 448},
                                                     {"float8_e5m2", 57344}};
  for (const auto& [dtype, most] : kLargest) {
    ExpectOp("quantize", {x, one, zero}, {{"out_dtype", *ir::ParseDType(dtype)}},
             {{Array({3}, std::vector<double>{most, -most, 3}), dtype}});
  }
}

}  // namespace
}  // namespace lathe::ops
