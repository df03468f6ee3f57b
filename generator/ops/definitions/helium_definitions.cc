#include "generator/ops/definitions/helium_definitions.h"

#include <cstdint>

#include "generator/ir/helium_products.h"
#include "generator/ops/te/fixed_point_math.h"
#include "generator/support/align_up.h"

namespace lathe::ops {

using ir::DType;
using ir::PrimRef;

namespace {

// Returns the result of `sum` for the scale at `at`: a factor, or a mantissa and a negative shift;
// the shifts follow `padded` mantissas.
PrimRef HeliumScaled(OperationArguments& a, PrimRef sum, size_t scales, PrimRef at,
                     int64_t padded) {
  ScalarMath& m = a.math();
  if (a.once()) return ScaledByFactor(a, sum, a.Load(scales, at));
  const PrimRef shift = m.Sub(WholeOf(m, 0), a.Load(scales, m.Add(at, m.Int(padded))));
  return m.Add(ScaledRight(m, sum, a.Load(scales, at), shift), WholeOf(m, a.Number(a.zero())));
}

}  // namespace

ir::StmtRef HeliumProducts(OperationArguments& a) {
  ScalarMath& m = a.math();
  const bool gathered = a.Number(7) != 0;
  const int64_t count = a.Number(4), each = a.Number(6);
  const int64_t pieces = gathered ? 1 : a.Number(2);
  const int64_t length = gathered ? count * a.Number(2) : count;
  const int64_t padded = each == 0 ? 1 : AlignUp(a.Number(5), ir::kHeliumSums);
  const size_t x = a.first();
  RowLayout layout;
  layout.start = [&](PrimRef c) { return a.Load(x + 2, c); };
  // As ir::HeliumIndex.
  layout.weight = [&](PrimRef c, PrimRef piece, PrimRef k) {
    PrimRef block = m.Mul(m.FloorDiv(c, m.Int(2)), m.Int(pieces));
    if (gathered) {
      k = m.Add(m.Mul(piece, m.Int(count)), k);
    } else {
      block = m.Add(block, piece);
    }
    const PrimRef lanes = m.Add(m.Mul(m.FloorDiv(k, m.Int(16)), m.Int(32)),
                                m.Mul(m.FloorMod(c, m.Int(2)), m.Int(16)));
    const PrimRef at = m.Add(m.Mul(block, m.Int(ir::HeliumPiece(length))), lanes);
    return Widened(m, a.Load(x + 1, m.Add(at, m.FloorMod(k, m.Int(16)))));
  };
  layout.scaled = [&](PrimRef sum, PrimRef c) {
    return HeliumScaled(a, sum, x + 3, m.Mul(c, m.Int(each)), padded);
  };
  return RowProducts(a, layout);
}

ir::StmtRef HeliumDepthwise(OperationArguments& a) {
  ScalarMath& m = a.math();
  const int64_t taps = a.Number(3) * a.Number(5);
  const size_t weights = a.first() + 1, numbers = a.first() + 2;
  const auto block = [&](PrimRef c) { return m.FloorDiv(c, m.Int(16)); };
  // As ir::HeliumChannelIndex and ir::HeliumBias.
  const auto weight = [&](PrimRef c, int64_t tap) {
    const PrimRef place = m.Add(m.Mul(block(c), m.Int(taps)), m.Int(tap));
    return Widened(m, a.Load(weights, m.Add(m.Mul(place, m.Int(16)), m.FloorMod(c, m.Int(16)))));
  };
  const auto upper = [&](PrimRef c) {
    return m.Mul(m.FloorDiv(m.FloorMod(c, m.Int(4)), m.Int(2)), m.Int(4));
  };
  const auto bias = [&](PrimRef c) {
    const PrimRef half = m.Add(m.Mul(block(c), m.Int(2)), m.FloorMod(c, m.Int(2)));
    const PrimRef lane = m.FloorDiv(m.FloorMod(c, m.Int(16)), m.Int(4));
    return m.Add(m.Mul(half, m.Int(ir::kHeliumNumbers)), m.Add(upper(c), lane));
  };
  const auto start = [&](PrimRef c) { return a.Load(numbers, bias(c)); };
  return ChannelProducts(a, start, weight, [&](PrimRef sum, PrimRef c) {
    const PrimRef mantissa = m.Add(bias(c), m.Add(upper(c), m.Int(8)));
    return HeliumScaled(a, sum, numbers, mantissa, 4);
  });
}

}  // namespace lathe::ops
