// Values of attention.cc, search.cc against plain loops over doubles.
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/array.h"
#include "tests/support/op_runner.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Broadcast;
using reference::ForEach;
using reference::Shape;
using testing::ExpectNear;
using testing::RandomArray;
using testing::RunOp;
using testing::TypedArray;

// `shift`: a query sees the keys up to its own place plus this; beyond all: every key.
Array Attention(const Array& q, const Array& k, const Array& v, const Array& bias, int64_t shift) {
  const int64_t keys = k.shape[1];
  Array out({q.shape[0], q.shape[1], q.shape[2], v.shape[3]});
  ForEach({q.shape[0], q.shape[1], q.shape[2]}, [&](const Shape& at) {
    std::vector<double> weight(keys, 0);
    double sum = 0;
    const int64_t kh = at[2] * k.shape[2] / q.shape[2];
    for (int64_t j = 0; j < keys && j <= at[1] + shift; ++j) {
      double dot = 0;
      for (int64_t d = 0; d < q.shape[3]; ++d)
        dot += q[{at[0], at[1], at[2], d}] * k[{at[0], j, kh, d}];
      weight[j] =
          std::exp(dot / std::sqrt(double(q.shape[3])) + Broadcast(bias, {at[0], at[2], at[1], j}));
      sum += weight[j];
    }
    for (int64_t j = 0; j < keys; ++j) {
      for (int64_t d = 0; d < v.shape[3]; ++d) {
        out[{at[0], at[1], at[2], d}] += weight[j] / sum * v[{at[0], j, kh, d}];
      }
    }
  });
  return out;
}

TEST(AttentionValues, AgreeWithPlainLoops) {
  const TypedArray q = RandomArray({2, 3, 4, 5}, "float32", 1);
  const TypedArray k = RandomArray({2, 6, 2, 5}, "float32", 2);
  const TypedArray v = RandomArray({2, 6, 2, 7}, "float32", 3);
  const TypedArray bias = RandomArray({1, 4, 3, 6}, "float32", 4);
  const Array none({1, 1, 1, 1});
  ExpectNear(RunOp("nn.attention", {q, k, v})[0], Attention(q.array, k.array, v.array, none, 99));
  ExpectNear(RunOp("nn.attention", {q, k, v}, {{"causal_mask", "TopLeft"}})[0],
             Attention(q.array, k.array, v.array, none, 0));
  ExpectNear(RunOp("nn.attention", {q, k, v}, {{"causal_mask", "BottomRight"}})[0],
             Attention(q.array, k.array, v.array, none, 3));
  ExpectNear(RunOp("nn.attention_bias", {q, k, v, bias})[0],
             Attention(q.array, k.array, v.array, bias.array, 99));
}

TEST(SearchValues, BucketsSequencesAndGrids) {
  const TypedArray x{Array({2, 2}, {3, 6, 9, 3}), "float32"},
      bounds{Array({4}, {1, 3, 5, 7}), "float32"};
  ExpectNear(RunOp("bucketize", {x, bounds})[0], Array({2, 2}, {1, 3, 4, 1}));
  ExpectNear(RunOp("bucketize", {x, bounds}, {{"right", true}})[0], Array({2, 2}, {2, 3, 4, 2}));
  const TypedArray rows{Array({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), "int8"};
  const TypedArray lengths{Array({2}, {3, 1}), "int32"};
  ExpectNear(RunOp("reverse_sequence", {rows, lengths})[0],
             Array({2, 4}, {3, 2, 1, 4, 5, 6, 7, 8}));
  const TypedArray a{Array({2}, {1, 2}), "int8"}, b{Array({3}, {3, 4, 5}), "int8"};
  const auto grids = RunOp("meshgrid", {std::vector<TypedArray>{a, b}});
  ASSERT_EQ(grids.size(), 2u);
  ExpectNear(grids[0], Array({2, 3}, {1, 1, 1, 2, 2, 2}));
  ExpectNear(grids[1], Array({2, 3}, {3, 4, 5, 3, 4, 5}));
  const ir::AttrMap xy = {{"indexing", "xy"}};
  const auto turned = RunOp("meshgrid", {std::vector<TypedArray>{a, b}}, xy);
  ASSERT_EQ(turned.size(), 2u);
  ExpectNear(turned[0], Array({3, 2}, {1, 2, 1, 2, 1, 2}));
  ExpectNear(turned[1], Array({3, 2}, {3, 3, 4, 4, 5, 5}));
  ExpectNear(RunOp("meshgrid", {std::vector<TypedArray>{a}}, xy)[0], a.array);
}

}  // namespace
}  // namespace lathe::ops
