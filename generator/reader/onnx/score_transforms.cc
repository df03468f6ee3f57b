#include "generator/reader/onnx/score_transforms.h"

#include <string>

namespace lathe::onnx {
namespace {

struct TransformName {
  const char* name;
  ScoreTransform transform;
};
constexpr TransformName kTransformNames[] = {{"NONE", ScoreTransform::kNone},
                                             {"SOFTMAX", ScoreTransform::kSoftmax},
                                             {"LOGISTIC", ScoreTransform::kLogistic},
                                             {"SOFTMAX_ZERO", ScoreTransform::kSoftmaxZero},
                                             {"PROBIT", ScoreTransform::kProbit}};

// The approximation of the inverse error function by Winitzki, with the constants that runtimes of
// ONNX share, so that results agree with theirs.
PrimRef ProbitOf(ScalarMath& m, PrimRef x) {
  const DType t = x->dtype();
  const auto c = [&](double value) { return m.Const(value, t); };
  const PrimRef y = m.Sub(m.Mul(c(2), x), c(1));
  const PrimRef log = m.Call("log", {m.Mul(m.Sub(c(1), y), m.Add(c(1), y))});
  const PrimRef a = m.Add(c(2 / (3.14159 * 0.147)), m.Mul(c(0.5), log));
  const PrimRef root = m.Call("sqrt", {m.Sub(m.Mul(a, a), m.Mul(c(1 / 0.147), log))});
  const PrimRef size = m.Call("sqrt", {m.Sub(root, a)});
  return m.Mul(c(1.41421356), m.Select(m.Lt(y, c(0)), m.Neg(size), size));
}

// Scores near zero stand for absent classes: they stay near zero and do not count in the sum.
Operand SoftmaxZero(NodeCall& n, const Operand& scores) {
  const Dims dims = n.DimsOf(scores);
  return n.Kernel("softmax_zero", {scores}, [&](Te& te) {
    ScalarMath& m = te.math();
    const DType t = n.TypeOf(scores);
    const auto near_zero = [&](PrimRef x) { return m.Le(m.Call("abs", {x}), m.Const(1e-7, t)); };
    ir::BufferRef most = te.Reduce("most", {dims[0]}, {dims[1]}, te.Max(t),
                                   [&](const Indices& at, const Indices& r) {
                                     return te.At(te.Input(0), {at[0], r[0]});
                                   });
    ir::BufferRef power = te.Compute("power", dims, t, [&](const Indices& at) {
      const PrimRef x = te.At(te.Input(0), at), top = te.At(most, {at[0]});
      return m.Select(near_zero(x), m.Mul(x, m.Call("exp", {m.Neg(top)})),
                      m.Call("exp", {m.Sub(x, top)}));
    });
    ir::BufferRef sum =
        te.Reduce("sum", {dims[0]}, {dims[1]}, te.Sum(t), [&](const Indices& at, const Indices& r) {
          const PrimRef x = te.At(te.Input(0), {at[0], r[0]});
          return m.Select(near_zero(x), m.Const(0, t), te.At(power, {at[0], r[0]}));
        });
    return te.Compute("out", dims, t, [&](const Indices& at) {
      // Without any score the classes share the probability, as nothing distinguishes them.
      const PrimRef all = te.At(sum, {at[0]}), none = m.Eq(all, m.Const(0, t));
      const PrimRef share = m.Div(m.Const(1, t), m.Cast(dims[1], t));
      return m.Select(none, share, m.Div(te.At(power, at), m.Select(none, m.Const(1, t), all)));
    });
  });
}

}  // namespace

absl::StatusOr<ScoreTransform> ReadScoreTransform(NodeCall& n) {
  const std::string name = n.String("post_transform", "NONE");
  for (const TransformName& row : kTransformNames) {
    if (name == row.name) return row.transform;
  }
  return n.Error() << "unknown post_transform '" << name
                   << "'; known: NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO, PROBIT";
}

absl::StatusOr<ScoreTransform> ReadNumberedTransform(NodeCall& n) {
  const int64_t number = n.Int("post_transform", 0);
  if (number < 0 || number > static_cast<int64_t>(ScoreTransform::kProbit)) {
    return n.Error() << "'post_transform' must be 0 to 4, not " << number;
  }
  return static_cast<ScoreTransform>(number);
}

PrimRef LogisticOf(ScalarMath& m, PrimRef x) {
  const PrimRef one = m.Const(1, x->dtype());
  const PrimRef size = m.Call("abs", {x});
  const PrimRef upper = m.Div(one, m.Add(one, m.Call("exp", {m.Neg(size)})));
  return m.Select(m.Lt(x, m.Const(0, x->dtype())), m.Sub(one, upper), upper);
}

Operand TwoScores(NodeCall& n, const Operand& scores, OtherScore other) {
  const Dims dims = {n.DimsOf(scores)[0], n.ir().Int(2)};
  const DType t = n.TypeOf(scores);
  return n.Kernel("two_scores", {scores}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, t, [&](const Indices& at) {
      const PrimRef score = te.At(te.Input(0), {at[0], m.Int(0)});
      const PrimRef first =
          other == OtherScore::kNegative ? m.Neg(score) : m.Sub(m.Const(1, t), score);
      return m.Select(m.Eq(at[1], m.Int(0)), first, score);
    });
  });
}

Operand TransformScores(NodeCall& n, const Operand& scores, ScoreTransform transform) {
  switch (transform) {
    case ScoreTransform::kNone:
      return scores;
    case ScoreTransform::kSoftmax:
      return n.Op("relax.nn.softmax", {scores}, {{"axis", int64_t{1}}});
    case ScoreTransform::kLogistic:
      return n.Elementwise("logistic", {scores},
                           [&](ScalarMath& m, const Scalars& x) { return LogisticOf(m, x[0]); });
    case ScoreTransform::kSoftmaxZero:
      return SoftmaxZero(n, scores);
    case ScoreTransform::kProbit:
      return n.Elementwise("probit", {scores},
                           [&](ScalarMath& m, const Scalars& x) { return ProbitOf(m, x[0]); });
  }
  return scores;
}

}  // namespace lathe::onnx
