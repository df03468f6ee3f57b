// Operators that move elements: every shape and axis, dtypes in turn.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/reference/movement.h"
#include "tests/reference/number.h"
#include "tests/unit/ops/swept_operators.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Arrays;
using reference::Shape;
using reference::SizeOf;
using testing::AllDTypes;
using testing::Cycle;
using testing::DrawIndices;
using testing::DrawSmall;
using testing::IntList;
using testing::OpSweep;
using testing::ShapeArg;
using testing::SweepShapes;
using testing::TypedArray;

using Visit = std::function<void(const TypedArray& x, size_t i)>;

// Each shape, the dtypes in turn; then each dtype.
void ForEachSweptTensor(OpSweep& sweep, const Visit& visit) {
  const size_t shapes = SweepShapes().size();
  for (size_t i = 0; i < shapes + AllDTypes().size(); ++i) {
    const Shape& shape = i < shapes ? SweepShapes()[i] : SweepShapes()[7];
    visit(DrawSmall(shape, Cycle(AllDTypes(), i), sweep.seed()), i);
  }
}

// Each axis of each shape, from the front and from the end, where `beyond` is 1 also the place
// after the last.
void ForEachAxis(OpSweep& sweep, int64_t beyond,
                 const std::function<void(const TypedArray&, int64_t, size_t)>& visit) {
  size_t i = 0;
  for (const Shape& shape : SweepShapes()) {
    const auto rank = static_cast<int64_t>(shape.size()) + beyond;
    for (int64_t axis = -rank; axis < rank; ++axis) {
      visit(DrawSmall(shape, Cycle(AllDTypes(), i), sweep.seed()), axis, i);
      ++i;
    }
  }
}

std::vector<TypedArray> LikeEach(const TypedArray& x, const Arrays& arrays) {
  std::vector<TypedArray> list;
  for (const Array& array : arrays) list.push_back(Like(x, array));
  return list;
}

void SweepBroadcastTo(OpSweep& sweep) {
  ForEachSweptTensor(sweep, [&](const TypedArray& x, size_t i) {
    Shape shape = x.array.shape;
    for (int64_t& dim : shape) dim = dim == 1 ? int64_t(i % 4) : dim;
    if (i % 2 == 0) shape.insert(shape.begin(), {2, 1});
    sweep.Expect({x, ShapeArg{shape}}, {}, {Like(x, reference::BroadcastTo(x.array, shape))});
  });
}

// Sums of a few halves, which float16 and wider hold.
void SweepCollapse(OpSweep& sweep, bool like) {
  const std::vector<std::string> dtypes = {"float32", "float64", "float16",
                                           "int32",   "int64",   "int16"};
  size_t i = 0;
  for (const Shape& shape : SweepShapes()) {
    for (size_t mask = 0; mask < 4; ++mask) {
      Shape to = shape;
      for (size_t d = 0; d < to.size(); ++d) {
        if (mask == 3 || (mask > 0 && d % 2 == mask - 1)) to[d] = 1;
      }
      if (mask == 2 && !to.empty()) to.erase(to.begin());
      if (mask == 0 && shape.size() > 3) to = {};
      const TypedArray x = DrawSmall(shape, Cycle(dtypes, i++), sweep.seed());
      const TypedArray want = Like(x, reference::CollapseSum(x.array, to));
      if (like) {
        sweep.Expect({x, TypedArray{Array(to), "float32", {}}}, {}, {want});
      } else {
        sweep.Expect({x, ShapeArg{to}}, {}, {want});
      }
    }
  }
}

void SweepConcat(OpSweep& sweep) {
  ForEachAxis(sweep, 0, [&](const TypedArray& x, int64_t axis, size_t i) {
    std::vector<TypedArray> pieces;
    Arrays arrays;
    for (size_t n = 0; n < 1 + i % 4; ++n) {
      Shape shape = x.array.shape;
      const size_t along = size_t(axis < 0 ? axis + int64_t(shape.size()) : axis);
      shape[along] = n == 0 ? shape[along] : int64_t((n + i) % 3);
      pieces.push_back(DrawSmall(shape, x.dtype, sweep.seed()));
      arrays.push_back(pieces.back().array);
    }
    sweep.Expect({pieces}, {{"axis", axis}}, {Like(x, reference::Concat(arrays, axis))});
  });
}

void SweepStack(OpSweep& sweep) {
  ForEachAxis(sweep, 1, [&](const TypedArray& x, int64_t axis, size_t i) {
    std::vector<TypedArray> pieces;
    Arrays arrays;
    for (size_t n = 0; n < 1 + i % 3; ++n) {
      pieces.push_back(DrawSmall(x.array.shape, x.dtype, sweep.seed()));
      arrays.push_back(pieces.back().array);
    }
    sweep.Expect({pieces}, {{"axis", axis}}, {Like(x, reference::Stack(arrays, axis))});
  });
}

