// Imports random operators; random_draws.h generates the numbers.
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/random_draws.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Shape and type of a result, from an input or from attributes.
struct Made {
  Dims dims;
  DType dtype;
};
absl::StatusOr<Made> WhatIsMade(NodeCall& n) {
  Made made{{}, DType::Float(32)};
  if (n.inputs() > 0) {
    made.dims = n.DimsOf(n.In(0));
    made.dtype = n.TypeOf(n.In(0));
  } else {
    made.dims = n.DimsFrom(n.Ints("shape"));
    LATHE_RETURN_IF_ERROR(n.NeedSizes(made.dims));
  }
  if (n.HasAttribute("dtype")) {
    const auto dtype = DTypeOf(static_cast<int32_t>(n.Int("dtype", 0)));
    if (!dtype)
      return n.Unsupported() << "random numbers of this dtype are not supported; supported: floats";
    made.dtype = *dtype;
  }
  const bool whole = n.op() == "Bernoulli";
  if (!whole && !made.dtype.is_floating()) {
    return n.Error() << "random numbers must be floats, not " << ir::ToString(made.dtype);
  }
  return made;
}

// Returns a comparison that is true with probability `share`.
PrimRef IsBelow(ScalarMath& m, PrimRef draw, PrimRef share) {
  const DType wide = share->dtype() == DType::Float(64) ? share->dtype() : DType::Float(32);
  const PrimRef bound = m.Call("ceil", {m.Mul(m.Cast(share, wide), m.Const(kDraws, wide))});
  const PrimRef inside = m.Max(m.Min(bound, m.Const(kDraws, wide)), m.Const(0, wide));
  return m.Lt(draw, m.Cast(inside, DType::Int(64)));
}

absl::StatusOr<Results> Random(
    NodeCall& n, int each,
    const std::function<PrimRef(Te&, const Indices&, const Scalars&)>& element) {
  LATHE_ASSIGN_OR_RETURN(const Made made, WhatIsMade(n));
  const uint32_t seed = SeedOf(n);
  Operands args;
  if (n.op() == "Bernoulli") args.push_back(n.In(0));
  return n.Kernel("random", args, [&](Te& te) {
    ir::BufferRef out = te.Allocate("out", made.dims, made.dtype);
    DrawEach(te, made.dims, seed, each,
             [&](ops::Statements& s, const Indices& at, const Scalars& draws) {
               s.Store(out, at, te.math().Cast(element(te, at, draws), made.dtype));
             });
    return out;
  });
}

}  // namespace

absl::StatusOr<Results> ImportRandomUniform(NodeCall& n) {
  const double low = n.Float("low", 0), high = n.Float("high", 1);
  return Random(n, 1, [&](Te& te, const Indices&, const Scalars& draws) {
    ScalarMath& m = te.math();
    const DType wide = DType::Float(64);
    const PrimRef part = m.Mul(m.Cast(draws[0], wide), m.Const((high - low) / kDraws, wide));
    return m.Add(part, m.Const(low, wide));
  });
}

// Uses the Box-Muller transform.
absl::StatusOr<Results> ImportRandomNormal(NodeCall& n) {
  const double mean = n.Float("mean", 0), scale = n.Float("scale", 1);
  return Random(n, 2, [&](Te& te, const Indices&, const Scalars& draws) {
    ScalarMath& m = te.math();
    const DType wide = DType::Float(32);
    // Excludes 0, whose logarithm is infinite.
    const PrimRef left = m.Sub(m.Int(int64_t{1} << kDrawnBits), draws[0]);
    const PrimRef part = m.Mul(m.Cast(left, wide), m.Const(1 / kDraws, wide));
    const PrimRef radius = m.Call("sqrt", {m.Mul(m.Call("log", {part}), m.Const(-2, wide))});
    constexpr double kTurn = 6.283185307179586;
    const PrimRef angle = m.Mul(m.Cast(draws[1], wide), m.Const(kTurn / kDraws, wide));
    const PrimRef normal = m.Mul(radius, m.Call("cos", {angle}));
    return m.Add(m.Mul(normal, m.Const(scale, wide)), m.Const(mean, wide));
  });
}

absl::StatusOr<Results> ImportBernoulli(NodeCall& n) {
  return Random(n, 1, [&](Te& te, const Indices& at, const Scalars& draws) {
    ScalarMath& m = te.math();
    const PrimRef share = te.At(te.Input(0), at);
    return m.Select(IsBelow(m, draws[0], share), m.Int(1), m.Int(0));
  });
}

