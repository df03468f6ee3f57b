// Elementwise operators of one and two tensors: every dtype, shape and way to broadcast.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/reference/elementwise.h"
#include "tests/unit/ops/swept_operators.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Exactness;
using reference::Shape;
using reference::Wide;
using testing::Cycle;
using testing::DrawIndices;
using testing::DrawSmall;
using testing::DrawWide;
using testing::OfWide;
using testing::OpSweep;
using testing::SweepShapes;
using testing::SweptOperator;
using testing::Tolerance;
using testing::TypedArray;

Tolerance ToleranceOf(Exactness exactness) {
  if (exactness == Exactness::kExact) return {};
  return exactness == Exactness::kLibrary ? Tolerance{2, 0} : Tolerance{4, 16};
}

// Small formats overflow in the middle of what is made of several operations.
TypedArray DrawFor(Exactness exactness, const Shape& shape, const std::string& dtype,
                   uint32_t seed) {
  if (exactness != Exactness::kComposed) return DrawWide(shape, dtype, seed, true);
  return reference::FormatOf(dtype).bits < 32 ? DrawSmall(shape, dtype, seed)
                                              : DrawWide(shape, dtype, seed);
}

// Every shape with the dtypes in turn, and every dtype with one that has several elements.
std::vector<std::pair<Shape, std::string>> Combinations(const std::vector<std::string>& dtypes) {
  std::vector<std::pair<Shape, std::string>> list;
  for (const std::string& dtype : dtypes) list.emplace_back(Shape{7, 9}, dtype);
  for (size_t i = 0; i < SweepShapes().size(); ++i) {
    list.emplace_back(SweepShapes()[i], Cycle(dtypes, i));
  }
  return list;
}

void SweepUnary(OpSweep& sweep, const reference::RealUnary& row) {
  for (const auto& [shape, dtype] : Combinations(testing::FloatDTypes())) {
    const TypedArray x = DrawFor(row.exactness, shape, dtype, sweep.seed());
    TypedArray want{Array(shape), row.truth ? "bool" : dtype, {}};
    for (size_t n = 0; n < want.array.data.size(); ++n) {
      want.array.data[n] = row.f(x.array.data[n]);
    }
    sweep.Expect({x}, {}, {want}, ToleranceOf(row.exactness));
  }
}

void SweepUnary(OpSweep& sweep, const reference::WholeUnary& row) {
  for (const auto& [shape, dtype] : Combinations(testing::WholeDTypes())) {
    const TypedArray x = DrawWide(shape, dtype, sweep.seed());
    std::vector<Wide> want;
    for (size_t n = 0; n < x.array.data.size(); ++n) want.push_back(row.f(WideAt(x, n)));
    sweep.Expect({x}, {}, {OfWide(shape, row.truth ? "bool" : dtype, want)});
  }
}

// Each shape with itself, a scalar, its last dimensions, or with dimensions of 1 in either, in
// turn.
std::vector<std::pair<Shape, Shape>> BroadcastPairs() {
  std::vector<std::pair<Shape, Shape>> pairs = {
      {{7, 9}, {7, 9}}, {{2, 1, 3}, {4, 1}}, {{}, {3, 0}}, {{0, 2}, {1}}, {{1}, {1, 1}}};
  for (size_t i = 0; i < SweepShapes().size(); ++i) {
    const Shape& shape = SweepShapes()[i];
    Shape even = shape, odd = shape;
    for (size_t d = 0; d < shape.size(); ++d) (d % 2 == 0 ? even : odd)[d] = 1;
    const Shape last(shape.begin() + (shape.empty() ? 0 : 1), shape.end());
    const std::vector<std::pair<Shape, Shape>> ways = {
        {shape, shape}, {even, odd}, {last, shape}, {shape, {}}};
    pairs.push_back(Cycle(ways, i));
  }
  return pairs;
}

size_t PositionOf(const Shape& index, const Shape& own) {
  size_t position = 0;
  const size_t skipped = index.size() - own.size();
  for (size_t i = 0; i < own.size(); ++i) {
    position = position * size_t(own[i]) + size_t(own[i] == 1 ? 0 : index[skipped + i]);
  }
  return position;
}

void SweepBinary(OpSweep& sweep, const reference::RealBinary& row) {
  const auto pairs = BroadcastPairs();
  const auto& dtypes = testing::FloatDTypes();
  for (size_t i = 0; i < pairs.size() + dtypes.size(); ++i) {
    const auto& pair = pairs[i < dtypes.size() ? 0 : i - dtypes.size()];
    const Shape &left = pair.first, &right = pair.second;
    const std::string& dtype = Cycle(dtypes, i);
    const TypedArray a = DrawFor(row.exactness, left, dtype, sweep.seed());
    const TypedArray b = DrawFor(row.exactness, right, dtype, sweep.seed());
    TypedArray want{Array(reference::BroadcastShape(left, right)), row.truth ? "bool" : dtype, {}};
    reference::ForEach(want.array.shape, [&](const Shape& at) {
      want.array[at] =
          row.f(reference::Broadcast(a.array, at), reference::Broadcast(b.array, at), {dtype});
    });
    sweep.Expect({a, b}, {}, {want}, ToleranceOf(row.exactness));
  }
  // A scalar and a tensor.
  const TypedArray x = DrawSmall({2, 3}, "float32", sweep.seed());
  TypedArray left{Array({2, 3}), row.truth ? "bool" : x.dtype, {}}, right = left;
  for (size_t n = 0; n < x.array.data.size(); ++n) {
    left.array.data[n] = row.f(1.5, x.array.data[n], {x.dtype});
    right.array.data[n] = row.f(x.array.data[n], 1.5, {x.dtype});
  }
  sweep.Expect({1.5, x}, {}, {left}, ToleranceOf(row.exactness));
  sweep.Expect({x, 1.5}, {}, {right}, ToleranceOf(row.exactness));
}

