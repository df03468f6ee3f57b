// Imports products of quantized tensors: sums of (x - zero) * (w - zero) in int32. Their scales do
// not matter.
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/convolve.h"
#include "generator/reader/relay_text/ops/packed_weight.h"
#include "generator/reader/relay_text/ops/requantize.h"
#include "generator/reader/relay_text/ops/windows.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

const DType kInt32 = DType::Int(32);

struct Factors {
  Operand x, w;
};

// The factors without their zero points. Operands of one dtype with zero points of 0 stay as they
// are. Weights may have a zero point per element of `axis`.
absl::StatusOr<Factors> Centred(OpCall& c, const Operand& w, int axis) {
  const Operand x = c.Arg(0);
  for (const Operand& factor : {x, w}) {
    if (!c.TypeOf(factor).is_integer() || c.TypeOf(factor).bits > 16) {
      return c.Error() << "factors have to be integers of at most 16 bits";
    }
  }
  if (axis >= c.Rank(w)) return c.Error() << "the weight has " << c.Rank(w) << " dimensions";
  LATHE_RETURN_IF_ERROR(RequireZeros(c, 2, nullptr));
  LATHE_RETURN_IF_ERROR(RequireZeros(c, 3, c.DimsOf(w)[static_cast<size_t>(axis)]));
  LATHE_RETURN_IF_ERROR(RequireScales(c, 4, nullptr));
  LATHE_RETURN_IF_ERROR(RequireScales(c, 5, c.DimsOf(w)[static_cast<size_t>(axis)]));
  const bool plain = KnownZero(c, c.Arg(2)) == 0 && KnownZero(c, c.Arg(3)) == 0;
  if (plain && c.TypeOf(x) == c.TypeOf(w)) return Factors{x, w};
  const auto centred = [&](const Operand& factor, const Operand& zero) {
    const Operand wide = c.Cast(factor, kInt32);
    if (KnownZero(c, zero) == 0) return wide;
    const bool single = c.Rank(zero) == 0 || OpCall::IntOf(c.DimsOf(zero)[0]) == 1;
    return c.Op("relax.subtract",
                {wide, single ? c.Reshape(zero, {}) : AlongAxis(c, zero, axis, c.Rank(factor))});
  };
  return Factors{centred(x, c.Arg(2)), centred(w, c.Arg(3))};
}

absl::StatusOr<DType> SumDTypeOf(OpCall& c) {
  const DType dtype = c.DTypeAttr("out_dtype").value_or(kInt32);
  if (dtype == kInt32 || dtype == DType::Int(16)) return dtype;
  return c.Error() << "out_dtype is '" << c.Str("out_dtype") << "'; supported: int16, int32";
}

}  // namespace

absl::StatusOr<Operand> ImportQnnConv(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> out_axis,
                         AxesOfLayout(c, c.Str("kernel_layout"), "O"));
  LATHE_ASSIGN_OR_RETURN(const DType dtype, SumDTypeOf(c));
  LATHE_ASSIGN_OR_RETURN(const Factors factors, Centred(c, c.Arg(1), out_axis[0]));
  LATHE_ASSIGN_OR_RETURN(const Operand sums, Convolved(c, factors.x, factors.w, kInt32));
  return c.Cast(sums, dtype);
}

absl::StatusOr<Operand> ImportQnnDense(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const DType dtype, SumDTypeOf(c));
  LATHE_ASSIGN_OR_RETURN(const Factors factors, Centred(c, c.Arg(1), 0));
  LATHE_ASSIGN_OR_RETURN(const Operand sums, DenseProduct(c, factors.x, factors.w, kInt32));
  return c.Cast(sums, dtype);
}

absl::StatusOr<Operand> ImportQnnDensePack(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const DType dtype, SumDTypeOf(c));
  LATHE_ASSIGN_OR_RETURN(const Operand w, UnpackedWeight(c, c.Arg(1)));
  LATHE_ASSIGN_OR_RETURN(const Factors factors, Centred(c, w, 0));
  LATHE_ASSIGN_OR_RETURN(const Operand sums, DenseProduct(c, factors.x, factors.w, kInt32));
  return c.Cast(sums, dtype);
}

absl::StatusOr<Operand> ImportQnnBatchMatmul(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const DType dtype, SumDTypeOf(c));
  LATHE_ASSIGN_OR_RETURN(const Factors factors, Centred(c, c.Arg(1), 0));
  LATHE_ASSIGN_OR_RETURN(const Operand sums, BatchProduct(c, factors.x, factors.w, kInt32));
  return c.Cast(sums, dtype);
}

}  // namespace lathe::relay
