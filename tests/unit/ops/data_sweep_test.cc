// Sweeps operators with data-dependent results, between tensors and shapes, and those that only
// programs can express: evaluated as programs.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/reference/distinct.h"
#include "tests/reference/indexing.h"
#include "tests/unit/ops/swept_operators.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::Shape;
using testing::AllDTypes;
using testing::Cycle;
using testing::DrawIndices;
using testing::DrawSmall;
using testing::OpSweep;
using testing::SweepShapes;
using testing::TypedArray;

TypedArray NumberList(const std::vector<int64_t>& numbers) {
  return {Array({int64_t(numbers.size())}, std::vector<double>(numbers.begin(), numbers.end())),
          "int64",
          {}};
}

// Each shape, the dtypes in turn; then each dtype.
void ForEachTensor(OpSweep& sweep, const std::function<void(const TypedArray&, size_t)>& visit) {
  const size_t shapes = SweepShapes().size();
  for (size_t i = 0; i < shapes + AllDTypes().size(); ++i) {
    const Shape& shape = i < shapes ? SweepShapes()[i] : SweepShapes()[7];
    visit(DrawSmall(shape, Cycle(AllDTypes(), i), sweep.seed()), i);
  }
}

void SweepUnique(OpSweep& sweep) {
  ForEachTensor(sweep, [&](const TypedArray& x, size_t i) {
    const int64_t rank = x.array.rank();
    for (int64_t axis : {rank, static_cast<int64_t>(i) % (2 * rank + 1) - rank}) {
      const bool flat = axis == rank, sorted = i % 4 != 0;
      const auto distinct =
          reference::Unique(x.array, sorted, flat ? std::nullopt : std::optional<int64_t>(axis));
      const std::vector<Array> extra = {distinct.first, distinct.inverse, distinct.counts};
      const char* const names[] = {"return_index", "return_inverse", "return_counts"};
      std::vector<TypedArray> want = {Like(x, distinct.values)};
      std::string call = absl::StrCat("R.unique(x0, sorted=", sorted ? "True" : "False");
      for (size_t n = 0; n < 3; ++n) {
        const bool wanted = ((i + size_t(axis + 9)) >> n) % 2 == 0;
        absl::StrAppend(&call, ", ", names[n], wanted ? "=True" : "=False");
        if (wanted) want.push_back({extra[n], "int64", {}});
      }
      if (!flat) absl::StrAppend(&call, ", axis=", axis);
      sweep.ExpectProgram(absl::StrCat(call, ")"), {x}, want);
    }
  });
}

void SweepNonzero(OpSweep& sweep) {
  ForEachTensor(sweep, [&](const TypedArray& x, size_t) {
    sweep.ExpectProgram("R.nonzero(x0)", {x}, {{reference::Nonzero(x.array), "int64", {}}});
  });
}

void SweepDynamicStridedSlice(OpSweep& sweep) {
  const std::vector<reference::Slice> slices = {{0, 0, 2, 1},      {0, 1, 100, 1},  {0, -2, -1, 1},
                                                {0, -1, -100, -1}, {0, 100, 0, -2}, {0, 0, 9, 2},
                                                {0, 2, 2, 1},      {0, 3, 1, 1},    {0, -100, 2, 1},
                                                {0, 1, 3, -1},     {0, 2, -4, -1},  {0, 0, 5, 7}};
  ForEachTensor(sweep, [&](const TypedArray& x, size_t i) {
    for (size_t part = 0; part < 3; ++part) {
      std::vector<reference::Slice> all;
      std::vector<int64_t> begin, end, stride;
      for (int64_t d = 0; d < x.array.rank(); ++d) {
        all.push_back(Cycle(slices, i + part * 5 + size_t(d) * 3));
        all.back().axis = d;
        begin.push_back(all.back().begin);
        end.push_back(all.back().end);
        stride.push_back(all.back().stride);
      }
      sweep.ExpectProgram("R.dynamic_strided_slice(x0, x1, x2, x3)",
                          {x, NumberList(begin), NumberList(end), NumberList(stride)},
                          {Like(x, reference::StridedSlice(x.array, all))});
    }
  });
}

void SweepShapeOf(OpSweep& sweep) {
  ForEachTensor(sweep, [&](const TypedArray& x, size_t) {
    sweep.ExpectProgram("R.shape_of(x0)", {x}, {NumberList(x.array.shape)});
  });
}

