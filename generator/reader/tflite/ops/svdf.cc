// Imports SVDF: a filter bank over features whose results of the last steps are kept.
#include <optional>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/hybrid.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/row_products.h"
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

// The sums over the memory of the filters of each unit. Filters are added up one by one, from
// `start` on, which has a value per unit.
Operand TimeSums(OpCall& c, const SvdfForm& f, const Operand& state, const Operand& weights,
                 DType sums, int64_t zero, const std::optional<Operand>& start = std::nullopt) {
  Operands args = {state, weights};
  if (start) args.push_back(*start);
  return c.Kernel("time_sums", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef each =
        te.Reduce("each", c.DimsFrom({f.batch, f.filters}), c.DimsFrom({f.memory}), te.Sum(sums),
                  [&](const Indices& at, const Indices& r) {
                    const PrimRef place = m.Add(m.Mul(at[1], m.Int(f.memory)), r[0]);
                    PrimRef value = m.Cast(te.At(te.Input(0), {at[0], place}), sums);
                    if (zero != 0) value = m.Sub(value, m.ir().Int(zero, sums));
                    return m.Mul(m.Cast(te.At(te.Input(1), {at[1], r[0]}), sums), value);
                  });
    const Dims units = c.DimsFrom({f.batch, f.units});
    const BufferRef out = te.Allocate("out", units, sums);
    te.Run("units", units, [&](ops::Statements& s, const Indices& at) {
      s.Store(out, at, start ? te.At(te.Input(2), {at[1]}) : m.Const(0, sums));
      s.For("rank", m.Int(f.rank), [&](PrimRef r) {
        const PrimRef filter = m.Add(m.Mul(at[1], m.Int(f.rank)), r);
        s.Store(out, at, m.Add(te.At(out, at), te.At(each, {at[0], filter})));
      });
    });
    return out;
  });
}

// Float data with float weights, or with int8 weights of the features and of the time.
absl::StatusOr<Results> FloatSvdf(OpCall& c, const SvdfForm& f) {
  LATHE_ASSIGN_OR_RETURN(const WeightKind kind, WeightKindOf(c, {1}));
  if (c.TypeOf(c.Arg(4)) != kReal || (c.Has(3) && c.TypeOf(c.Arg(3)) != kReal)) {
    return c.Error() << "state and bias of float data must be float32";
  }
  Operand newest = c.Arg(0), weights = c.Arg(2);
  if (kind.hybrid) {
    SumForm form;
    form.dtype = kWhole;
    form.scales = {c.InAffine(1).scale};
    const HybridForm how = {kind.asymmetric, false, 1, -1};
    LATHE_ASSIGN_OR_RETURN(
        const Results made,
        HybridSums(c, form, c.Arg(0), how, [&](const Operand& x, const Operand& w) {
          return c.Op("relax.matmul", {x, c.Transposed(w, {1, 0})}, {{"out_dtype", kWhole}});
        }));
    newest = made.operands[0];
    if (c.In(2).type == kInt8) weights = Dequantized(c, 2);
  } else {
    newest = c.Op("relax.matmul", {c.Arg(0), c.Transposed(c.Arg(1), {1, 0})});
  }
  if (c.TypeOf(weights) != kReal) {
    return c.Unsupported() << "SVDF of float data with " << TypeName(c.In(2).type)
                           << " weights of the time";
  }
  const Operand state = Moved(c, f, newest);
  c.graph().SetVariable(c.node().inputs[4], state);
  // TFLM starts with the bias; LiteRT, which alone has integer weights, adds it at the end.
  const bool starts = c.Has(3) && !kind.hybrid;
  Operand out = TimeSums(c, f, state, weights, kReal, 0,
                         starts ? std::optional<Operand>(c.Arg(3)) : std::nullopt);
  if (c.Has(3) && kind.hybrid) out = c.Op("relax.add", {out, c.Arg(3)});
  return EveryActivation(c, out, c.Int("activation"));
}

}  // namespace

absl::StatusOr<Results> ImportSvdf(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const SvdfForm f, SvdfFormOf(c));
  const int32_t variable = c.node().inputs[4];
  if (c.TypeOf(c.Arg(0)) == kReal) return FloatSvdf(c, f);
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
  const Operand total =
      c.Op("relax.add", {TimeSums(c, f, state, c.Arg(2), kWhole, s.zero), c.Arg(3)});
  return RequantizedSums(c, total, {s.scale * c.InAffine(2).scale / out.scale}, -1,
                         RangeOf(c.OutType()));
}

}  // namespace lathe::tflite
