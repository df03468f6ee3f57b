// Imports activations with parameters as elementwise kernels, as ONNX defines them.
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"

namespace lathe::onnx {
namespace {

using ActivationElement = PrimRef (*)(NodeCall& n, ScalarMath& m, PrimRef x);

PrimRef Constant(ScalarMath& m, PrimRef x, double value) { return m.Const(value, x->dtype()); }
PrimRef Exp(ScalarMath& m, PrimRef x) { return m.Call("exp", {x}); }

PrimRef Celu(NodeCall& n, ScalarMath& m, PrimRef x) {
  const PrimRef alpha = Constant(m, x, n.Float("alpha", 1.0));
  const PrimRef low = m.Mul(alpha, m.Sub(Exp(m, m.Div(x, alpha)), One(m, x)));
  return m.Add(m.Max(x, Zero(m, x)), m.Min(Zero(m, x), low));
}
PrimRef Elu(NodeCall& n, ScalarMath& m, PrimRef x) {
  const PrimRef alpha = Constant(m, x, n.Float("alpha", 1.0));
  return m.Select(m.Lt(x, Zero(m, x)), m.Mul(alpha, m.Sub(Exp(m, x), One(m, x))), x);
}
PrimRef Selu(NodeCall& n, ScalarMath& m, PrimRef x) {
  const PrimRef alpha = Constant(m, x, n.Float("alpha", 1.67326319217681884765625));
  const PrimRef gamma = Constant(m, x, n.Float("gamma", 1.05070102214813232421875));
  const PrimRef low = m.Sub(m.Mul(alpha, Exp(m, x)), alpha);
  return m.Mul(gamma, m.Select(m.Lt(Zero(m, x), x), x, low));
}
PrimRef LeakyRelu(NodeCall& n, ScalarMath& m, PrimRef x) {
  const PrimRef alpha = Constant(m, x, n.Float("alpha", 0.01));
  return m.Select(m.Lt(x, Zero(m, x)), m.Mul(alpha, x), x);
}
PrimRef ThresholdedRelu(NodeCall& n, ScalarMath& m, PrimRef x) {
  return m.Select(m.Lt(Constant(m, x, n.Float("alpha", 1.0)), x), x, Zero(m, x));
}
PrimRef HardSigmoid(NodeCall& n, ScalarMath& m, PrimRef x) {
  const PrimRef line =
      m.Add(m.Mul(Constant(m, x, n.Float("alpha", 0.2)), x), Constant(m, x, n.Float("beta", 0.5)));
  return m.Max(Zero(m, x), m.Min(One(m, x), line));
}
PrimRef HardSwish(NodeCall&, ScalarMath& m, PrimRef x) {
  const PrimRef line = m.Add(m.Div(x, Constant(m, x, 6)), Constant(m, x, 0.5));
  return m.Mul(x, m.Max(Zero(m, x), m.Min(One(m, x), line)));
}
PrimRef Softplus(NodeCall&, ScalarMath& m, PrimRef x) {
  // log(1 + exp(x)) without overflow for large x.
  const PrimRef tail = m.Call("log1p", {Exp(m, m.Neg(m.Call("abs", {x})))});
  return m.Add(m.Max(x, Zero(m, x)), tail);
}
PrimRef Mish(NodeCall& n, ScalarMath& m, PrimRef x) {
  return m.Mul(x, m.Call("tanh", {Softplus(n, m, x)}));
}
PrimRef Softsign(NodeCall&, ScalarMath& m, PrimRef x) {
  return m.Div(x, m.Add(One(m, x), m.Call("abs", {x})));
}
PrimRef Swish(NodeCall& n, ScalarMath& m, PrimRef x) {
  const PrimRef scaled = m.Mul(x, Constant(m, x, n.Float("alpha", 1.0)));
  return m.Mul(x, m.Call("sigmoid", {scaled}));
}
PrimRef Reciprocal(NodeCall&, ScalarMath& m, PrimRef x) { return m.Div(One(m, x), x); }
PrimRef Gelu(NodeCall& n, ScalarMath& m, PrimRef x) {
  const auto c = [&](double value) { return Constant(m, x, value); };
  if (n.String("approximate", "none") == "tanh") {
    const PrimRef cube = m.Mul(m.Mul(x, x), x);
    const PrimRef inner = m.Mul(c(0.7978845608028654), m.Add(x, m.Mul(c(0.044715), cube)));
    return m.Mul(m.Mul(c(0.5), x), m.Add(c(1), m.Call("tanh", {inner})));
  }
  const PrimRef erf = m.Call("erf", {m.Mul(x, c(0.7071067811865476))});
  return m.Mul(m.Mul(c(0.5), x), m.Add(c(1), erf));
}
PrimRef Shrink(NodeCall& n, ScalarMath& m, PrimRef x) {
  const DType dtype = x->dtype();
  const double lambd = n.Float("lambd", 0.5), bias = n.Float("bias", 0);
  // Computes in float for integers, because the bounds may be fractions.
  const PrimRef v = m.Cast(x, dtype.is_floating() ? dtype : DType::Float(32));
  const auto c = [&](double value) { return Constant(m, v, value); };
  const PrimRef high = m.Select(m.Lt(c(lambd), v), m.Sub(v, c(bias)), c(0));
  return m.Cast(m.Select(m.Lt(v, c(-lambd)), m.Add(v, c(bias)), high), dtype);
}

// Floats under 32 bits are computed in float32 and rounded once.
PrimRef Widened(ScalarMath& m, PrimRef x) {
  const bool narrow = x->dtype().is_floating() && x->dtype().bits < 32;
  return narrow ? m.Cast(x, DType::Float(32)) : x;
}

struct ActivationRow {
  const char* op;
  ActivationElement element;
};
constexpr ActivationRow kActivations[] = {
    {"Celu", Celu},           {"Elu", Elu},
    {"Gelu", Gelu},           {"HardSigmoid", HardSigmoid},
    {"HardSwish", HardSwish}, {"LeakyRelu", LeakyRelu},
    {"Mish", Mish},           {"Reciprocal", Reciprocal},
    {"Selu", Selu},           {"Shrink", Shrink},
    {"Softplus", Softplus},   {"Softsign", Softsign},
    {"Swish", Swish},         {"ThresholdedRelu", ThresholdedRelu},
};

}  // namespace

absl::StatusOr<Results> ImportActivation(NodeCall& n) {
  for (const ActivationRow& row : kActivations) {
    if (n.op() != row.op) continue;
    return n.Elementwise(row.op, {n.In(0)}, [&](ScalarMath& m, const Scalars& x) {
      return m.Cast(row.element(n, m, Widened(m, x[0])), x[0]->dtype());
    });
  }
  return n.Unsupported() << "this activation is not supported";
}

// Multiplies the activation of one input by another of the same shape; nothing is broadcast.
absl::StatusOr<Results> ImportSwiglu(NodeCall& n) {
  const Operand gate = n.In(0), value = n.In(1);
  const Dims dims = n.DimsOf(gate), other = n.DimsOf(value);
  bool same = dims.size() == other.size();
  for (size_t a = 0; same && a < dims.size(); ++a) {
    const auto x = NodeCall::IntOf(dims[a]), y = NodeCall::IntOf(other[a]);
    same = !x || !y || *x == *y;
  }
  if (!same) return n.Error() << "both inputs must have the same shape";
  return n.Kernel("swiglu", {gate, value}, [&](Te& te) {
    NeedSameDims(n, te, other, dims, "input B");
    return te.Compute("out", dims, n.TypeOf(gate), [&](const Indices& at) {
      ScalarMath& m = te.math();
      const PrimRef x = Widened(m, te.At(te.Input(0), at));
      return m.Cast(m.Mul(Swish(n, m, x), Widened(m, te.At(te.Input(1), at))), n.TypeOf(gate));
    });
  });
}

}  // namespace lathe::onnx
