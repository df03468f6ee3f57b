// Imports LOCAL_RESPONSE_NORMALIZATION.
#include <algorithm>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {

// Divides by a power of the sum of squares of neighbouring channels. As in LiteRT, the last of the
// channels within the radius does not count.
absl::StatusOr<Results> ImportLocalResponseNormalization(OpCall& c) {
  const Operand x = c.Arg(0);
  const DType dtype = c.TypeOf(x);
  if (dtype != kReal || c.Rank(x) != 4) {
    return c.Unsupported() << "LOCAL_RESPONSE_NORMALIZATION of " << TypeName(c.In(0).type)
                           << " with " << c.Rank(x) << " dimensions; 4 of float32 are supported";
  }
  const int64_t radius = std::min<int64_t>(c.Int("radius"), c.In(0).shape[3]);
  if (radius < 0) return c.Error() << "the radius is " << radius;
  const double bias = c.Float("bias"), alpha = c.Float("alpha"), beta = c.Float("beta");
  const Dims dims = c.DimsOf(x), over = c.DimsFrom({2 * radius});
  return c.Kernel("local_response_norm", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef sums =
        te.Reduce("sums", dims, over, te.Sum(dtype), [&](const Indices& at, const Indices& r) {
          Indices from = at;
          from[3] = m.Add(at[3], m.Sub(r[0], m.Int(radius)));
          const PrimRef value = te.At(te.Input(0), from);
          return m.IfThenElse(m.InRange(from[3], m.Int(0), dims[3]), m.Mul(value, value),
                              m.Const(0, dtype));
        });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const DType real = DType::Float(64);
      const PrimRef base =
          m.Add(m.Const(bias, real), m.Mul(m.Const(alpha, real), m.Cast(te.At(sums, at), real)));
      const PrimRef power = m.Call("pow", {base, m.Const(-beta, real)});
      return m.Mul(te.At(te.Input(0), at), m.Cast(power, dtype));
    });
  });
}

}  // namespace lathe::tflite
