// Imports operators that create tensors: ranges, constants, identity and triangular matrices.
#include <cmath>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "generator/interp/data/tensor.h"
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Computes the length of a range, in double, from the kernel inputs start, delta and limit. It is
// exact for integers of 64 bits, and -1 for these by steps of 0.
PrimRef CountInRange(Te& te) {
  ScalarMath& m = te.math();
  const DType real = DType::Float(64), whole = DType::Int(64);
  const auto scalar = [&](int i) { return m.Cast(FirstOf(te, i), real); };
  const PrimRef apart = m.Sub(scalar(2), scalar(0));
  const PrimRef count = m.Max(m.Call("ceil", {m.Div(apart, scalar(1))}), m.Const(0, real));
  if (te.Input(0)->dtype != whole) return count;
  const PrimRef zero = m.Const(0, whole), by = FirstOf(te, 1), stops = m.Eq(by, zero);
  const PrimRef most = m.Const(4e18, real);
  // A difference that could overflow is not computed; such a range is too long or empty.
  const PrimRef is_far = m.Or(m.Lt(most, apart), m.Lt(apart, m.Neg(most)));
  const PrimRef left = m.IfThenElse(is_far, zero, m.Sub(FirstOf(te, 0), FirstOf(te, 2)));
  const PrimRef steps = m.FloorDiv(left, m.Select(stops, m.Const(1, whole), by));
  const PrimRef exact = m.Cast(m.Max(m.Neg(steps), zero), real);
  return m.Select(stops, m.Const(-1, real), m.Select(is_far, count, exact));
}

// The length of a range of constants; exact for integers of 64 bits.
double CountOf(NodeCall& n, const std::vector<double>& a, const std::vector<double>& b,
               const std::vector<double>& d) {
  const auto first = n.ConstantInts(0), limit = n.ConstantInts(1), by = n.ConstantInts(2);
  if (!first || !limit || !by) return std::max(0.0, std::ceil((b[0] - a[0]) / d[0]));
  const absl::int128 left = absl::int128((*first)[0]) - (*limit)[0], step = (*by)[0];
  absl::int128 steps = left / step;  // rounded toward 0, and then down
  if (left % step != 0 && (left < 0) != (step < 0)) --steps;
  return std::max(0.0, static_cast<double>(-steps));
}

}  // namespace

absl::StatusOr<Results> ImportConstantOfShape(NodeCall& n) {
  std::optional<Dims> dims = n.ElementsOf(0);
  if (!dims) dims = n.DeclaredDims(0);
  const bool at_run_time = dims && !n.ElementsOf(0);
  if (!dims) dims = SizesIn(n, 0);
  LATHE_RETURN_IF_ERROR(n.status());
  if (!dims)
    return n.Unsupported() << "a shape of dynamic length without a declared output shape is not "
                              "supported";
  LATHE_RETURN_IF_ERROR(n.NeedSizes(*dims));
  Operand value = n.Number(0, DType::Float(32));
  if (const Tensor* given = n.TensorAttribute("value")) {
    absl::StatusOr<ir::Constant> constant = ReadTensor(*given, n.import().folder);
    if (!constant.ok()) return n.Error() << "'value' " << constant.status().message();
    if (interp::CountElements(constant->shape) != 1)
      return n.Error() << "'value' must have one element";
    constant->shape = {};
    value = n.builder().Constant(*std::move(constant));
  }
  const Operand full = n.Op("relax.full", {n.Shape(*dims), value});
  if (!at_run_time) return full;
  return Checked(n, full, {n.In(0)}, [&](Te& te) { NeedEntries(n, te, 1, *dims, "the shape"); });
}

absl::StatusOr<Results> ImportRange(NodeCall& n) {
  const Operand start = n.In(0), delta = n.In(2);
  const DType dtype = n.TypeOf(start);
  std::optional<Dims> dims;
  bool at_run_time = false;
  const auto a = n.ConstantNumbers(0), b = n.ConstantNumbers(1), d = n.ConstantNumbers(2);
  if (a && b && d && a->size() == 1 && b->size() == 1 && d->size() == 1) {
    if ((*d)[0] == 0) return n.Error() << "'delta' must not be 0";
    const double count = CountOf(n, *a, *b, *d);
    if (!(count < 1e12)) return n.Error() << "the range has too many elements: " << count;
    dims = n.DimsFrom({static_cast<int64_t>(count)});
  } else if (const auto first = n.ElementsOf(0), last = n.ElementsOf(1);
             first && last && d && first->size() == 1 && last->size() == 1 && d->size() == 1 &&
             (*d)[0] == 1) {
    const PrimRef size = n.math().Max(n.math().Sub((*last)[0], (*first)[0]), n.ir().Int(0));
    dims = Dims{n.Simplify(size)};
  } else {
    dims = n.DeclaredDims(0);
    at_run_time = true;
    if (!dims) {
      dims = Dims{FoundDim(n, {start, delta, n.In(1)}, [](Te& te) {
        ScalarMath& m = te.math();
        const PrimRef most = m.Const(static_cast<double>(kFarthest), DType::Float(64));
        // A range by steps of 0 has no length: the size is then negative, and the run fails.
        const PrimRef count = CountInRange(te);
        const PrimRef fits = m.And(m.Le(m.Const(0, DType::Float(64)), count), m.Le(count, most));
        return m.Cast(m.Select(fits, count, m.Const(-1, DType::Float(64))), DType::Int(64));
      })};
    }
  }
  LATHE_RETURN_IF_ERROR(n.status());
  if (dims->size() != 1)
    return n.Error() << "the declared result must have rank 1, got " << dims->size();
  Operands args = {start, delta};
  if (at_run_time) args.push_back(n.In(1));
  return n.Kernel("range", args, [&](Te& te) {
    ScalarMath& m = te.math();
    if (at_run_time) {
      te.Need(m.Eq(CountInRange(te), m.Cast((*dims)[0], DType::Float(64))),
              absl::StrCat("Range needs as many numbers as the model declares, ",
                           ir::ToString((*dims)[0])));
    }
    return te.Compute("out", *dims, dtype, [&](const Indices& at) {
      return m.Add(FirstOf(te, 0), m.Mul(m.Cast(at[0], dtype), FirstOf(te, 1)));
    });
  });
}

absl::StatusOr<Results> ImportEyeLike(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 2));
  const DType dtype = DTypeOf(static_cast<int32_t>(n.Int("dtype", 0))).value_or(n.TypeOf(x));
  const int64_t k = n.Int("k", 0);
  return n.Kernel("eye_like", {}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", n.DimsOf(x), dtype, [&](const Indices& at) {
      return m.Select(m.Eq(m.Add(at[0], m.Int(k)), at[1]), m.Const(1, dtype), m.Const(0, dtype));
    });
  });
}

absl::StatusOr<Results> ImportTrilu(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 2));
  const bool upper = n.Int("upper", 1) != 0;
  Operands args = {x};
  if (n.Has(1)) args.push_back(n.In(1));
  return n.Kernel("trilu", args, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", n.DimsOf(x), n.TypeOf(x), [&](const Indices& at) {
      const PrimRef row = at[at.size() - 2], column = at.back();
      PrimRef k = m.Int(0);
      if (te.inputs() > 1) {
        k = OnlyEntry(te, 1);
      }
      const PrimRef diagonal = m.Add(row, k);
      const PrimRef kept = upper ? m.Le(diagonal, column) : m.Le(column, diagonal);
      return m.Select(kept, te.At(te.Input(0), at), m.Const(0, n.TypeOf(x)));
    });
  });
}

}  // namespace lathe::onnx
