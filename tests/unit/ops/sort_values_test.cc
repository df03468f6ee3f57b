// Values of sort.cc, scatter.cc against plain loops over doubles.
#include <algorithm>
#include <cmath>
#include <numeric>
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

// The order of row `r` of a matrix, stable.
std::vector<int64_t> Order(const Array& x, int64_t r, bool descending) {
  std::vector<int64_t> order(x.shape[1]);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return descending ? x[{r, a}] > x[{r, b}] : x[{r, a}] < x[{r, b}];
  });
  return order;
}

TEST(SortValues, AreStable) {
  for (const char* dtype : {"float32", "int8", "uint8"}) {
    const TypedArray x = RandomArray({3, 20}, dtype, 1);
    for (bool descending : {false, true}) {
      Array sorted({3, 20}), positions({3, 20});
      for (int64_t r = 0; r < 3; ++r) {
        const std::vector<int64_t> order = Order(x.array, r, descending);
        for (int64_t i = 0; i < 20; ++i) {
          sorted[{r, i}] = x.array[{r, order[i]}];
          positions[{r, i}] = double(order[i]);
        }
      }
      const ir::AttrMap attrs = {{"descending", descending}};
      ExpectNear(RunOp("sort", {x}, attrs)[0], sorted);
      ExpectNear(RunOp("argsort", {x}, attrs)[0], positions);
    }
  }
  const TypedArray nan{Array({3}, {NAN, 1, -INFINITY}), "float32"};
  ExpectNear(RunOp("sort", {nan})[0], Array({3}, {-INFINITY, 1, NAN}));
}

TEST(SortValues, TopkTakesTheFirst) {
  const TypedArray x = RandomArray({2, 9}, "float32", 3);
  Array values({2, 3}), positions({2, 3});
  for (int64_t r = 0; r < 2; ++r) {
    const std::vector<int64_t> order = Order(x.array, r, true);
    for (int64_t i = 0; i < 3; ++i) {
      values[{r, i}] = x.array[{r, order[i]}];
      positions[{r, i}] = double(order[i]);
    }
  }
  const auto both = RunOp("topk", {x}, {{"k", 3}});
  ASSERT_EQ(both.size(), 2u);
  ExpectNear(both[0], values);
  ExpectNear(both[1], positions);
  ExpectNear(RunOp("topk", {x}, {{"k", 3}, {"ret_type", "indices"}})[0], positions);
}

TEST(CumulativeValues, SoFar) {
  const TypedArray x{Array({2, 3}, {1, 2, 3, 4, 5, 6}), "float32"};
  ExpectNear(RunOp("cumsum", {x}, {{"axis", 1}})[0], Array({2, 3}, {1, 3, 6, 4, 9, 15}));
  ExpectNear(RunOp("cumsum", {x}, {{"axis", 0}, {"exclusive", true}})[0],
             Array({2, 3}, {0, 0, 0, 1, 2, 3}));
  ExpectNear(RunOp("cumprod", {x})[0], Array({6}, {1, 2, 6, 24, 120, 720}));
  const TypedArray b{Array({3}, {100, 100, 100}), "int8"};
  ExpectNear(RunOp("cumsum", {b}, {{"axis", 0}, {"dtype", ir::DType::Int(32)}})[0],
             Array({3}, {100, 200, 300}));
}

TEST(ScatterValues, CombineInOrder) {
  const TypedArray x = RandomArray({3, 4}, "float32", 1);
  const TypedArray i{Array({2, 4}, {0, -1, 2, 1, 0, 1, 0, 1}), "int64"};
  const TypedArray u = RandomArray({2, 4}, "float32", 2);
  for (const char* reduction : {"update", "add", "mul", "min", "max"}) {
    Array want = x.array;
    ForEach(u.array.shape, [&](const Shape& at) {
      const int64_t row = (int64_t(i.array[at]) + 3) % 3;
      double& old = want[{row, at[1]}];
      const double v = u.array[at];
      const std::string r = reduction;
      old = r == "add"   ? old + v
            : r == "mul" ? old * v
            : r == "min" ? std::min(old, v)
            : r == "max" ? std::max(old, v)
                         : v;
    });
    ExpectNear(RunOp("scatter_elements", {x, i, u}, {{"axis", 0}, {"reduction", reduction}})[0],
               want);
  }
  const TypedArray places{Array({2, 1}, {2, 0}), "int64"};
  const TypedArray rows = RandomArray({2, 4}, "float32", 3);
  Array want = x.array;
  ForEach(rows.array.shape, [&](const Shape& at) {
    want[{at[0] == 0 ? 2 : 0, at[1]}] += rows.array[at];
  });
  ExpectNear(RunOp("scatter_nd", {x, places, rows}, {{"reduction", "add"}})[0], want);
}

TEST(ScatterValues, MeanIsSequential) {
  const TypedArray x{Array({4}, {1, 2, 3, 4}), "float32"}, u{Array({3}, {5, 7, -4}), "float32"};
  const TypedArray i{Array({3}, {0, 0, 3}), "int64"}, rows{Array({3, 1}, {0, 0, 3}), "int64"};
  const ir::AttrMap mean = {{"reduction", "mean"}};
  ExpectNear(RunOp("scatter_elements", {x, i, u}, mean)[0], Array({4}, {5, 2, 3, 0}));
  ExpectNear(RunOp("scatter_nd", {x, rows, u}, mean)[0], Array({4}, {5, 2, 3, 0}));
}

}  // namespace
}  // namespace lathe::ops
