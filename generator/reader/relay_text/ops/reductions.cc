// Imports reductions over axes.
#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// The axes that a call reduces, ascending.
absl::StatusOr<std::vector<int>> ReducedAxes(OpCall& c, int rank) {
  std::vector<int> axes;
  const auto written = c.OptionalInts("axis");
  if (written && written->empty() && !c.Bool("exclude")) {
    return c.Error() << "axis=[] reduces nothing";
  }
  if (!written) {
    axes.resize(static_cast<size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
  }
  LATHE_ASSIGN_OR_RETURN(axes, c.Axes(*written, rank));
  std::sort(axes.begin(), axes.end());
  if (!c.Bool("exclude")) return axes;
  std::vector<int> others;
  for (int i = 0; i < rank; ++i) {
    if (!std::binary_search(axes.begin(), axes.end(), i)) others.push_back(i);
  }
  return others;
}

Operand ReducedBy(OpCall& c, const char* op, const Operand& x, const std::vector<int>& axes,
                  bool keep) {
  return c.Op(op, {x}, {{"axis", ListOf(axes)}, {"keepdims", keep}});
}

PrimRef CountOver(OpCall& c, const Operand& x, const std::vector<int>& axes) {
  PrimRef count = c.ir().Int(1);
  for (int axis : axes) {
    count = c.math().Mul(count, c.DimsOf(x)[static_cast<size_t>(axis)]);
  }
  return c.Simplify(count);
}

// Divides integers as Relay does: truncated, the sum wrapped in the dtype.
Operand OverCount(OpCall& c, const Operand& sum, PrimRef count) {
  return c.Elementwise("mean", {sum}, [&](ScalarMath& m, const Scalars& v) {
    return m.Div(v[0], m.Cast(count, v[0]->dtype()));
  });
}

Operand Mean(OpCall& c, const Operand& x, const std::vector<int>& axes, bool keep) {
  if (c.TypeOf(x).is_floating()) return ReducedBy(c, "relax.mean", x, axes, keep);
  return OverCount(c, ReducedBy(c, "relax.sum", x, axes, keep), CountOver(c, x, axes));
}

}  // namespace

absl::StatusOr<Operand> ImportReduce(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, ReducedAxes(c, c.Rank(x)));
  const bool keep = c.Bool("keepdims");
  if (c.op() == "all" || c.op() == "any") {
    if (axes.empty()) return c.Cast(x, DType::Bool());
    const Operand truths = c.Cast(c.Cast(x, DType::Bool()), DType::Int(32));
    const char* op = c.op() == "all" ? "relax.min" : "relax.max";
    return c.Cast(ReducedBy(c, op, truths, axes, keep), DType::Bool());
  }
  if (axes.empty()) return x;
  if (c.op() == "mean") return Mean(c, x, axes, keep);
  return ReducedBy(c, absl::StrCat("relax.", c.op()).c_str(), x, axes, keep);
}

absl::StatusOr<Operand> ImportVariance(OpCall& c) {
  const Operand x = c.Arg(0), mean = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, mean}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, mean, c.Rank(x), "the mean"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, ReducedAxes(c, c.Rank(x)));
  const DType dtype = c.TypeOf(x);
  Operand apart = c.Op("relax.subtract", BroadcastTogether(c, {x, mean}));
  // Small floats overflow in the sum.
  if (dtype.is_floating() && dtype.bits < 32) apart = c.Cast(apart, DType::Float(32));
  const Operand squares = c.Op("relax.multiply", {apart, apart});
  if (axes.empty()) return c.Cast(squares, dtype);
  const Operand sum = ReducedBy(c, "relax.sum", squares, axes, c.Bool("keepdims"));
  const PrimRef count = CountOver(c, x, axes);
  const PrimRef degrees = c.Simplify(c.math().Sub(count, c.ir().Int(1)));
  return c.Cast(OverCount(c, sum, c.Bool("unbiased") ? degrees : count), dtype);
}

// The result counts in int32; several axes count as one, flattened.
absl::StatusOr<Operand> ImportArgReduce(OpCall& c) {
  Operand x = c.Arg(0);
  const int rank = c.Rank(x);
  if (rank == 0) return c.Error() << "its operand is a scalar";
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, ReducedAxes(c, rank));
  if (axes.empty()) return c.Error() << "no axis is left to reduce";
  const Dims dims = c.DimsOf(x);
  std::vector<int> order;
  Dims kept, flattened;
  for (int i = 0; i < rank; ++i) {
    const bool reduced = std::binary_search(axes.begin(), axes.end(), i);
    if (!reduced) {
      order.push_back(i);
      flattened.push_back(dims[static_cast<size_t>(i)]);
    }
    if (!reduced || c.Bool("keepdims")) {
      kept.push_back(reduced ? c.ir().Int(1) : dims[static_cast<size_t>(i)]);
    }
  }
  int axis = axes[0];
  if (axes.size() > 1) {
    axis = static_cast<int>(order.size());
    order.insert(order.end(), axes.begin(), axes.end());
    flattened.push_back(CountOver(c, x, axes));
    x = c.Reshape(c.Transposed(x, order), flattened);
  }
  const PrimRef length = c.DimsOf(x)[static_cast<size_t>(axis)];
  const bool last = c.Bool("select_last_index");
  if (last) x = c.Op("relax.flip", {x}, Axis(axis));
  const Operand found = c.Op(absl::StrCat("relax.", c.op()), {x}, Axis(axis));
  Operand index = c.Cast(found, DType::Int(32));
  if (last) {
    index = c.Elementwise("from_the_end", {index}, [&](ScalarMath& m, const Scalars& at) {
      const PrimRef end = m.Cast(m.Sub(length, m.Int(1)), DType::Int(32));
      return m.Sub(end, at[0]);
    });
  }
  return c.Reshape(index, kept);
}

}  // namespace lathe::relay
