#include "generator/reader/onnx/recurrent_activations.h"

#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace lathe::onnx {
namespace {

using RecurrentElement = PrimRef (*)(ScalarMath& m, PrimRef v, PrimRef alpha, PrimRef beta);

PrimRef Affine(ScalarMath& m, PrimRef v, PrimRef a, PrimRef b) { return m.Add(m.Mul(a, v), b); }
PrimRef LeakyRelu(ScalarMath& m, PrimRef v, PrimRef a, PrimRef) {
  return m.Select(m.Lt(v, Zero(m, v)), m.Mul(a, v), v);
}
PrimRef ThresholdedRelu(ScalarMath& m, PrimRef v, PrimRef a, PrimRef) {
  return m.Select(m.Lt(a, v), v, Zero(m, v));
}
PrimRef ScaledTanh(ScalarMath& m, PrimRef v, PrimRef a, PrimRef b) {
  return m.Mul(a, m.Call("tanh", {m.Mul(b, v)}));
}
PrimRef HardSigmoid(ScalarMath& m, PrimRef v, PrimRef a, PrimRef b) {
  return m.Max(Zero(m, v), m.Min(One(m, v), m.Add(m.Mul(a, v), b)));
}
PrimRef Elu(ScalarMath& m, PrimRef v, PrimRef a, PrimRef) {
  // Clamps before the exponential, which would overflow for large elements that the select
  // discards.
  const PrimRef low = m.Sub(m.Call("exp", {m.Min(v, Zero(m, v))}), One(m, v));
  return m.Select(m.Lt(v, Zero(m, v)), m.Mul(a, low), v);
}
PrimRef Softsign(ScalarMath& m, PrimRef v, PrimRef, PrimRef) {
  return m.Div(v, m.Add(One(m, v), m.Call("abs", {v})));
}
PrimRef Softplus(ScalarMath& m, PrimRef v, PrimRef, PrimRef) {
  const PrimRef tail = m.Call("log1p", {m.Call("exp", {m.Neg(m.Call("abs", {v}))})});
  return m.Add(m.Max(v, Zero(m, v)), tail);
}

// A parameter: whether the activation has it, and its default.
struct ActivationParameter {
  bool taken = false;
  std::optional<double> otherwise = std::nullopt;
};
struct RecurrentRow {
  const char* name;   // ONNX name
  const char* relax;  // Relax operator, or null
  RecurrentElement element;
  ActivationParameter alpha = {}, beta = {};
};
constexpr RecurrentRow kRecurrentActivations[] = {
    {"Sigmoid", "relax.sigmoid", nullptr},
    {"Tanh", "relax.tanh", nullptr},
    {"Relu", "relax.nn.relu", nullptr},
    {"Affine", nullptr, Affine, {true, 1.0}, {true, 0.0}},
    {"LeakyRelu", nullptr, LeakyRelu, {true, 0.01}},
    {"ThresholdedRelu", nullptr, ThresholdedRelu, {true, 1.0}},
    {"ScaledTanh", nullptr, ScaledTanh, {true}, {true}},
    {"HardSigmoid", nullptr, HardSigmoid, {true, 0.2}, {true, 0.5}},
    {"Elu", nullptr, Elu, {true, 1.0}},
    {"Softsign", nullptr, Softsign},
    {"Softplus", nullptr, Softplus},
};

const RecurrentRow* FindRow(const std::string& name) {
  for (const RecurrentRow& row : kRecurrentActivations) {
    if (absl::AsciiStrToLower(row.name) == absl::AsciiStrToLower(name)) return &row;
  }
  return nullptr;
}

// Consumes the next of `values` if the activation has the parameter.
absl::StatusOr<double> Take(NodeCall& n, const RecurrentRow& row,
                            const ActivationParameter& parameter, const char* attribute,
                            const std::vector<double>& values, size_t& next) {
  if (!parameter.taken) return 0.0;
  if (next < values.size()) return values[next++];
  if (parameter.otherwise) return *parameter.otherwise;
  return n.Error() << "activation '" << row.name << "' needs an entry of " << attribute;
}

}  // namespace

absl::StatusOr<std::vector<Activation>> ActivationsOf(NodeCall& n,
                                                      const std::vector<std::string>& defaults,
                                                      int directions) {
  std::vector<std::string> names = n.StringList("activations");
  for (int k = 0; k < directions && !n.HasAttribute("activations"); ++k) {
    names.insert(names.end(), defaults.begin(), defaults.end());
  }
  const size_t count = defaults.size() * static_cast<size_t>(directions);
  if (names.size() != count) {
    return n.Error() << names.size() << " activations, but " << count << " are needed";
  }
  const std::vector<double> alphas = n.Floats("activation_alpha");
  const std::vector<double> betas = n.Floats("activation_beta");
  size_t alpha = 0, beta = 0;
  std::vector<Activation> activations;
  for (const std::string& name : names) {
    const RecurrentRow* row = FindRow(name);
    if (row == nullptr) {
      std::string known;
      for (const RecurrentRow& r : kRecurrentActivations)
        absl::StrAppend(&known, known.empty() ? "" : ", ", r.name);
      return n.Error() << "activation '" << name << "' is unknown; supported: " << known;
    }
    auto a = Take(n, *row, row->alpha, "activation_alpha", alphas, alpha);
    if (!a.ok()) return a.status();
    auto b = Take(n, *row, row->beta, "activation_beta", betas, beta);
    if (!b.ok()) return b.status();
    activations.push_back({absl::AsciiStrToLower(row->name), *a, *b});
  }
  return activations;
}

Operand Clipped(NodeCall& n, const Operand& x) {
  if (!n.HasAttribute("clip")) return x;
  const double clip = n.Float("clip", 0);
  if (clip < 0) return x;
  return n.Elementwise("clip", {x}, [&](ScalarMath& m, const Scalars& v) {
    const DType t = v[0]->dtype();
    return m.Max(m.Min(v[0], m.Const(clip, t)), m.Const(0.0 - clip, t));
  });
}

Operand Activate(NodeCall& n, const Activation& activation, const Operand& x) {
  const RecurrentRow& row = *FindRow(activation.name);
  if (row.relax != nullptr) return n.Op(row.relax, {x});
  return n.Elementwise("activation", {x}, [&](ScalarMath& m, const Scalars& v) {
    const DType t = v[0]->dtype();
    return row.element(m, v[0], m.Const(activation.alpha, t), m.Const(activation.beta, t));
  });
}

}  // namespace lathe::onnx
