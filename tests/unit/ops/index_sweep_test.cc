// Sweeps operators with indices, and slices: every axis of every shape, dtypes in turn, repeated
// and negative indices.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/reference/indexing.h"
#include "tests/reference/number.h"
#include "tests/unit/ops/swept_operators.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Shape;
using reference::Slice;
using testing::AllDTypes;
using testing::Cycle;
using testing::DrawIndices;
using testing::DrawSmall;
using testing::Numbers;
using testing::OpSweep;
using testing::SweepShapes;
using testing::TypedArray;

// Of integers what wraps, cut off towards zero.
TypedArray Whole(const TypedArray& x, Array array) {
  if (reference::FormatOf(x.dtype).is_float()) return Like(x, array);
  std::vector<reference::Wide> numbers;
  for (double number : array.data) numbers.push_back(static_cast<reference::Wide>(number));
  return testing::OfWide(array.shape, x.dtype, numbers);
}

void ForEachAxis(OpSweep& sweep,
                 const std::function<void(const TypedArray&, int64_t, int64_t, size_t)>& visit) {
  size_t i = 0;
  for (const Shape& shape : SweepShapes()) {
    const auto rank = static_cast<int64_t>(shape.size());
    for (int64_t axis = -rank; axis < rank; ++axis) {
      const int64_t extent = shape[size_t(axis < 0 ? axis + rank : axis)];
      visit(DrawSmall(shape, Cycle(AllDTypes(), i), sweep.seed()), axis, extent, i);
      ++i;
    }
  }
}

const std::vector<std::string>& IndexDTypes() {
  static const auto* const dtypes =
      new std::vector<std::string>{"int64", "int32", "int8", "int16", "int4"};
  return *dtypes;
}

TypedArray DrawWithin(const Shape& shape, int64_t extent, size_t i, uint32_t seed) {
  // Nothing to point at: no indices either.
  if (extent == 0) return {Array(Shape(shape.size(), 0)), Cycle(IndexDTypes(), i), {}};
  return DrawIndices(shape, Cycle(IndexDTypes(), i), seed, -extent, extent);
}

void SweepTake(OpSweep& sweep) {
  const std::vector<Shape> shapes = {{}, {3}, {2, 2}, {1}, {0}, {1, 2, 1}};
  // By turns: each mode with each place of the axis.
  const std::vector<std::string> modes = {"fast", "wrap", "clip", "nan"};
  ForEachAxis(sweep, [&](const TypedArray& x, int64_t axis, int64_t extent, size_t i) {
    for (size_t n : {i, i + 1 + i / 8 % 3}) {
      const std::string& mode = Cycle(modes, n);
      const bool outside = mode == "wrap" || mode == "clip" ||
                           (mode == "nan" && reference::FormatOf(x.dtype).is_float());
      if (extent == 0 && mode != "nan") continue;
      if (extent == 0 && !outside) continue;
      const int64_t beyond = outside ? 3 : 0;
      const TypedArray indices = DrawIndices(Cycle(shapes, i), Cycle(IndexDTypes(), i),
                                             sweep.seed(), -beyond, extent + beyond);
      sweep.Expect({x, indices}, {{"axis", axis}, {"mode", mode}},
                   {Like(x, reference::Take(x.array, indices.array, axis, mode))});
      if (x.array.rank() != 1) continue;
      sweep.Expect({x, indices}, {{"mode", mode}},
                   {Like(x, reference::Take(x.array, indices.array, std::nullopt, mode))});
    }
  });
}

// Of the shape of the data, but shorter or longer along the axis, and shorter along others.
Shape IndexShape(const Shape& shape, int64_t axis, size_t i) {
  Shape of = shape;
  const size_t along = size_t(axis < 0 ? axis + int64_t(shape.size()) : axis);
  for (size_t d = 0; d < of.size(); ++d) {
    if (d == along) of[d] = int64_t((i + d) % 4);
    if (d != along && i % 3 == 0 && of[d] > 1) --of[d];
  }
  return of;
}