TypedArray DrawRight(reference::WholeBinary::Right right, const Shape& shape,
                     const std::string& dtype, uint32_t seed) {
  const int bits = reference::FormatOf(dtype).bits;
  const int64_t highest =
      static_cast<int64_t>(std::min<Wide>(reference::HighestOf(dtype), bits + 3));
  switch (right) {
    case reference::WholeBinary::kAny:
      break;
    case reference::WholeBinary::kShift:
      return DrawIndices(shape, dtype, seed, 0, highest + 1);
    case reference::WholeBinary::kExponent:
      return DrawIndices(shape, dtype, seed, reference::LowestOf(dtype) < 0 ? -3 : 0, highest + 1);
    case reference::WholeBinary::kNotZero: {
      TypedArray b = DrawWide(shape, dtype, seed);
      for (int64_t& x : b.whole) x += x == 0;
      return b;
    }
  }
  return DrawWide(shape, dtype, seed);
}

void SweepBinary(OpSweep& sweep, const reference::WholeBinary& row) {
  const auto pairs = BroadcastPairs();
  const auto& dtypes = testing::WholeDTypes();
  for (size_t i = 0; i < pairs.size() + dtypes.size(); ++i) {
    const auto& pair = pairs[i < dtypes.size() ? 0 : i - dtypes.size()];
    const Shape& left = pair.first;  // lambdas of clang 14 cannot have what a binding names
    const Shape& right = pair.second;
    const std::string& dtype = Cycle(dtypes, i);
    const TypedArray a = DrawWide(left, dtype, sweep.seed());
    const TypedArray b = DrawRight(row.right, right, dtype, sweep.seed());
    const Shape shape = reference::BroadcastShape(left, right);
    std::vector<Wide> want;
    reference::ForEach(shape, [&](const Shape& at) {
      want.push_back(row.f(WideAt(a, PositionOf(at, left)), WideAt(b, PositionOf(at, right))));
    });
    sweep.Expect({a, b}, {}, {OfWide(shape, row.truth ? "bool" : dtype, want)});
  }
  const TypedArray x = DrawRight(row.right, {2, 3}, "int64", sweep.seed());
  std::vector<Wide> left, right;
  for (size_t n = 0; n < x.array.data.size(); ++n) {
    left.push_back(row.f(3, WideAt(x, n)));
    right.push_back(row.f(WideAt(x, n), 3));
  }
  const std::string dtype = row.truth ? "bool" : "int64";
  sweep.Expect({int64_t{3}, x}, {}, {OfWide({2, 3}, dtype, left)});
  sweep.Expect({x, int64_t{3}}, {}, {OfWide({2, 3}, dtype, right)});
}

// What is defined on truth values: logic, bits, comparisons, the larger and the smaller.
void SweepBools(OpSweep& sweep, Wide (*f)(Wide, Wide)) {
  for (const auto& pair : BroadcastPairs()) {
    const Shape& left = pair.first;
    const Shape& right = pair.second;
    const TypedArray a = DrawSmall(left, "bool", sweep.seed());
    const TypedArray b = DrawSmall(right, "bool", sweep.seed());
    const Shape shape = reference::BroadcastShape(left, right);
    std::vector<Wide> want;
    reference::ForEach(shape, [&](const Shape& at) {
      want.push_back(f(WideAt(a, PositionOf(at, left)), WideAt(b, PositionOf(at, right))));
    });
    sweep.Expect({a, b}, {}, {OfWide(shape, "bool", want)});
  }
}

void SweepNotOfBools(OpSweep& sweep) {
  for (const Shape& shape : SweepShapes()) {
    const TypedArray x = DrawSmall(shape, "bool", sweep.seed());
    TypedArray want = x;
    for (double& truth : want.array.data) truth = 1 - truth;
    sweep.Expect({x}, {}, {want});
  }
}

// Rows of one operator make one sweep.
void Add(std::vector<SweptOperator>& sweeps, const char* op,
         const std::function<void(OpSweep&)>& next) {
  for (SweptOperator& swept : sweeps) {
    if (swept.op != op) continue;
    swept.sweep = [first = swept.sweep, next](OpSweep& sweep) {
      first(sweep);
      next(sweep);
    };
    return;
  }
  sweeps.push_back({op, next});
}

}  // namespace

std::vector<SweptOperator> ElementwiseSweeps() {
  std::vector<SweptOperator> sweeps;
  for (const auto& row : reference::RealUnaries()) {
    Add(sweeps, row.op, [row](OpSweep& sweep) { SweepUnary(sweep, row); });
  }
  for (const auto& row : reference::WholeUnaries()) {
    Add(sweeps, row.op, [row](OpSweep& sweep) { SweepUnary(sweep, row); });
  }
  for (const char* op : {"bitwise_not", "logical_not"}) Add(sweeps, op, SweepNotOfBools);
  for (const auto& row : reference::RealBinaries()) {
    Add(sweeps, row.op, [row](OpSweep& sweep) { SweepBinary(sweep, row); });
  }
  for (const auto& row : reference::WholeBinaries()) {
    Add(sweeps, row.op, [row](OpSweep& sweep) { SweepBinary(sweep, row); });
    const std::string op = row.op;
    const bool logic = op.find("bitwise") == 0 || op.find("logical") == 0 || op == "maximum" ||
                       op == "minimum" || row.truth;
    if (logic) Add(sweeps, row.op, [f = row.f](OpSweep& sweep) { SweepBools(sweep, f); });
  }
  return sweeps;
}

}  // namespace lathe::ops
