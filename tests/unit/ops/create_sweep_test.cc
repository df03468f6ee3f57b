// Operators that make tensors: full, ones, zeros, arange, eye, hamming_window; and triangles.
#include <functional>
#include <string>
#include <vector>

#include "generator/ir/dtype.h"
#include "tests/reference/create.h"
#include "tests/unit/ops/swept_operators.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Shape;
using testing::AllDTypes;
using testing::Cycle;
using testing::DrawSmall;
using testing::OpArg;
using testing::OpSweep;
using testing::ShapeArg;
using testing::SweepShapes;
using testing::TypedArray;

// A dtype for each shape, and a shape for each dtype.
void ForEachCase(const std::function<void(const Shape&, const std::string&, size_t)>& visit) {
  const size_t shapes = SweepShapes().size();
  for (size_t i = 0; i < shapes + AllDTypes().size(); ++i) {
    visit(i < shapes ? SweepShapes()[i] : Shape{2, 3}, Cycle(AllDTypes(), i), i);
  }
}

void SweepFull(OpSweep& sweep) {
  ForEachCase([&](const Shape& shape, const std::string& dtype, size_t i) {
    const TypedArray value = DrawSmall({}, dtype, sweep.seed());
    sweep.Expect({ShapeArg{shape}, value}, {}, {{Array(shape, value.array.data[0]), dtype, {}}});
    const TypedArray other{Array({}, double(i % 2)), Cycle(AllDTypes(), i + 7), {}};
    sweep.Expect({ShapeArg{shape}, other}, DTypeAttr(dtype),
                 {{Array(shape, double(i % 2)), dtype, {}}});
  });
}

void SweepFullLike(OpSweep& sweep) {
  ForEachCase([&](const Shape& shape, const std::string& dtype, size_t i) {
    const TypedArray x = DrawSmall(shape, dtype, sweep.seed());
    const TypedArray value{Array({}, double(i % 2)), Cycle(AllDTypes(), i + 5), {}};
    sweep.Expect({x, value}, {}, {{Array(shape, double(i % 2)), dtype, {}}});
    const std::string& to = Cycle(AllDTypes(), i + 3);
    sweep.Expect({x, value}, DTypeAttr(to), {{Array(shape, double(i % 2)), to, {}}});
  });
}

template <int number>
void SweepConstant(OpSweep& sweep) {
  ForEachCase([&](const Shape& shape, const std::string& dtype, size_t) {
    sweep.Expect({ShapeArg{shape}}, DTypeAttr(dtype), {{Array(shape, number), dtype, {}}});
  });
}

template <int number>
void SweepConstantLike(OpSweep& sweep) {
  ForEachCase([&](const Shape& shape, const std::string& dtype, size_t i) {
    const TypedArray x = DrawSmall(shape, dtype, sweep.seed());
    sweep.Expect({x}, {}, {{Array(shape, number), dtype, {}}});
    const std::string& to = Cycle(AllDTypes(), i + 3);
    sweep.Expect({x}, DTypeAttr(to), {{Array(shape, number), to, {}}});
  });
}

void SweepArange(OpSweep& sweep) {
  const int64_t whole[][3] = {{0, 7, 1},   {2, 7, 2},   {7, 2, -1}, {7, 2, -2},
                              {3, 3, 1},   {5, 2, 1},   {2, 5, -1}, {-4, 4, 3},
                              {4, -5, -4}, {0, 1, 100}, {-7, 7, 7}, {6, 7, 1}};
  for (const std::string& dtype : AllDTypes()) {
    const reference::NumberFormat& format = reference::FormatOf(dtype);
    for (const auto& [start, end, step] : whole) {
      const Array want = reference::Arange(double(start), double(end), double(step));
      bool held = true;
      for (double x : want.data) {
        held &= format.is_float() || (x >= double(reference::LowestOf(dtype)) &&
                                      x <= double(reference::HighestOf(dtype)));
      }
      if (held) sweep.Expect({start, end, step}, DTypeAttr(dtype), {{want, dtype, {}}});
    }
  }
  const double real[][3] = {
      {0, 1, 0.25}, {-1.5, 1.5, 0.5}, {3, 0, -0.75}, {0.5, 0.5, 1}, {0, 4, 1.5}};
  for (const std::string& dtype : testing::FloatDTypes()) {
    for (const auto& [start, end, step] : real) {
      sweep.Expect({start, end, step}, DTypeAttr(dtype),
                   {{reference::Arange(start, end, step), dtype, {}}});
    }
  }
}

void SweepEye(OpSweep& sweep) {
  size_t i = 0;
  for (const auto& [n, m] : {std::pair{3, 3}, {2, 4}, {4, 2}, {1, 1}, {0, 3}, {3, 0}, {1, 5}}) {
    for (int64_t k : {0, 1, -1, 3, -3, 9, -9}) {
      const std::string& dtype = Cycle(AllDTypes(), i++);
      sweep.Expect({int64_t{n}, int64_t{m}, k}, DTypeAttr(dtype),
                   {{reference::Eye(n, m, k), dtype, {}}});
    }
  }
  sweep.Expect({int64_t{4}}, {}, {{reference::Eye(4, 4, 0), "float32", {}}});
}

void SweepEyeLike(OpSweep& sweep) {
  size_t i = 0;
  for (const auto& [n, m] : {std::pair{3, 3}, {2, 4}, {4, 2}, {1, 1}, {0, 3}, {3, 0}, {1, 5}}) {
    for (int64_t k : {0, 1, -1, 3, -9}) {
      const std::string& dtype = Cycle(AllDTypes(), i++);
      const TypedArray x = DrawSmall({n, m}, dtype, sweep.seed());
      sweep.Expect({x, k}, {}, {{reference::Eye(n, m, k), dtype, {}}});
      const std::string& to = Cycle(AllDTypes(), i);
      sweep.Expect({x, k}, DTypeAttr(to), {{reference::Eye(n, m, k), to, {}}});
    }
  }
}

void SweepHammingWindow(OpSweep& sweep) {
  for (const std::string& dtype : testing::FloatDTypes()) {
    for (int64_t size : {1, 2, 5, 10}) {
      for (int64_t periodic : {0, 1}) {
        sweep.Expect({size, periodic, 0.5, 0.25}, DTypeAttr(dtype),
                     {{reference::HammingWindow(size, periodic != 0, 0.5, 0.25), dtype, {}}},
                     {2, 0.25});
      }
    }
  }
}

template <Array (*kNaive)(const Array&, int64_t)>
void SweepTriangle(OpSweep& sweep) {
  size_t i = 0;
  for (const Shape& shape : SweepShapes()) {
    if (shape.size() < 2) continue;
    for (int64_t k : {0, 1, -1, 2, -2, 7, -7}) {
      const TypedArray x = DrawSmall(shape, Cycle(AllDTypes(), i++), sweep.seed());
      sweep.Expect({x, k}, {}, {{kNaive(x.array, k), x.dtype, {}}});
    }
  }
}

}  // namespace

std::vector<testing::SweptOperator> CreateSweeps() {
  return {{"arange", SweepArange},
          {"eye", SweepEye},
          {"eye_like", SweepEyeLike},
          {"full", SweepFull},
          {"full_like", SweepFullLike},
          {"hamming_window", SweepHammingWindow},
          {"ones", SweepConstant<1>},
          {"ones_like", SweepConstantLike<1>},
          {"tril", SweepTriangle<reference::Tril>},
          {"triu", SweepTriangle<reference::Triu>},
          {"zeros", SweepConstant<0>},
          {"zeros_like", SweepConstantLike<0>}};
}

}  // namespace lathe::ops