void SweepGatherElements(OpSweep& sweep) {
  ForEachAxis(sweep, [&](const TypedArray& x, int64_t axis, int64_t extent, size_t i) {
    const TypedArray indices =
        DrawWithin(IndexShape(x.array.shape, axis, i), extent, i, sweep.seed());
    sweep.Expect({x, indices}, {{"axis", axis}},
                 {Like(x, reference::GatherElements(x.array, indices.array, axis))});
  });
}

const std::vector<std::string>& Reductions() {
  static const auto* const names =
      new std::vector<std::string>{"update", "add", "mul", "min", "max", "mean"};
  return *names;
}

// Where sums and products of a few small numbers are exact, or wrap.
const std::vector<std::string>& ExactDTypes() {
  static const auto* const dtypes =
      new std::vector<std::string>{"float64", "int32", "float32", "int8", "int64", "uint16"};
  return *dtypes;
}

void SweepScatterElements(OpSweep& sweep) {
  ForEachAxis(sweep, [&](const TypedArray& drawn, int64_t axis, int64_t extent, size_t i) {
    for (size_t n : {i, i + 1 + i / 12}) {
      const std::string& reduction = Cycle(Reductions(), n);
      TypedArray x = drawn;
      const bool moves = reduction == "update" || reduction == "min" || reduction == "max";
      if (!moves) x = DrawSmall(x.array.shape, Cycle(ExactDTypes(), i), sweep.seed());
      const TypedArray indices =
          DrawWithin(IndexShape(x.array.shape, axis, i), extent, i, sweep.seed());
      const TypedArray updates = DrawSmall(indices.array.shape, x.dtype, sweep.seed());
      // A mean of integers is cut off each time.
      const bool cut = reduction == "mean" && !reference::FormatOf(x.dtype).is_float();
      const auto combine =
          cut ? [](double old, double update) { return std::trunc((old + update) / 2); }
              : reference::CombineBy(reduction);
      sweep.Expect({x, indices, updates}, {{"axis", axis}, {"reduction", reduction}},
                   {Whole(x, reference::ScatterElements(x.array, indices.array, updates.array, axis,
                                                        combine))});
    }
  });
}

// Places of each depth in a shape: indices of `lead` dimensions and then one of `depth`.
TypedArray DrawPlaces(const Shape& shape, const Shape& lead, size_t first, size_t depth, size_t i,
                      uint32_t seed) {
  Shape of = lead;
  of.push_back(int64_t(depth));
  TypedArray places{Array(of), Cycle(IndexDTypes(), i), {}};
  if (reference::SizeOf(of) == 0) return places;
  for (size_t k = 0; k < depth; ++k) {
    const int64_t extent = shape[first + k];
    const TypedArray column =
        DrawIndices(lead, "int64", seed + uint32_t(k) * 1000, -extent, extent);
    for (size_t n = 0; n < column.array.data.size(); ++n) {
      places.array.data[n * depth + k] = column.array.data[n];
    }
  }
  return places;
}

// Calls `visit` for each depth of each shape that has elements.
void ForEachDepth(
    const std::function<void(const Shape&, size_t depth, const Shape& lead, size_t)>& visit) {
  const std::vector<Shape> leads = {{3}, {}, {2, 2}, {1}, {0}, {2, 1, 2}};
  size_t i = 0;
  for (const Shape& shape : SweepShapes()) {
    if (reference::SizeOf(shape) == 0) continue;
    for (size_t depth = 0; depth <= shape.size(); ++depth) {
      visit(shape, depth, Cycle(leads, i), i);
      visit(shape, depth, Cycle(leads, i + 2), i + 1);
      i += 3;
    }
  }
}

