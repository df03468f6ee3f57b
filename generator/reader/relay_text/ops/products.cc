// Imports products of matrices.
#include <numeric>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/convolve.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

Operand Multiplied(OpCall& c, const Operand& a, const Operand& b, DType out_dtype) {
  ir::AttrMap attrs;
  if (c.TypeOf(a) != out_dtype || c.TypeOf(b) != out_dtype) attrs["out_dtype"] = out_dtype;
  if (c.TypeOf(a) != c.TypeOf(b)) {
    return c.Op("relax.matmul", {c.Cast(a, out_dtype), c.Cast(b, out_dtype)});
  }
  return c.Op("relax.matmul", {a, b}, std::move(attrs));
}

// Exchanges the last two axes.
Operand MatrixTransposed(OpCall& c, const Operand& x) {
  std::vector<int> order(static_cast<size_t>(c.Rank(x)));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return c.Transposed(x, order);
}

absl::StatusOr<DType> ProductDType(OpCall& c, const Operand& a, const Operand& b) {
  if (const auto dtype = c.DTypeAttr("out_dtype")) return *dtype;
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {a, b}));
  return c.TypeOf(a);
}

absl::Status CheckUnits(OpCall& c, PrimRef units) {
  const auto wanted = c.OptionalInt("units");
  if (!wanted || !Differ(units, c.ir().Int(*wanted))) return absl::OkStatus();
  return c.Error() << "units is " << *wanted << ", and the weight has " << ir::ToString(units);
}

}  // namespace

absl::StatusOr<Operand> DenseProduct(OpCall& c, const Operand& x, const Operand& w,
                                     DType out_dtype) {
  LATHE_RETURN_IF_ERROR(RequireRank(c, w, 2, "the weight"));
  if (c.Rank(x) < 1) return c.Error() << "the data is a scalar";
  LATHE_RETURN_IF_ERROR(CheckUnits(c, c.DimsOf(w)[0]));
  LATHE_RETURN_IF_ERROR(
      RequireSize(c, c.DimsOf(x).back(), c.DimsOf(w)[1], "the last axis of the data"));
  return Multiplied(c, x, c.Transposed(w, {1, 0}), out_dtype);
}

absl::StatusOr<Operand> BatchProduct(OpCall& c, Operand a, Operand b, DType out_dtype) {
  LATHE_RETURN_IF_ERROR(RequireRank(c, a, 3, "the first operand"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, b, 3, "the second operand"));
  if (c.Bool("transpose_a")) a = MatrixTransposed(c, a);
  if (c.Bool("transpose_b")) b = MatrixTransposed(c, b);
  const Dims x = c.DimsOf(a), y = c.DimsOf(b);
  const bool spread = OpCall::IntOf(x[0]) == 1 || OpCall::IntOf(y[0]) == 1;
  if (!spread) {
    LATHE_RETURN_IF_ERROR(RequireSize(c, y[0], x[0], "the batch of the second operand"));
  }
  LATHE_RETURN_IF_ERROR(RequireSize(c, y[1], x[2], "the reduced axis of the second operand"));
  return Multiplied(c, a, b, out_dtype);
}

absl::StatusOr<Operand> ImportDense(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const DType dtype, ProductDType(c, c.Arg(0), c.Arg(1)));
  return DenseProduct(c, c.Arg(0), c.Arg(1), dtype);
}

absl::StatusOr<Operand> ImportMatmul(OpCall& c) {
  Operand a = c.Arg(0), b = c.Arg(1);
  LATHE_ASSIGN_OR_RETURN(const DType dtype, ProductDType(c, a, b));
  LATHE_RETURN_IF_ERROR(RequireRank(c, b, 2, "the second operand"));
  if (c.Rank(a) < (c.Bool("transpose_a") ? 2 : 1))
    return c.Error() << "the first operand is too small";
  if (c.Bool("transpose_a")) a = MatrixTransposed(c, a);
  if (c.Bool("transpose_b")) b = MatrixTransposed(c, b);
  LATHE_RETURN_IF_ERROR(CheckUnits(c, c.DimsOf(b)[1]));
  LATHE_RETURN_IF_ERROR(
      RequireSize(c, c.DimsOf(b)[0], c.DimsOf(a).back(), "the reduced axis of the second operand"));
  return Multiplied(c, a, b, dtype);
}

absl::StatusOr<Operand> ImportBatchMatmul(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const DType dtype, ProductDType(c, c.Arg(0), c.Arg(1)));
  return BatchProduct(c, c.Arg(0), c.Arg(1), dtype);
}

absl::StatusOr<Operand> ImportBiasAdd(OpCall& c) {
  const Operand x = c.Arg(0), bias = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, bias}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, bias, 1, "the bias"));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  LATHE_RETURN_IF_ERROR(
      RequireSize(c, c.DimsOf(bias)[0], c.DimsOf(x)[static_cast<size_t>(axis)], "the bias"));
  return c.Op("relax.add", BroadcastTogether(c, {x, AlongAxis(c, bias, axis, c.Rank(x))}));
}

}  // namespace lathe::relay
