#include <array>
#include <optional>

#include "absl/strings/str_cat.h"
#include "generator/reader/tflite/ops/lstm.h"
#include "generator/reader/tflite/ops/lstm_kernel.h"
#include "generator/reader/tflite/ops/row_products.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// Emits the gates and the new values of a float layer.
class FloatLstmWriter {
 public:
  FloatLstmWriter(OpCall& c, const LstmForm& form, const LstmKernel& k, WeightKind kind)
      : c_(c), form_(form), k_(k), kind_(kind) {}

  std::vector<BufferRef> Write(Te& te) {
    te_ = &te;
    to_ = {te.Allocate("hidden", c_.DimsFrom({k_.at.batch, k_.outputs}), kReal),
           te.Allocate("cell", c_.DimsFrom({k_.at.batch, k_.units}), kReal),
           te.Allocate("output", c_.DimsFrom(k_.at.Shape(k_.outputs)), kReal)};
    const Dims units = c_.DimsFrom({k_.units});
    for (size_t g = 0; g < kLstmGates; ++g) {
      gate_[g] = te.Allocate(absl::StrCat("gate", g), units, kReal);
    }
    x_.emplace(te, "x", k_.at.width, kind_);
    hidden_.emplace(te, "h", k_.outputs, kind_);
    if (k_.projection >= 0) {
      unprojected_ = te.Allocate("unprojected", units, kReal);
      projected_.emplace(te, "p", k_.units, kind_);
    }
    if (k_.normalized()) {
      mean_ = te.Allocate("mean", {}, kReal);
      deviation_ = te.Allocate("deviation", {}, kReal);
    }
    EmitLstm(te, k_, to_, [this](Statements& s, PrimRef step, PrimRef row) { Run(s, step, row); });
    return {to_.output, to_.hidden, to_.cell};
  }

 private:
  using Statements = ops::Statements;

  ScalarMath& m() { return te_->math(); }
  PrimRef At(int input, Indices at) { return te_->At(te_->Input(input), std::move(at)); }
  PrimRef ValueOf(BufferRef b) { return te_->At(b, {}); }
  PrimRef Clipped(PrimRef x, double clip) {
    if (!(clip > 0)) return x;
    return m().Max(m().Min(x, m().Const(clip, kReal)), m().Const(-clip, kReal));
  }
  // The scale of integer weights that are input `i` of the operator.
  double ScaleOf(int i) { return kind_.hybrid ? c_.InAffine(i).scale : 1; }
  void Units(Statements& s, const std::function<void(PrimRef unit)>& body) {
    s.For("unit", m().Int(k_.units), body);
  }

  void Run(Statements& s, PrimRef step, PrimRef row) {
    x_->Load(s, [=, this](PrimRef k) { return At(k_.x, k_.at.At(m(), step, row, k)); });
    hidden_->Load(s, [=, this](PrimRef k) { return te_->At(to_.hidden, {row, k}); });
    Units(s, [&](PrimRef unit) {
      for (size_t g = 0; g < kLstmGates; ++g) {
        if (k_.weights[g] >= 0) Gate(s, g, row, unit);
      }
    });
    for (const size_t g : {kInputGate, kForgetGate, kCellGate}) Normalize(s, g);
    Units(s, [&](PrimRef unit) { Update(s, row, unit); });
    Normalize(s, kOutputGate);
    Units(s, [&](PrimRef unit) { Open(s, row, unit); });
    Project(s, row);
  }

  // The sum of a gate. The output gate looks at the new cell value: Update() adds it.
  void Gate(Statements& s, size_t g, PrimRef row, PrimRef unit) {
    const int gate = static_cast<int>(g);
    const LstmInputs& n = form_.inputs;
    PrimRef total = x_->Product(
        s,
        [&](PrimRef k) {
          return At(k_.weights[g], {unit, k});
        },
        ScaleOf(n.weights + gate));
    if (k_.bias[g] >= 0 && !k_.normalized()) total = m().Add(total, At(k_.bias[g], {unit}));
    const PrimRef again = hidden_->Product(
        s,
        [&](PrimRef k) {
          return At(k_.recurrent[g], {unit, k});
        },
        ScaleOf(n.recurrent + gate));
    PrimRef x = m().Add(total, again);
    if (g != kOutputGate) x = WithPeephole(x, g, row, unit);
    s.Store(gate_[g], {unit}, x);
  }

  PrimRef WithPeephole(PrimRef x, size_t g, PrimRef row, PrimRef unit) {
    if (k_.peephole[g] < 0) return x;
    const int input = form_.inputs.peephole + (g == kOutputGate ? 2 : static_cast<int>(g));
    PrimRef weight = m().Cast(At(k_.peephole[g], {unit}), kReal);
    if (kind_.hybrid) weight = m().Mul(m().Const(ScaleOf(input), kReal), weight);
    return m().Add(x, m().Mul(weight, te_->At(to_.cell, {row, unit})));
  }