void SweepGatherNd(OpSweep& sweep) {
  ForEachDepth([&](const Shape& shape, size_t depth, const Shape& lead, size_t i) {
    const TypedArray x = DrawSmall(shape, Cycle(AllDTypes(), i), sweep.seed());
    const TypedArray places = DrawPlaces(shape, lead, 0, depth, i, sweep.seed());
    sweep.Expect({x, places}, {}, {Like(x, reference::GatherNd(x.array, places.array, 0))});
    for (size_t batch = 1; batch + depth <= shape.size(); ++batch) {
      Shape own(shape.begin(), shape.begin() + std::ptrdiff_t(batch));
      own.insert(own.end(), lead.begin(), lead.end());
      const TypedArray inside = DrawPlaces(shape, own, batch, depth, i, sweep.seed());
      sweep.Expect({x, inside}, {{"batch_dims", int64_t(batch)}},
                   {Like(x, reference::GatherNd(x.array, inside.array, int64_t(batch)))});
    }
  });
}

void SweepScatterNd(OpSweep& sweep) {
  ForEachDepth([&](const Shape& shape, size_t depth, const Shape& lead, size_t i) {
    for (size_t n : {i, i + 1, i + 2}) {
      const std::string& reduction = Cycle(Reductions(), n);
      if (reduction == "mean") continue;
      const bool sums = reduction == "add" || reduction == "mul";
      const TypedArray x =
          DrawSmall(shape, sums ? Cycle(ExactDTypes(), n) : Cycle(AllDTypes(), n), sweep.seed());
      const TypedArray places = DrawPlaces(shape, lead, 0, depth, i, sweep.seed());
      Shape of = lead;
      of.insert(of.end(), shape.begin() + std::ptrdiff_t(depth), shape.end());
      const TypedArray updates = DrawSmall(of, x.dtype, sweep.seed());
      sweep.Expect({x, places, updates}, {{"reduction", reduction}},
                   {Whole(x, reference::ScatterNd(x.array, places.array, updates.array,
                                                  reference::CombineBy(reduction)))});
    }
  });
}

std::vector<TypedArray> DrawTogether(OpSweep& sweep, const Shape& shape, size_t count, size_t i) {
  const std::vector<std::vector<Shape>> ways = {{{3}, {3}, {1}, {}, {3}},
                                                {{2, 1}, {3}, {2, 3}, {1, 1}, {}},
                                                {{}, {}, {}, {}, {}},
                                                {{0}, {1}, {0}, {0}, {}},
                                                {{1, 2}, {2, 1}, {2}, {1, 1, 1}, {2, 2}}};
  std::vector<TypedArray> indices;
  for (size_t d = 0; d < count; ++d) {
    indices.push_back(DrawIndices(Cycle(ways, i)[d], Cycle(IndexDTypes(), i + d), sweep.seed(),
                                  -shape[d], shape[d]));
  }
  return indices;
}

std::vector<Array> ArraysOf(const std::vector<TypedArray>& list) {
  std::vector<Array> arrays;
  for (const TypedArray& typed : list) arrays.push_back(typed.array);
  return arrays;
}

void SweepIndexTensor(OpSweep& sweep) {
  for (size_t i = 0; i < 40; ++i) {
    const Shape& shape = Cycle(SweepShapes(), i);
    if (shape.empty() || reference::SizeOf(shape) == 0) continue;
    for (size_t count = 1; count <= shape.size(); ++count) {
      const TypedArray x = DrawSmall(shape, Cycle(AllDTypes(), i + count), sweep.seed());
      const std::vector<TypedArray> indices = DrawTogether(sweep, shape, count, i + count);
      sweep.Expect({x, indices}, {}, {Like(x, reference::IndexTensor(x.array, ArraysOf(indices)))});
    }
  }
}

