// Order and search: sort, argsort, topk, bucketize, multinomial_from_uniform, reverse_sequence.
#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "generator/ir/dtype.h"
#include "tests/reference/order.h"
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

// Calls `visit` for each axis of each shape, once from the front and once from the end, the dtypes
// in turn, with a NaN in some of the floats.
void ForEachAxis(OpSweep& sweep,
                 const std::function<void(const TypedArray&, int64_t, size_t)>& visit) {
  size_t i = 0;
  std::vector<Shape> shapes = SweepShapes();
  shapes.push_back({3, 20});
  for (const Shape& shape : shapes) {
    const auto rank = static_cast<int64_t>(shape.size());
    for (int64_t axis = -rank; axis < rank; ++axis) {
      TypedArray x = DrawSmall(shape, Cycle(AllDTypes(), i), sweep.seed());
      if (reference::FormatOf(x.dtype).is_float() && i % 4 == 0 && !x.array.data.empty()) {
        x.array.data[x.array.data.size() / 2] = std::numeric_limits<double>::quiet_NaN();
      }
      visit(x, axis, i++);
    }
  }
}

void SweepSort(OpSweep& sweep) {
  ForEachAxis(sweep, [&](const TypedArray& x, int64_t axis, size_t i) {
    const Array places = reference::ArgSort(x.array, axis, i % 3 == 0);
    sweep.Expect({x}, {{"axis", axis}, {"descending", i % 3 == 0}},
                 {{reference::TakeAlong(x.array, places, axis), x.dtype, {}}});
  });
}

void SweepArgSort(OpSweep& sweep) {
  const std::vector<std::string> dtypes = {"int32", "int64", "int8", "uint16", "float32"};
  ForEachAxis(sweep, [&](const TypedArray& x, int64_t axis, size_t i) {
    const std::string& dtype = Cycle(dtypes, i);
    sweep.Expect({x},
                 {{"axis", axis}, {"descending", i % 3 == 1}, {"dtype", *ir::ParseDType(dtype)}},
                 {{reference::ArgSort(x.array, axis, i % 3 == 1), dtype, {}}});
  });
}

void SweepTopk(OpSweep& sweep) {
  const std::vector<std::string> kinds = {"both", "values", "indices"};
  const std::vector<int64_t> counts = {1, 2, 0, 3, 100, -1};
  ForEachAxis(sweep, [&](const TypedArray& x, int64_t axis, size_t i) {
    const int64_t k = Cycle(counts, i);
    const std::string& kind = Cycle(kinds, i);
    const std::string dtype = i % 2 == 0 ? "int32" : "int64";
    const Array places = reference::ArgSort(x.array, axis, i % 5 != 0, k);
    const TypedArray values{reference::TakeAlong(x.array, places, axis), x.dtype, {}};
    std::vector<TypedArray> want;
    if (kind != "indices") want.push_back(values);
    if (kind != "values") want.push_back({places, dtype, {}});
    sweep.Expect({x},
                 {{"axis", axis},
                  {"k", k},
                  {"ret_type", kind},
                  {"largest", i % 5 != 0},
                  {"dtype", *ir::ParseDType(dtype)}},
                 want);
  });
}

void SweepBucketize(OpSweep& sweep) {
  for (size_t i = 0; i < SweepShapes().size() + AllDTypes().size(); ++i) {
    const Shape& shape = Cycle(SweepShapes(), i);
    const TypedArray x = DrawSmall(shape, Cycle(AllDTypes(), i), sweep.seed());
    // Of the same dtype, then of others: what is compared are the numbers.
    const bool same = i < SweepShapes().size() / 2;
    const std::string& other = Cycle(AllDTypes(), i * 5 + 3);
    TypedArray boundaries = DrawSmall({int64_t(i % 7)}, same ? x.dtype : other, sweep.seed());
    std::sort(boundaries.array.data.begin(), boundaries.array.data.end());
    for (bool right : {false, true}) {
      sweep.Expect({x, boundaries}, {{"right", right}, {"out_int32", i % 2 == 0}},
                   {{reference::Bucketize(x.array, boundaries.array, right),
                     i % 2 == 0 ? "int32" : "int64",
                     {}}});
    }
  }
}

void SweepMultinomial(OpSweep& sweep) {
  const std::vector<std::string> reals = {"float32", "float64", "float16"};
  const std::vector<std::string> wholes = {"int64", "int32", "uint8"};
  for (size_t i = 0; i < 12; ++i) {
    // Sixteenths that add up to 1 in each row, and samples of sixteenths below 1.
    const auto rows = static_cast<int64_t>(1 + i % 3), classes = static_cast<int64_t>(1 + i % 5);
    TypedArray probabilities{Array({rows, classes}), Cycle(reals, i), {}};
    reference::ForEach(probabilities.array.shape, [&](const Shape& at) {
      const int64_t share = (at[1] + at[0] + int64_t(i)) % 4;
      probabilities.array[at] = at[1] + 1 < classes ? double(share) / 16 : 0;
    });
    for (int64_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (int64_t n = 0; n < classes; ++n) sum += probabilities.array[{row, n}];
      probabilities.array[{row, classes - 1}] = 1 - sum;
    }
    const auto count = static_cast<int64_t>(i % 6);
    TypedArray samples = DrawIndices({count, 1}, Cycle(reals, i + i / 3), sweep.seed(), 0, 16);
    for (double& sample : samples.array.data) sample /= 16;
    const TypedArray of = DrawIndices({count, 1}, Cycle(wholes, i), sweep.seed(), 0, rows);
    const std::string& dtype = Cycle(wholes, i / 2);
    sweep.Expect(
        {probabilities, samples, of}, {{"dtype", *ir::ParseDType(dtype)}},
        {{reference::Multinomial(probabilities.array, samples.array, of.array), dtype, {}}});
  }
}

void SweepReverseSequence(OpSweep& sweep) {
  size_t i = 0;
  for (const Shape& shape : SweepShapes()) {
    const auto rank = static_cast<int64_t>(shape.size());
    for (int64_t seq = 0; seq < rank; ++seq) {
      for (int64_t batch = 0; batch < rank; ++batch) {
        if (seq == batch) continue;
        const TypedArray x = DrawSmall(shape, Cycle(AllDTypes(), i), sweep.seed());
        const TypedArray lengths =
            DrawIndices({shape[size_t(batch)]}, i % 2 == 0 ? "int32" : "int64", sweep.seed(), 0,
                        shape[size_t(seq)] + 1);
        const int64_t from_end = i++ % 2 == 0 ? 0 : rank;
        sweep.Expect(
            {x, lengths}, {{"seq_axis", seq - from_end}, {"batch_axis", batch}},
            {{reference::ReverseSequence(x.array, lengths.array, seq, batch), x.dtype, {}}});
      }
    }
  }
}

}  // namespace

std::vector<testing::SweptOperator> OrderSweeps() {
  return {{"argsort", SweepArgSort},
          {"bucketize", SweepBucketize},
          {"multinomial_from_uniform", SweepMultinomial},
          {"reverse_sequence", SweepReverseSequence},
          {"sort", SweepSort},
          {"topk", SweepTopk}};
}

}  // namespace lathe::ops