void SweepShapeToTensor(OpSweep& sweep) {
  ForEachTensor(sweep, [&](const TypedArray& x, size_t) {
    sweep.ExpectProgram("R.shape_to_tensor(R.shape_of(x0))", {x}, {NumberList(x.array.shape)});
  });
}

void SweepTensorToShape(OpSweep& sweep) {
  ForEachTensor(sweep, [&](const TypedArray& x, size_t) {
    sweep.ExpectProgram("R.tensor_to_shape(x0)", {NumberList(x.array.shape)},
                        {NumberList(x.array.shape)});
  });
}

void SweepSize(OpSweep& sweep) {
  ForEachTensor(sweep, [&](const TypedArray& x, size_t) {
    sweep.ExpectProgram("R.size(x0)", {x},
                        {{Array({}, double(reference::SizeOf(x.array.shape))), "int64", {}}});
  });
}

struct Layout {
  const char* map;
  Shape from, to;
  Shape (*place)(const Shape&);
};

// Axes exchanged, split, put together, and what a split leaves over filled up.
void SweepLayoutTransform(OpSweep& sweep) {
  using S = const Shape&;
  const Layout layouts[] = {
      {"lambda i: (i,)", {5}, {5}, [](S a) { return a; }},
      {"lambda i: (i // 2, i % 2)",
       {6},
       {3, 2},
       [](S a) {
         return Shape{a[0] / 2, a[0] % 2};
       }},
      {"lambda i: (i // 4, i % 4)",
       {6},
       {2, 4},
       [](S a) {
         return Shape{a[0] / 4, a[0] % 4};
       }},
      {"lambda i, j: (j, i)",
       {2, 3},
       {3, 2},
       [](S a) {
         return Shape{a[1], a[0]};
       }},
      {"lambda i, j: (j, i)",
       {0, 3},
       {3, 0},
       [](S a) {
         return Shape{a[1], a[0]};
       }},
      {"lambda i, j: (i * 3 + j,)", {2, 3}, {6}, [](S a) { return Shape{a[0] * 3 + a[1]}; }},
      {"lambda i, j: (j * 4 + i, 1)",
       {2, 3},
       {10, 2},
       [](S a) {
         return Shape{a[1] * 4 + a[0], 1};
       }},
      {"lambda i, j, k: (i, k // 2, j, k % 2)",
       {2, 3, 5},
       {2, 3, 3, 2},
       [](S a) {
         return Shape{a[0], a[2] / 2, a[1], a[2] % 2};
       }},
      {"lambda n, c, h, w: (n, c // 4, h, w, c % 4)",
       {1, 6, 2, 3},
       {1, 2, 2, 3, 4},
       [](S a) {
         return Shape{a[0], a[1] / 4, a[2], a[3], a[1] % 4};
       }},
  };
  size_t i = 0;
  for (const Layout& layout : layouts) {
    for (size_t part = 0; part < 3; ++part) {
      const TypedArray x = DrawSmall(layout.from, Cycle(AllDTypes(), i++), sweep.seed());
      const bool padded = reference::SizeOf(layout.from) != reference::SizeOf(layout.to);
      const bool real = reference::FormatOf(x.dtype).is_float();
      Array want(layout.to, padded ? 1 : 0);
      reference::ForEach(layout.from,
                         [&](const Shape& at) { want[layout.place(at)] = x.array[at]; });
      const std::string pad = !padded     ? ""
                              : part == 0 ? ", pad_value=1"
                                          : absl::StrCat(", pad_value=R.prim_value(T.", x.dtype,
                                                         real ? "(1.0))" : "(1))");
      const std::string map =
          part == 1 ? layout.map : absl::StrCat("T.index_map(", layout.map, ")");
      sweep.ExpectProgram(absl::StrCat("R.layout_transform(x0, index_map=", map, pad, ")"), {x},
                          {Like(x, want)});
    }
  }
}

}  // namespace

std::vector<testing::SweptOperator> DataSweeps() {
  return {{"dynamic_strided_slice", SweepDynamicStridedSlice},
          {"layout_transform", SweepLayoutTransform},
          {"nonzero", SweepNonzero},
          {"shape_of", SweepShapeOf},
          {"shape_to_tensor", SweepShapeToTensor},
          {"size", SweepSize},
          {"tensor_to_shape", SweepTensorToShape},
          {"unique", SweepUnique}};
}

}  // namespace lathe::ops