// In sections of one length but the last, or at places that are written.
void SweepSplit(OpSweep& sweep) {
  const std::vector<reference::Ints> places = {{1}, {0, 2}, {1, 1}, {2, 9}, {1, 2, 3}};
  ForEachAxis(sweep, 0, [&](const TypedArray& x, int64_t axis, size_t i) {
    const int64_t extent = x.array.shape[size_t(axis < 0 ? axis + x.array.rank() : axis)];
    const auto sections = static_cast<int64_t>(2 + i % 3);
    reference::Ints starts;
    for (int64_t n = 0; n < sections; ++n) {
      starts.push_back(n * ((extent + sections - 1) / sections));
    }
    sweep.Expect({x}, {{"axis", axis}, {"indices_or_sections", sections}},
                 LikeEach(x, reference::Split(x.array, starts, axis)));
    starts = Cycle(places, i);
    const ir::AttrValue written = IntList(starts);
    starts.insert(starts.begin(), 0);
    sweep.Expect({x}, {{"axis", axis}, {"indices_or_sections", written}},
                 LikeEach(x, reference::Split(x.array, starts, axis)));
  });
}

void SweepExpandDims(OpSweep& sweep) {
  ForEachAxis(sweep, 1, [&](const TypedArray& x, int64_t axis, size_t) {
    sweep.Expect({x}, {{"axis", IntList({axis})}},
                 {Like(x, reference::ExpandDims(x.array, {axis}))});
    const reference::Ints two = {axis < 0 ? axis - 1 : axis,
                                 axis < 0 ? axis + 1 + x.array.rank() : -1};
    if (axis < 0 ? axis - 1 + x.array.rank() + 2 == two[1] : axis == x.array.rank() + 1) return;
    sweep.Expect({x}, {{"axis", IntList(two)}}, {Like(x, reference::ExpandDims(x.array, two))});
  });
}

void SweepSqueeze(OpSweep& sweep) {
  ForEachSweptTensor(sweep, [&](const TypedArray& x, size_t) {
    sweep.Expect({x}, {}, {Like(x, reference::Squeeze(x.array, std::nullopt))});
  });
  ForEachAxis(sweep, 0, [&](const TypedArray& x, int64_t axis, size_t) {
    if (x.array.shape[size_t(axis < 0 ? axis + x.array.rank() : axis)] != 1) return;
    sweep.Expect({x}, {{"axis", IntList({axis})}},
                 {Like(x, reference::Squeeze(x.array, {{axis}}))});
  });
  const TypedArray x = DrawSmall({1, 2, 1, 3, 1}, "int8", sweep.seed());
  for (const reference::Ints& axes : {reference::Ints{0, 2}, {-1, 0}, {4, 2, 0}, {}}) {
    sweep.Expect({x}, {{"axis", IntList(axes)}}, {Like(x, reference::Squeeze(x.array, axes))});
  }
}

void SweepFlatten(OpSweep& sweep) {
  ForEachSweptTensor(sweep, [&](const TypedArray& x, size_t) {
    sweep.Expect({x}, {}, {Like(x, reference::Reshape(x.array, {SizeOf(x.array.shape)}))});
  });
}

// Reversed, with ones put in, flat, folded in two; -1 for what follows, 0 for what stays.
void SweepReshape(OpSweep& sweep) {
  ForEachSweptTensor(sweep, [&](const TypedArray& x, size_t) {
    const Shape& own = x.array.shape;
    Shape reversed(own.rbegin(), own.rend()), padded = {1};
    for (int64_t dim : own) padded.insert(padded.end(), {dim, 1});
    for (const Shape& shape : {reversed, padded, Shape{SizeOf(own)}, Shape{1, SizeOf(own), 1}}) {
      sweep.Expect({x, ShapeArg{shape}}, {}, {Like(x, reference::Reshape(x.array, shape))});
    }
    if (SizeOf(own) == 0) return;
    sweep.Expect({x, ShapeArg{{1, -1}}}, {},
                 {Like(x, reference::Reshape(x.array, {1, SizeOf(own)}))});
    if (own.size() < 2) return;
    Shape kept(own.begin(), own.begin() + 1);
    kept.push_back(SizeOf(own) / own[0]);
    sweep.Expect({x, ShapeArg{{0, -1}}}, {}, {Like(x, reference::Reshape(x.array, kept))});
  });
}

