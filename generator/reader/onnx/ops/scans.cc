// Imports cumulative sums and products, also along an axis that is known only at run time.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Accumulates along the axis that input 1 specifies at run time.
Operand CumulativeAtRunTime(NodeCall& n, const Operand& x, bool exclusive, bool reverse) {
  const Dims dims = n.DimsOf(x);
  const DType dtype = n.TypeOf(x);
  const bool product = n.op() == "CumProd";
  PrimRef longest = n.ir().Int(1);
  for (PrimRef dim : dims) longest = n.Simplify(n.math().Max(longest, dim));
  return n.Kernel("cumulative", {x, n.In(1)}, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef start = m.Const(product ? 1 : 0, dtype);
    const PrimRef axis = OnlyEntry(te, 1);
    te.Need(m.InRange(axis, m.Int(-std::ssize(dims)), m.Int(std::ssize(dims))),
            absl::StrCat(n.op(), " needs an axis of a tensor of rank ", dims.size()));
    return te.Reduce("out", dims, {longest}, product ? te.Prod(dtype) : te.Sum(dtype),
                     [&](const Indices& at, const Indices& r) {
                       PrimRef value = start;
                       for (size_t a = 0; a < dims.size(); ++a) {
                         Indices source = at;
                         source[a] = m.Min(r[0], m.Sub(dims[a], m.Int(1)));
                         PrimRef before = reverse
                                              ? (exclusive ? m.Lt(at[a], r[0]) : m.Le(at[a], r[0]))
                                              : (exclusive ? m.Lt(r[0], at[a]) : m.Le(r[0], at[a]));
                         before = m.And(before, m.Lt(r[0], dims[a]));
                         const auto which = static_cast<int64_t>(a);
                         const PrimRef here = m.Or(m.Eq(axis, m.Int(which)),
                                                   m.Eq(axis, m.Int(which - std::ssize(dims))));
                         value = m.Select(m.And(here, before), te.At(te.Input(0), source), value);
                       }
                       return value;
                     });
  });
}

}  // namespace

absl::StatusOr<Results> ImportCumulative(NodeCall& n) {
  Operand x = n.In(0);
  const bool exclusive = n.Int("exclusive", 0) != 0, reverse = n.Int("reverse", 0) != 0;
  const auto known = n.ConstantInts(1);
  if (!known || known->size() != 1) return CumulativeAtRunTime(n, x, exclusive, reverse);
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis((*known)[0], n.Rank(x)));
  const std::string op = n.op() == "CumSum" ? "relax.cumsum" : "relax.cumprod";
  if (reverse) x = n.Op("relax.flip", {x}, {{"axis", axis}});
  x = n.Op(op, {x}, {{"axis", axis}, {"exclusive", exclusive}, {"dtype", n.TypeOf(x)}});
  return reverse ? n.Op("relax.flip", {x}, {{"axis", axis}}) : x;
}

}  // namespace lathe::onnx
