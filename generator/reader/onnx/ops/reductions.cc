// Imports reductions over axes: sums, norms, extrema and their indices.
#include <numeric>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_axes.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

ir::AttrList AxisList(const std::vector<int>& axes) {
  ir::AttrList list;
  for (int axis : axes) list.emplace_back(axis);
  return list;
}

Operand Reduced(NodeCall& n, const char* op, const Operand& x, const std::vector<int>& axes,
                bool keep) {
  return n.Op(op, {x}, {{"axis", AxisList(axes)}, {"keepdims", keep}});
}

// Computes log(sum(exp(x))) relative to the maximum, so that no exponential overflows.
Operand LogSumExp(NodeCall& n, const Operand& x, const std::vector<int>& axes, bool keep) {
  // An infinite maximum would give inf - inf, and needs no protection.
  const Operand most =
      n.Elementwise("finite", {Reduced(n, "relax.max", x, axes, true)},
                    [](ScalarMath& m, const Scalars& v) { return FiniteOrZero(m, v[0]); });
  const Operand below = n.Op("relax.exp", {n.Op("relax.subtract", {x, most})});
  const Operand sum = n.Op("relax.log", {Reduced(n, "relax.sum", below, axes, keep)});
  return n.Op("relax.add", {sum, n.Reshape(most, n.DimsOf(sum))});
}

// Computes roots and logarithms of integers in float and truncates the result.
Operand OfReals(NodeCall& n, const Operand& x, const char* op) {
  const DType dtype = n.TypeOf(x);
  if (dtype.is_floating()) return n.Op(op, {x});
  return n.Cast(n.Op(op, {n.Cast(x, DType::Float(64))}), dtype);
}

Operand Reduce(NodeCall& n, const Operand& x, const std::vector<int>& axes, bool keep) {
  const std::string& op = n.op();
  const auto by = [&](const char* relax, const Operand& of) {
    return Reduced(n, relax, of, axes, keep);
  };
  if (op == "ReduceSum") return by("relax.sum", x);
  if (op == "ReduceProd") return by("relax.prod", x);
  if (op == "ReduceMax") return by("relax.max", x);
  if (op == "ReduceMin") return by("relax.min", x);
  if (op == "ReduceMean") return by("relax.mean", x);
  if (op == "ReduceL1") return by("relax.sum", n.Op("relax.abs", {x}));
  if (op == "ReduceLogSum") return OfReals(n, by("relax.sum", x), "relax.log");
  if (op == "ReduceLogSumExp") {
    const DType dtype = n.TypeOf(x);
    if (dtype.is_floating()) return LogSumExp(n, x, axes, keep);
    return n.Cast(LogSumExp(n, n.Cast(x, DType::Float(64)), axes, keep), dtype);
  }
  const Operand squares = by("relax.sum", n.Op("relax.multiply", {x, x}));
  return op == "ReduceL2" ? OfReals(n, squares, "relax.sqrt") : squares;
}

// Without axes, applies only the elementwise part of the reduction.
Operand ReduceNothing(NodeCall& n, const Operand& x) {
  const std::string& op = n.op();
  if (op == "ReduceSumSquare") return n.Op("relax.multiply", {x, x});
  if (op == "ReduceL1" || op == "ReduceL2") return n.Op("relax.abs", {x});
  if (op == "ReduceLogSum") return OfReals(n, x, "relax.log");
  return x;
}

