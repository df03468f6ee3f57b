// Imports SVDF: a filter bank over features whose results of the last steps are kept.
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

struct SvdfForm {
  int64_t batch = 0, features = 0, filters = 0, memory = 0, rank = 1, units = 0;
};

absl::StatusOr<SvdfForm> SvdfFormOf(OpCall& c) {
  SvdfForm f;
  f.rank = c.Int("rank");
  for (const int i : {0, 1, 2, 4}) {
    if (!c.Has(i) || c.In(i).shape.size() != 2) {
      return c.Error() << "input " << i << " must be a matrix";
    }
  }
  f.batch = c.In(0).shape[0];
  f.features = c.In(0).shape[1];
  f.filters = c.In(1).shape[0];
  f.memory = c.In(2).shape[1];
  if (f.rank <= 0 || f.filters % f.rank != 0) {
    return c.Error() << f.filters << " filters are not divisible by the rank of " << f.rank;
  }
  f.units = f.filters / f.rank;
  if (c.In(1).shape[1] != f.features || c.In(2).shape[0] != f.filters ||
      c.In(4).shape != std::vector<int64_t>{f.batch, f.filters * f.memory} ||
      (c.Has(3) && c.In(3).shape != std::vector<int64_t>{f.units})) {
    return c.Error() << "weights, bias or state do not have the sizes of " << f.filters
                     << " filters with a memory of " << f.memory;
  }
  return f;
}

// Element `at` of the state after it moved to the left by one; null: the newest one of a filter.
Operand Moved(OpCall& c, const SvdfForm& f, const Operand& newest) {
  const DType dtype = c.TypeOf(c.Arg(4));
  return c.Kernel("move_state", {c.Arg(4), newest}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("state", c.DimsOf(c.Arg(4)), dtype, [&](const Indices& at) {
      const PrimRef filter = m.FloorDiv(at[1], m.Int(f.memory));
      const PrimRef slot = m.FloorMod(at[1], m.Int(f.memory));
      const PrimRef last = m.Int(f.filters * f.memory - 1);
      const PrimRef before = te.At(te.Input(0), {at[0], m.Min(m.Add(at[1], m.Int(1)), last)});
      return m.Select(m.Eq(slot, m.Int(f.memory - 1)), te.At(te.Input(1), {at[0], filter}), before);
    });
  });
}

// The sums over the memory of the filters of each unit.
Operand TimeSums(OpCall& c, const SvdfForm& f, const Operand& state, DType sums, int64_t zero) {
  return c.Kernel("time_sums", {state, c.Arg(2)}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce("out", c.DimsFrom({f.batch, f.units}), c.DimsFrom({f.rank, f.memory}),
                     te.Sum(sums), [&](const Indices& at, const Indices& r) {
                       const PrimRef filter = m.Add(m.Mul(at[1], m.Int(f.rank)), r[0]);
                       const PrimRef place = m.Add(m.Mul(filter, m.Int(f.memory)), r[1]);
                       PrimRef value = m.Cast(te.At(te.Input(0), {at[0], place}), sums);
                       if (zero != 0) value = m.Sub(value, m.ir().Int(zero, sums));
                       const PrimRef weight = m.Cast(te.At(te.Input(1), {filter, r[1]}), sums);
                       return m.Mul(weight, value);
                     });
  });
}

}  // namespace

absl::StatusOr<Results> ImportSvdf(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const SvdfForm f, SvdfFormOf(c));
  const int32_t variable = c.node().inputs[4];
  if (c.TypeOf(c.Arg(0)) == kReal && c.TypeOf(c.Arg(1)) == kReal) {
    const Operand newest = c.Op("relax.matmul", {c.Arg(0), c.Transposed(c.Arg(1), {1, 0})});
    const Operand state = Moved(c, f, newest);
    c.graph().SetVariable(variable, state);
    Operand out = TimeSums(c, f, state, kReal, 0);
    if (c.Has(3)) out = c.Op("relax.add", {out, c.Arg(3)});
    return FloatActivation(c, out, c.Int("activation"));
  }
  const DType kept = c.TypeOf(c.Arg(4));
  if (c.TypeOf(c.Arg(0)) != DType::Int(8) || c.TypeOf(c.Arg(1)) != DType::Int(8) || !c.Has(3) ||
      (kept != DType::Int(8) && kept != DType::Int(16))) {
    return c.Unsupported() << "SVDF of " << TypeName(c.In(0).type) << " data and "
                           << TypeName(c.In(4).type)
                           << " state; supported are float32, and int8 with a bias and an int8 or "
                              "int16 state";
  }
  const Affine x = c.InAffine(0), s = c.InAffine(4), out = c.OutAffine();
  const ops::FixedFactor to_state = ops::FixedFactorOf(x.scale * c.InAffine(1).scale / s.scale);
  const Operand sums = c.Op("relax.matmul",
                            {SubtractZeroPoint(c, c.Arg(0), x.zero, kWhole),
                             c.Transposed(c.Cast(c.Arg(1), kWhole), {1, 0})},
                            {{"out_dtype", kWhole}});
  const IntegerRange range = RangeOf(kept);
  // Clips before the zero point is added, and then wraps, as TFLM does.
  const Operand newest = c.Elementwise(
      "newest", {sums},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef clipped =
            ops::ClippedTo(m, ops::ScaledTwice(m, v[0], to_state), range.low, range.high, kWhole);
        return m.Cast(m.Add(clipped, m.ir().Int(s.zero, kWhole)), kept);
      },
      kept);
  const Operand state = Moved(c, f, newest);
  c.graph().SetVariable(variable, state);
  const Operand total = c.Op("relax.add", {TimeSums(c, f, state, kWhole, s.zero), c.Arg(3)});
  return RequantizedSums(c, total, {s.scale * c.InAffine(2).scale / out.scale}, -1,
                         RangeOf(c.OutType()));
}

}  // namespace lathe::tflite