void SweepIndexPut(OpSweep& sweep) {
  for (size_t i = 0; i < 60; ++i) {
    const Shape& shape = Cycle(SweepShapes(), i);
    if (shape.empty() || reference::SizeOf(shape) == 0) continue;
    const bool adds = i % 2 == 0;
    const std::string& dtype = adds ? Cycle(ExactDTypes(), i) : Cycle(AllDTypes(), i);
    const TypedArray x = DrawSmall(shape, dtype, sweep.seed());
    const std::vector<TypedArray> indices = DrawTogether(sweep, shape, shape.size(), i);
    Shape of;
    for (const TypedArray& index : indices) of = reference::BroadcastShape(of, index.array.shape);
    if (i % 3 == 0) of.assign(of.size(), 1);
    if (i % 5 == 0) of.clear();
    const TypedArray values = DrawSmall(of, dtype, sweep.seed());
    sweep.Expect({x, indices, values}, {{"accumulate", adds}},
                 {Whole(x, reference::IndexPut(x.array, ArraysOf(indices), values.array, adds))});
  }
}

const std::vector<Slice>& Slices() {
  static const auto* const slices = new std::vector<Slice>{
      {0, 0, 2, 1},   {0, 1, 100, 1}, {0, -2, -1, 1},       {0, -1, -100, -1},     {0, 100, 0, -2},
      {0, 0, 9, 2},   {0, 2, 2, 1},   {0, 3, 1, 1},         {0, -100, 2, 1},       {0, 1, 3, -1},
      {0, 2, -4, -1}, {0, 0, 5, 7},   {0, 0, INT64_MAX, 1}, {0, -1, INT64_MIN, -1}};
  return *slices;
}

void SweepStridedSlice(OpSweep& sweep) {
  ForEachAxis(sweep, [&](const TypedArray& x, int64_t axis, int64_t, size_t i) {
    for (size_t n : {i, i + 5}) {
      Slice slice = Cycle(Slices(), n);
      slice.axis = axis;
      const Numbers axes{{axis}}, begin{{slice.begin}}, end{{slice.end}}, stride{{slice.stride}};
      sweep.Expect({x, axes, begin, end, stride}, {},
                   {Like(x, reference::StridedSlice(x.array, {slice}))});
    }
    // All axes at once, the last first.
    std::vector<Slice> all;
    Numbers axes, begin, end, stride;
    for (int64_t d = x.array.rank(); d-- > 0;) {
      all.push_back(Cycle(Slices(), i + size_t(d) * 3));
      all.back().axis = d;
      axes.values.push_back(d);
      begin.values.push_back(all.back().begin);
      end.values.push_back(all.back().end);
      stride.values.push_back(all.back().stride);
    }
    sweep.Expect({x, axes, begin, end, stride}, {},
                 {Like(x, reference::StridedSlice(x.array, all))});
  });
}

void SweepSliceScatter(OpSweep& sweep) {
  const std::vector<Slice> slices = {{0, 0, 1, 1}, {0, 0, 2, 1}, {0, 0, 4, 2}, {0, 1, 3, 1},
                                     {0, 1, 1, 1}, {0, 0, 5, 3}, {0, 0, 3, 2}};
  ForEachAxis(sweep, [&](const TypedArray& x, int64_t axis, int64_t extent, size_t i) {
    for (size_t n : {i, i + 3}) {
      Slice slice = Cycle(slices, n);
      slice.axis = axis;
      slice.end = std::min(slice.end, extent);
      slice.begin = std::min(slice.begin, slice.end);
      Shape of = reference::StridedSlice(x.array, {slice}).shape;
      const TypedArray source = DrawSmall(of, x.dtype, sweep.seed());
      sweep.Expect({x, source, slice.begin, slice.end, slice.stride}, {{"axis", axis}},
                   {Like(x, reference::SliceScatter(x.array, source.array, slice))});
    }
  });
}

}  // namespace

std::vector<testing::SweptOperator> IndexSweeps() {
  return {{"gather_elements", SweepGatherElements},
          {"gather_nd", SweepGatherNd},
          {"index_put", SweepIndexPut},
          {"index_tensor", SweepIndexTensor},
          {"scatter_elements", SweepScatterElements},
          {"scatter_nd", SweepScatterNd},
          {"slice_scatter", SweepSliceScatter},
          {"strided_slice", SweepStridedSlice},
          {"take", SweepTake}};
}

}  // namespace lathe::ops