void SweepPermuteDims(OpSweep& sweep) {
  ForEachSweptTensor(sweep, [&](const TypedArray& x, size_t i) {
    sweep.Expect({x}, {}, {Like(x, reference::PermuteDims(x.array, std::nullopt))});
    // A step that visits all axes; some counted from the end.
    const int64_t rank = x.array.rank();
    for (int64_t step : {1, 2, 3}) {
      if (rank == 0 || (rank % step == 0 && step > 1)) continue;
      reference::Ints axes;
      for (int64_t d = 0; d < rank; ++d) {
        const int64_t axis = (d * step + int64_t(i)) % rank;
        axes.push_back(d % 2 == 0 ? axis : axis - rank);
      }
      sweep.Expect({x}, {{"axes", IntList(axes)}},
                   {Like(x, reference::PermuteDims(x.array, axes))});
    }
  });
}

void SweepTile(OpSweep& sweep) {
  const std::vector<reference::Ints> repeats = {{2}, {1, 3}, {2, 1, 2},
                                                {0}, {},     {3, 1, 1, 1, 1, 2}};
  ForEachSweptTensor(sweep, [&](const TypedArray& x, size_t i) {
    for (size_t n : {i, i + 1}) {
      const reference::Ints& times = Cycle(repeats, n);
      sweep.Expect({x}, {{"repeats", IntList(times)}}, {Like(x, reference::Tile(x.array, times))});
    }
  });
}

void SweepRepeat(OpSweep& sweep) {
  ForEachSweptTensor(sweep, [&](const TypedArray& x, size_t i) {
    const auto times = static_cast<int64_t>(i % 4);
    sweep.Expect({x}, {{"repeats", times}},
                 {Like(x, reference::Repeat(x.array, times, std::nullopt))});
  });
  ForEachAxis(sweep, 0, [&](const TypedArray& x, int64_t axis, size_t i) {
    const auto times = static_cast<int64_t>(i % 4);
    sweep.Expect({x}, {{"repeats", times}, {"axis", axis}},
                 {Like(x, reference::Repeat(x.array, times, axis))});
  });
}

void SweepFlip(OpSweep& sweep) {
  ForEachAxis(sweep, 0, [&](const TypedArray& x, int64_t axis, size_t) {
    sweep.Expect({x}, {{"axis", axis}}, {Like(x, reference::Flip(x.array, axis))});
  });
}

void SweepMeshgrid(OpSweep& sweep) {
  const std::vector<reference::Ints> lengths = {{3},    {2, 3},       {4, 1, 2},      {2, 0},
                                                {1, 1}, {2, 3, 1, 2}, {1, 2, 3, 1, 2}};
  for (size_t i = 0; i < AllDTypes().size(); ++i) {
    std::vector<TypedArray> lines;
    Arrays arrays;
    for (int64_t length : Cycle(lengths, i)) {
      lines.push_back(DrawSmall({length}, AllDTypes()[i], sweep.seed()));
      arrays.push_back(lines.back().array);
    }
    for (const char* indexing : {"ij", "xy"}) {
      sweep.Expect({lines}, {{"indexing", indexing}},
                   LikeEach(lines[0], reference::Meshgrid(arrays, indexing)));
    }
  }
}

// Indices outside the depth, too, of which none is hot.
void SweepOneHot(OpSweep& sweep) {
  size_t i = 0;
  for (const Shape& shape : SweepShapes()) {
    const auto rank = static_cast<int64_t>(shape.size()) + 1;
    for (int64_t axis = -rank; axis < rank; ++axis) {
      const std::string& dtype = Cycle(testing::WholeDTypes(), i);
      const int64_t low = reference::LowestOf(dtype) < 0 ? -2 : 0;
      const TypedArray indices = DrawIndices(shape, dtype, sweep.seed(), low, 6);
      const auto depth = static_cast<int64_t>(i % 5);
      const ir::AttrMap attrs = {{"depth", depth}, {"axis", axis}};
      const Array want = reference::OneHot(indices.array, 3, -2, depth, axis);
      if (i++ % 2 == 0) {
        sweep.Expect({indices, int64_t{3}, int64_t{-2}}, attrs, {{want, "int64", {}}});
      } else {
        sweep.Expect({indices, 3.0, -2.0}, attrs, {{want, "float32", {}}});
      }
    }
  }
}

}  // namespace

std::vector<testing::SweptOperator> MovementSweeps() {
  return {{"broadcast_to", SweepBroadcastTo},
          {"collapse_sum_like", [](OpSweep& s) { SweepCollapse(s, true); }},
          {"collapse_sum_to", [](OpSweep& s) { SweepCollapse(s, false); }},
          {"concat", SweepConcat},
          {"expand_dims", SweepExpandDims},
          {"flatten", SweepFlatten},
          {"flip", SweepFlip},
          {"meshgrid", SweepMeshgrid},
          {"one_hot", SweepOneHot},
          {"permute_dims", SweepPermuteDims},
          {"repeat", SweepRepeat},
          {"reshape", SweepReshape},
          {"split", SweepSplit},
          {"squeeze", SweepSqueeze},
          {"stack", SweepStack},
          {"tile", SweepTile}};
}

}  // namespace lathe::ops
