// Reductions and running totals: every choice of axes of every shape, dtypes in turn.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generator/ir/dtype.h"
#include "tests/reference/reduce.h"
#include "tests/unit/ops/swept_operators.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::FormatOf;
using reference::Groups;
using reference::InDType;
using reference::Reals;
using reference::Shape;
using reference::Wide;
using testing::Cycle;
using testing::DrawSmall;
using testing::DrawWide;
using testing::OfWide;
using testing::OpSweep;
using testing::SweepShapes;
using testing::Tolerance;
using testing::TypedArray;

using Axes = std::optional<std::vector<int64_t>>;

// None, each one, each from the end, two, two in no order, all, no one.
std::vector<Axes> AxesOf(size_t rank) {
  const auto n = static_cast<int64_t>(rank);
  std::vector<Axes> list = {std::nullopt};
  for (int64_t axis = 0; axis < n; ++axis) list.push_back({{axis % 2 == 0 ? axis : axis - n}});
  if (n > 1) list.push_back({{-1, 0}});
  if (n > 2) list.push_back({{1, -1}});
  if (n > 3) list.push_back({{-2, 0, 1}});
  list.push_back(std::vector<int64_t>());
  return list;
}

// Calls `visit` for each shape, each choice of its axes, the dtypes in turn.
void ForEachCase(
    const std::vector<std::string>& dtypes,
    const std::function<void(const Shape&, const Axes&, bool, const std::string&)>& visit) {
  size_t i = 0;
  for (const Shape& shape : SweepShapes()) {
    for (const Axes& axes : AxesOf(shape.size())) {
      visit(shape, axes, i % 3 == 0, Cycle(dtypes, i));
      ++i;
    }
  }
}

ir::AttrMap Attributes(const Axes& axes, bool keepdims) {
  ir::AttrMap attrs = {{"keepdims", keepdims}};
  if (axes.has_value()) attrs["axis"] = testing::IntList(*axes);
  return attrs;
}

Reals Pick(const TypedArray& x, const std::vector<size_t>& positions) {
  Reals picked;
  for (size_t position : positions) picked.push_back(x.array.data[position]);
  return picked;
}

TypedArray Apply(const TypedArray& x, const Groups& groups, const std::string& dtype,
                 const std::function<double(const Reals&, const InDType&)>& f) {
  TypedArray out{Array(groups.shape), dtype, {}};
  for (size_t n = 0; n < groups.positions.size(); ++n) {
    out.array.data[n] = f(Pick(x, groups.positions[n]), InDType{dtype});
  }
  return out;
}

TypedArray Fold(const TypedArray& x, const Groups& groups, const std::string& dtype, Wide start,
                Wide (*f)(Wide, Wide)) {
  std::vector<Wide> folded;
  for (const std::vector<size_t>& positions : groups.positions) {
    Wide so_far = start;
    for (size_t position : positions) {
      so_far = reference::Wrapped(f(so_far, WideAt(x, position)), dtype);
    }
    folded.push_back(so_far);
  }
  return OfWide(groups.shape, dtype, folded);
}

Wide Add(Wide a, Wide b) { return a + b; }
Wide Multiply(Wide a, Wide b) {
  return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b) &
                           ~uint64_t{0});
}

struct Reduction {
  double (*real)(const Reals&, const InDType&);
  Wide (*fold)(Wide, Wide) = nullptr;
  Wide (*start)(const std::string&) = nullptr;
};

double Most(const Reals& x, const InDType& r) {
  const double lowest = FormatOf(r.dtype).infinite ? -HUGE_VAL : -FormatOf(r.dtype).largest;
  return x.empty() ? lowest : reference::Largest(x);
}
double Least(const Reals& x, const InDType& r) {
  Reals negated;
  for (double each : x) negated.push_back(-each);
  return -Most(negated, r);
}

void SweepReduction(OpSweep& sweep, const Reduction& reduction, Tolerance tolerance = {}) {
  ForEachCase(testing::FloatDTypes(),
              [&](const Shape& shape, const Axes& axes, bool keepdims, const std::string& dtype) {
                const TypedArray x = DrawSmall(shape, dtype, sweep.seed());
                const Groups groups = reference::Reduced(shape, axes, keepdims);
                sweep.Expect({x}, Attributes(axes, keepdims),
                             {Apply(x, groups, dtype, reduction.real)}, tolerance);
              });
  if (reduction.fold == nullptr) return;
  std::vector<std::string> dtypes = testing::WholeDTypes();
  dtypes.push_back("bool");
  ForEachCase(dtypes,
              [&](const Shape& shape, const Axes& axes, bool keepdims, const std::string& dtype) {
                const TypedArray x = DrawWide(shape, dtype, sweep.seed());
                const Groups groups = reference::Reduced(shape, axes, keepdims);
                sweep.Expect({x}, Attributes(axes, keepdims),
                             {Fold(x, groups, dtype, reduction.start(dtype), reduction.fold)});
              });
}

// The mean of integers is one, cut off towards zero.
void SweepMean(OpSweep& sweep) {
  SweepReduction(sweep, {reference::Mean});
  ForEachCase({"int32", "int64"},
              [&](const Shape& shape, const Axes& axes, bool keepdims, const std::string& dtype) {
                const TypedArray x = DrawSmall(shape, dtype, sweep.seed());
                const Groups groups = reference::Reduced(shape, axes, keepdims);
                if (!groups.positions.empty() && groups.positions[0].empty()) return;
                sweep.Expect({x}, Attributes(axes, keepdims),
                             {Apply(x, groups, dtype, [](const Reals& reals, const InDType&) {
                               double sum = 0;
                               for (double each : reals) sum += each;
                               return std::trunc(sum / static_cast<double>(reals.size()));
                             })});
              });
}