  // Brings the sums of a gate to mean 0 and deviation 1, and multiplies them by the coefficients.
  void Normalize(Statements& s, size_t g) {
    if (k_.norm[g] < 0) return;
    const PrimRef none = m().Const(0, kReal),
                  count = m().Const(static_cast<double>(k_.units), kReal);
    const auto value = [&](PrimRef unit) { return te_->At(gate_[g], {unit}); };
    s.Store(mean_, {}, none);
    Units(s, [&](PrimRef unit) { s.Store(mean_, {}, m().Add(ValueOf(mean_), value(unit))); });
    s.Store(mean_, {}, m().Div(ValueOf(mean_), count));
    s.Store(deviation_, {}, none);
    Units(s, [&](PrimRef unit) {
      const PrimRef d = s.Let("d", m().Sub(value(unit), ValueOf(mean_)));
      s.Store(deviation_, {}, m().Add(ValueOf(deviation_), m().Mul(d, d)));
    });
    constexpr double kLeast = 1e-8;  // so that equal sums have a deviation
    const PrimRef variance = m().Add(m().Div(ValueOf(deviation_), count), m().Const(kLeast, kReal));
    s.Store(deviation_, {}, m().Div(m().Const(1, kReal), m().Call("sqrt", {variance})));
    Units(s, [&](PrimRef unit) {
      const PrimRef unit_value = m().Mul(m().Sub(value(unit), ValueOf(mean_)), ValueOf(deviation_));
      PrimRef made = m().Mul(unit_value, At(k_.norm[g], {unit}));
      if (k_.bias[g] >= 0) made = m().Add(made, At(k_.bias[g], {unit}));
      s.Store(gate_[g], {unit}, made);
    });
  }

  void Update(Statements& s, PrimRef row, PrimRef unit) {
    const auto sigmoid = [&](size_t g) { return m().Call("sigmoid", {te_->At(gate_[g], {unit})}); };
    const PrimRef forget = s.Let("forget", sigmoid(kForgetGate));
    const PrimRef input =
        k_.weights[kInputGate] < 0 ? m().Sub(m().Const(1, kReal), forget) : sigmoid(kInputGate);
    const PrimRef made = m().Call("tanh", {te_->At(gate_[kCellGate], {unit})});
    const PrimRef kept = m().Mul(forget, te_->At(to_.cell, {row, unit}));
    const PrimRef added = m().Mul(input, made);
    s.Store(to_.cell, {row, unit}, Clipped(m().Add(kept, added), form_.cell_clip));
    s.Store(gate_[kOutputGate], {unit},
            WithPeephole(te_->At(gate_[kOutputGate], {unit}), kOutputGate, row, unit));
  }

  void Open(Statements& s, PrimRef row, PrimRef unit) {
    const PrimRef open = m().Call("sigmoid", {te_->At(gate_[kOutputGate], {unit})});
    const PrimRef out = m().Mul(m().Call("tanh", {te_->At(to_.cell, {row, unit})}), open);
    if (k_.projection < 0) {
      s.Store(to_.hidden, {row, unit}, out);
    } else {
      s.Store(unprojected_, {unit}, out);
    }
  }

  void Project(Statements& s, PrimRef row) {
    if (k_.projection < 0) return;
    projected_->Load(s, [this](PrimRef k) { return te_->At(unprojected_, {k}); });
    s.For("out", m().Int(k_.outputs), [&](PrimRef out) {
      PrimRef sum = projected_->Product(
          s,
          [&](PrimRef k) {
            return At(k_.projection, {out, k});
          },
          ScaleOf(form_.inputs.projection));
      if (k_.projection_bias >= 0) sum = m().Add(At(k_.projection_bias, {out}), sum);
      s.Store(to_.hidden, {row, out}, Clipped(sum, form_.projection_clip));
    });
  }

  OpCall& c_;
  const LstmForm& form_;
  const LstmKernel& k_;
  const WeightKind kind_;
  Te* te_ = nullptr;
  LstmBuffers to_;
  std::optional<RowProducts> x_, hidden_, projected_;
  BufferRef unprojected_ = nullptr, mean_ = nullptr, deviation_ = nullptr;
  std::array<BufferRef, kLstmGates> gate_ = {};
};

}  // namespace

absl::StatusOr<LstmResult> FloatLstm(OpCall& c, const LstmForm& form) {
  const LstmInputs& n = form.inputs;
  std::vector<int> weights = {n.projection, n.peephole, n.peephole + 1, n.peephole + 2};
  for (int g = 0; g < kLstmGates; ++g) {
    weights.push_back(n.weights + g);
    weights.push_back(n.recurrent + g);
  }
  LATHE_ASSIGN_OR_RETURN(const WeightKind kind, WeightKindOf(c, weights));
  KernelInputs in(c);
  LATHE_ASSIGN_OR_RETURN(const LstmKernel k, LstmKernelOf(c, form, in));
  const Operands made = c.Kernels(
      "lstm", in.args(), [&](Te& te) { return FloatLstmWriter(c, form, k, kind).Write(te); });
  return LstmResult{made[0], made[1], made[2]};
}

}  // namespace lathe::tflite
