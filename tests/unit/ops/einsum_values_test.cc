// Values and structure of einsum.cc: "..." matches dimensions that broadcast.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/op_runner.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ForEach;
using reference::Shape;
using testing::ExpectNear;
using testing::RandomArray;
using testing::RunOp;
using testing::TypedArray;

Array Einsum(const std::string& subscripts, const std::vector<TypedArray>& x) {
  const std::vector<TypedArray> got = RunOp("einsum", {x}, {{"subscripts", subscripts}});
  return got.empty() ? Array({0}) : got[0].array;
}

TEST(EinsumValues, DotsBroadcastFromTheEnd) {
  const TypedArray a = RandomArray({3, 1, 2, 4}, "float32", 1);
  const TypedArray b = RandomArray({5, 4, 2}, "float32", 2);
  Array want({3, 5, 2, 2});
  ForEach(want.shape, [&](const Shape& at) {
    for (int64_t k = 0; k < 4; ++k) {
      want[at] += a.array[{at[0], 0, at[2], k}] * b.array[{at[1], k, at[3]}];
    }
  });
  ExpectNear({Einsum("...ij,...jk->...ik", {a, b})}, want);
}

TEST(EinsumValues, EllipsisMayMatchNoAxes) {
  const TypedArray a = RandomArray({2, 3}, "float32", 3), b = RandomArray({3}, "float32", 4);
  Array want({2});
  ForEach(a.array.shape, [&](const Shape& at) { want[{at[0]}] += a.array[at] * b.array[{at[1]}]; });
  ExpectNear({Einsum("i...j,...j->i...", {a, b})}, want);
}

TEST(EinsumValues, WithoutArrowDotsComeFirst) {
  const TypedArray a = RandomArray({2, 3, 4}, "float32", 5);
  Array want({3, 4, 2});
  ForEach(a.array.shape, [&](const Shape& at) { want[{at[1], at[2], at[0]}] = a.array[at]; });
  ExpectNear({Einsum("b...", {a})}, want);
  Array diagonal({4});
  const TypedArray square = RandomArray({4, 3, 3}, "float32", 6);
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 3; ++j) diagonal[{i}] += square.array[{i, j, j}];
  }
  ExpectNear({Einsum("...jj", {square})}, diagonal);
}

}  // namespace
}  // namespace lathe::ops