// Samples from each row of unnormalized log-probabilities: the first class whose cumulative
// probability exceeds the number drawn.
absl::StatusOr<Results> ImportMultinomial(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  if (from.size() != 2) return n.Error() << "the input must have rank 2, got " << from.size();
  const auto dtype = DTypeOf(static_cast<int32_t>(n.Int("dtype", 6)));
  if (dtype != DType::Int(32) && dtype != DType::Int(64))
    return n.Error() << "'dtype' must be int32 or int64";
  const PrimRef samples = n.ir().Int(n.Int("sample_size", 1)), classes = from[1];
  LATHE_RETURN_IF_ERROR(n.NeedSizes({samples}));
  const uint32_t seed = SeedOf(n);
  const DType wide = DType::Float(64);
  return n.Kernel("multinomial", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    te.Need(m.Lt(m.Int(0), classes), "Multinomial needs at least one class");
    const auto logit = [&](PrimRef row, PrimRef k) {
      return m.Cast(te.At(te.Input(0), {row, k}), wide);
    };
    ir::BufferRef most =
        te.Reduce("most", {from[0]}, {classes}, te.Max(wide),
                  [&](const Indices& at, const Indices& r) { return logit(at[0], r[0]); });
    ir::BufferRef below = te.Scan("below", from, 1, te.Sum(wide), [&](const Indices& at) {
      return m.Call("exp", {m.Sub(logit(at[0], at[1]), te.At(most, {at[0]}))});
    });
    const Dims dims = {from[0], samples};
    ir::BufferRef out = te.Allocate("out", dims, *dtype);
    DrawEach(te, dims, seed, 1, [&](ops::Statements& s, const Indices& at, const Scalars& draws) {
      const PrimRef all = te.At(below, {at[0], m.Sub(classes, m.Int(1))});
      const PrimRef part = m.Mul(m.Cast(draws[0], wide), m.Const(1 / kDraws, wide));
      const PrimRef goal = s.Let("goal", m.Mul(part, all));
      s.Store(out, at, m.Const(0, *dtype));
      s.For("k", m.Sub(classes, m.Int(1)), [&](PrimRef k) {
        s.If(m.Le(te.At(below, {at[0], k}), goal),
             [&] { s.Store(out, at, m.Cast(m.Add(k, m.Int(1)), *dtype)); });
      });
    });
    return out;
  });
}

// Drops elements only in training mode.
absl::StatusOr<Results> ImportDropout(NodeCall& n) {
  const Operand x = n.In(0);
  const auto training = n.ConstantInts(2);
  const auto known = n.ConstantNumbers(1);
  const DType dtype = n.TypeOf(x);
  const Dims dims = n.DimsOf(x);
  if (!n.Has(2) || (training && training->size() == 1 && (*training)[0] == 0) ||
      (known && known->size() == 1 && (*known)[0] == 0)) {
    const DType flag = n.opset() >= 10 ? DType::Bool() : dtype;
    return std::vector<Term>{n.term(0),
                             Term(n.Op("relax.full", {n.Shape(dims), n.Number(1, flag)}))};
  }
  const Operand ratio = n.Has(1) ? n.In(1) : n.Number(0.5, DType::Float(32));
  const uint32_t seed = SeedOf(n);
  return n.Kernels("drop", {x, ratio, n.In(2)}, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef share = FirstOf(te, 1), trains = FirstOf(te, 2);
    const PrimRef none = m.Const(0, share->dtype()), one = m.Const(1, share->dtype());
    te.Need(m.And(m.Le(none, share), m.Lt(share, one)), "Dropout needs a ratio from 0 to below 1");
    ir::BufferRef mask = te.Allocate("mask", dims, DType::Bool());
    DrawEach(te, dims, seed, 1, [&](ops::Statements& s, const Indices& at, const Scalars& draws) {
      s.Store(mask, at, m.Not(m.And(trains, IsBelow(m, draws[0], share))));
    });
    const PrimRef grown = m.Div(one, m.Sub(one, share));
    const PrimRef scale = m.Cast(m.Select(trains, grown, one), dtype);
    ir::BufferRef out = te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef kept = m.Mul(te.At(te.Input(0), at), scale);
      return m.Select(te.At(mask, at), kept, m.Const(0, dtype));
    });
    return std::vector{out, te.Compute("kept", dims, DType::Bool(),
                                       [&](const Indices& at) { return te.At(mask, at); })};
  });
}

}  // namespace lathe::onnx