void SweepMedian(OpSweep& sweep) {
  ForEachCase(testing::AllDTypes(), [&](const Shape& shape, const Axes& axes, bool keepdims,
                                        const std::string& dtype) {
    const Groups groups = reference::Reduced(shape, axes, keepdims);
    if (!groups.positions.empty() && groups.positions[0].empty()) return;
    const TypedArray x = DrawSmall(shape, dtype, sweep.seed());
    const TypedArray values = Apply(x, groups, dtype, [](const Reals& reals, const InDType&) {
      return reals[reference::MedianPosition(reals)];
    });
    const TypedArray positions = Apply(x, groups, "int64", [](const Reals& reals, const InDType&) {
      return static_cast<double>(reference::MedianPosition(reals));
    });
    const bool one = axes.has_value() && axes->size() == 1;
    sweep.Expect(
        {x}, Attributes(axes, keepdims),
        one ? std::vector<TypedArray>{values, positions} : std::vector<TypedArray>{values});
  });
}

// The first of the largest; of the smallest when the numbers are negated.
void SweepArg(OpSweep& sweep, bool largest) {
  size_t i = 0;
  for (const Shape& shape : SweepShapes()) {
    for (const Axes& axes : AxesOf(shape.size())) {
      if (axes.has_value() && axes->size() != 1) continue;
      const bool keepdims = i % 3 == 1;
      const Groups groups = reference::Reduced(shape, axes, keepdims);
      if (!groups.positions.empty() && groups.positions[0].empty()) continue;
      const TypedArray x = DrawSmall(shape, Cycle(testing::AllDTypes(), i++), sweep.seed());
      ir::AttrMap attrs = {{"keepdims", keepdims}};
      if (axes.has_value()) attrs["axis"] = axes->front();
      sweep.Expect({x}, attrs, {Apply(x, groups, "int64", [&](Reals reals, const InDType&) {
                     if (!largest) {
                       for (double& each : reals) each = -each;
                     }
                     const auto best = std::max_element(reals.begin(), reals.end());
                     return static_cast<double>(best - reals.begin());
                   })});
    }
  }
}

void SweepCumulative(OpSweep& sweep, const Reduction& reduction) {
  size_t i = 0;
  for (const Shape& shape : SweepShapes()) {
    for (const Axes& axes : AxesOf(shape.size())) {
      if (axes.has_value() && axes->size() != 1) continue;
      const bool exclusive = i % 3 == 1;
      const auto axis = axes.has_value() ? std::optional(axes->front()) : std::nullopt;
      const Groups groups = reference::SoFar(shape, axis, exclusive);
      ir::AttrMap attrs = {{"exclusive", exclusive}};
      if (axis.has_value()) attrs["axis"] = *axis;
      const std::string& real = Cycle(testing::FloatDTypes(), i);
      const TypedArray x = DrawSmall(shape, real, sweep.seed());
      sweep.Expect({x}, attrs, {Apply(x, groups, real, reduction.real)});
      const std::string& whole = Cycle(testing::WholeDTypes(), i);
      const TypedArray w = DrawWide(shape, whole, sweep.seed());
      sweep.Expect({w}, attrs, {Fold(w, groups, whole, reduction.start(whole), reduction.fold)});
      // Into another dtype, elements are converted first.
      const std::string& to = Cycle(testing::WholeDTypes(), i + 3);
      attrs["dtype"] = *ir::ParseDType(to);
      sweep.Expect({w}, attrs, {Fold(w, groups, to, reduction.start(to), reduction.fold)});
      const TypedArray b = DrawSmall(shape, "bool", sweep.seed());
      sweep.Expect({b}, attrs, {Fold(b, groups, to, reduction.start(to), reduction.fold)});
      attrs["dtype"] = *ir::ParseDType("float32");
      const TypedArray small = DrawSmall(shape, whole, sweep.seed());
      sweep.Expect({small}, attrs, {Apply(small, groups, "float32", reduction.real)});
      ++i;
    }
  }
}

Wide Zero(const std::string&) { return 0; }
Wide One(const std::string&) { return 1; }

const Reduction kSum = {reference::Sum, Add, Zero};
const Reduction kProd = {reference::Prod, Multiply, One};

}  // namespace

std::vector<testing::SweptOperator> ReduceSweeps() {
  return {
      {"argmax", [](OpSweep& s) { SweepArg(s, true); }},
      {"argmin", [](OpSweep& s) { SweepArg(s, false); }},
      {"cumprod", [](OpSweep& s) { SweepCumulative(s, kProd); }},
      {"cumsum", [](OpSweep& s) { SweepCumulative(s, kSum); }},
      {"max",
       [](OpSweep& s) {
         SweepReduction(s,
                        {Most, [](Wide a, Wide b) { return a > b ? a : b; }, reference::LowestOf});
       }},
      {"mean", SweepMean},
      {"median", SweepMedian},
      {"min",
       [](OpSweep& s) {
         SweepReduction(
             s, {Least, [](Wide a, Wide b) { return a < b ? a : b; }, reference::HighestOf});
       }},
      {"prod", [](OpSweep& s) { SweepReduction(s, kProd); }},
      {"std", [](OpSweep& s) { SweepReduction(s, {reference::Deviation}); }},
      {"sum",
       [](OpSweep& s) {
         SweepReduction(s, {reference::SumRoundedOnce, Add, Zero});
       }},
      {"variance", [](OpSweep& s) { SweepReduction(s, {reference::Variance}); }},
  };
}

}  // namespace lathe::ops