std::vector<int> AllAxes(int rank) {
  std::vector<int> axes(static_cast<size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

}  // namespace

absl::StatusOr<Results> ImportReduce(NodeCall& n) {
  const Operand x = n.In(0);
  const int rank = n.Rank(x);
  const bool keep = n.Int("keepdims", 1) != 0;
  const std::optional<std::vector<int64_t>> named = n.IntsOf(1, "axes");
  if (n.Has(1) && !named) {
    const auto count = NodeCall::IntOf(n.Product(n.DimsOf(n.In(1)), 0, n.Rank(n.In(1))));
    if (count != 0) return ReduceAtRunTime(n, x, n.In(1));
  }
  // Distinguishes omitted axes from an empty list.
  if (!named || named->empty()) {
    if (n.Int("noop_with_empty_axes", 0) != 0) return ReduceNothing(n, x);
    return Reduce(n, x, AllAxes(rank), keep);
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, n.Axes(*named, rank));
  return Reduce(n, x, axes, keep);
}

absl::StatusOr<Results> ImportArgReduce(NodeCall& n) {
  Operand x = n.In(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", 0), n.Rank(x)));
  const bool last = n.Int("select_last_index", 0) != 0, keep = n.Int("keepdims", 1) != 0;
  if (last) x = n.Op("relax.flip", {x}, {{"axis", axis}});
  const std::string op = n.op() == "ArgMax" ? "relax.argmax" : "relax.argmin";
  const Operand found = n.Cast(n.Op(op, {x}, {{"axis", axis}, {"keepdims", keep}}), DType::Int(64));
  if (!last) return found;
  const PrimRef dim = n.DimsOf(x)[static_cast<size_t>(axis)];
  return n.Elementwise("from_the_end", {found}, [&](ScalarMath& m, const Scalars& at) {
    return m.Sub(m.Sub(dim, m.Int(1)), at[0]);
  });
}

// Before operator set 13, the axes from `axis` on were flattened.
absl::StatusOr<Results> ImportSoftmax(NodeCall& n) {
  Operand x = n.In(0);
  const Dims dims = n.DimsOf(x);
  const bool flattened = n.opset() < 13;
  LATHE_ASSIGN_OR_RETURN(int axis,
                         n.Axis(n.Int("axis", flattened ? 1 : -1), static_cast<int>(dims.size())));
  if (flattened) {
    const auto at = static_cast<size_t>(axis);
    x = n.Reshape(x, {n.Product(dims, 0, at), n.Product(dims, at, dims.size())});
    axis = 1;
  }
  if (n.op() == "Softmax") {
    x = n.Op("relax.nn.softmax", {x}, {{"axis", axis}});
  } else if (n.op() == "LogSoftmax") {
    x = n.Op("relax.nn.log_softmax", {x}, {{"axis", axis}});
  } else {
    const Operand found = n.Op("relax.argmax", {x}, {{"axis", axis}, {"keepdims", true}});
    const Dims shape = n.DimsOf(x);
    const DType dtype = n.TypeOf(x);
    x = n.Kernel("hardmax", {found}, [&](Te& te) {
      ScalarMath& m = te.math();
      return te.Compute("out", shape, dtype, [&](const Indices& at) {
        const auto a = static_cast<size_t>(axis);
        Indices one = at;
        one[a] = m.Int(0);
        return m.Select(m.Eq(te.At(te.Input(0), one), at[a]), m.Const(1, dtype), m.Const(0, dtype));
      });
    });
  }
  return n.Reshape(x, dims);
}

absl::StatusOr<Results> ImportLpNormalization(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", -1), n.Rank(x)));
  const bool one = n.Int("p", 2) == 1;
  const Operand each = one ? n.Op("relax.abs", {x}) : n.Op("relax.multiply", {x, x});
  Operand norm = Reduced(n, "relax.sum", each, {axis}, true);
  if (!one) norm = n.Op("relax.sqrt", {norm});
  return n.Elementwise("lp_normalization", {x, norm}, [](ScalarMath& m, const Scalars& v) {
    // The result for a vector of zeros is zero.
    const PrimRef zero = m.Const(0, v[1]->dtype());
    return m.Select(m.Eq(v[1], zero), zero, m.Div(v[0], v[1]));
  });
}

absl::StatusOr<Results> ImportMeanVariance(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_ASSIGN_OR_RETURN(const auto axes, n.Axes(n.Ints("axes", {0, 2, 3}), n.Rank(x)));
  const Operand mean = Reduced(n, "relax.mean", x, axes, true);
  const Operand off = n.Op("relax.subtract", {x, mean});
  const Operand variance = Reduced(n, "relax.mean", n.Op("relax.multiply", {off, off}), axes, true);
  return n.Elementwise("normalized", {off, variance}, [](ScalarMath& m, const Scalars& v) {
    return m.Div(v[0], m.Add(m.Call("sqrt", {v[1]}), m.Const(1e-9, v[1]->dtype())));
  });
}

}  // namespace lathe::onnx
