#include <array>

#include "absl/strings/str_cat.h"
#include "generator/reader/tflite/ops/lstm.h"
#include "generator/reader/tflite/ops/lstm_kernel.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// Emits the gates and the new values of a float layer.
class FloatLstmWriter {
 public:
  FloatLstmWriter(OpCall& c, const LstmForm& form, const LstmKernel& k)
      : c_(c), form_(form), k_(k) {}

  std::vector<BufferRef> Write(Te& te) {
    te_ = &te;
    to_ = {te.Allocate("hidden", c_.DimsFrom({k_.at.batch, k_.outputs}), kReal),
           te.Allocate("cell", c_.DimsFrom({k_.at.batch, k_.units}), kReal),
           te.Allocate("output", c_.DimsFrom(k_.at.Shape(k_.outputs)), kReal)};
    sum_ = te.Allocate("sum", {}, kReal);
    total_ = te.Allocate("total", {}, kReal);
    const Dims units = c_.DimsFrom({k_.units});
    for (size_t g = 0; g < kLstmGates; ++g) {
      gate_[g] = te.Allocate(absl::StrCat("gate", g), units, kReal);
    }
    if (k_.projection >= 0) unprojected_ = te.Allocate("unprojected", units, kReal);
    EmitLstm(te, k_, to_,
             {[this](Statements& s, PrimRef step, PrimRef row, PrimRef unit) {
                for (size_t g = 0; g < kLstmGates; ++g) {
                  if (k_.weights[g] >= 0) Gate(s, g, step, row, unit);
                }
              },
              [this](Statements& s, PrimRef row, PrimRef unit) { Update(s, row, unit); },
              [this](Statements& s, PrimRef row) { Project(s, row); }});
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

  void Gate(Statements& s, size_t g, PrimRef step, PrimRef row, PrimRef unit) {
    s.Store(sum_, {}, m().Const(0, kReal));
    AddProducts(s, m(), sum_, k_.at.width, [&](PrimRef i) {
      return m().Mul(At(k_.weights[g], {unit, i}), At(k_.x, k_.at.At(m(), step, row, i)));
    });
    PrimRef total = ValueOf(sum_);
    if (k_.bias[g] >= 0) total = m().Add(total, At(k_.bias[g], {unit}));
    s.Store(total_, {}, total);
    s.Store(sum_, {}, m().Const(0, kReal));
    AddProducts(s, m(), sum_, k_.outputs, [&](PrimRef i) {
      return m().Mul(At(k_.recurrent[g], {unit, i}), te_->At(to_.hidden, {row, i}));
    });
    PrimRef x = m().Add(ValueOf(total_), ValueOf(sum_));
    // The output gate looks at the new cell value: Update() adds it.
    if (g == kOutputGate && k_.peephole[g] >= 0) {
      s.Store(gate_[g], {unit}, x);
      return;
    }
    if (k_.peephole[g] >= 0) {
      x = m().Add(x, m().Mul(At(k_.peephole[g], {unit}), te_->At(to_.cell, {row, unit})));
    }
    s.Store(gate_[g], {unit}, m().Call(g == kCellGate ? "tanh" : "sigmoid", {x}));
  }

  void Update(Statements& s, PrimRef row, PrimRef unit) {
    const PrimRef forget = te_->At(gate_[kForgetGate], {unit});
    const PrimRef input = k_.weights[kInputGate] < 0 ? m().Sub(m().Const(1, kReal), forget)
                                                     : te_->At(gate_[kInputGate], {unit});
    const PrimRef kept = m().Mul(forget, te_->At(to_.cell, {row, unit}));
    const PrimRef added = m().Mul(input, te_->At(gate_[kCellGate], {unit}));
    s.Store(to_.cell, {row, unit}, Clipped(m().Add(kept, added), form_.cell_clip));
    const PrimRef cell = te_->At(to_.cell, {row, unit});
    PrimRef open = te_->At(gate_[kOutputGate], {unit});
    if (k_.peephole[kOutputGate] >= 0) {
      const PrimRef weight = At(k_.peephole[kOutputGate], {unit});
      open = m().Call("sigmoid", {m().Add(open, m().Mul(weight, cell))});
    }
    const PrimRef out = m().Mul(m().Call("tanh", {cell}), open);
    if (k_.projection < 0) {
      s.Store(to_.hidden, {row, unit}, out);
    } else {
      s.Store(unprojected_, {unit}, out);
    }
  }

  void Project(Statements& s, PrimRef row) {
    if (k_.projection < 0) return;
    s.For("out", m().Int(k_.outputs), [&](PrimRef out) {
      s.Store(sum_, {},
              k_.projection_bias < 0 ? m().Const(0, kReal) : At(k_.projection_bias, {out}));
      AddProducts(s, m(), sum_, k_.units, [&](PrimRef i) {
        return m().Mul(At(k_.projection, {out, i}), te_->At(unprojected_, {i}));
      });
      s.Store(to_.hidden, {row, out}, Clipped(ValueOf(sum_), form_.projection_clip));
    });
  }

  OpCall& c_;
  const LstmForm& form_;
  const LstmKernel& k_;
  Te* te_ = nullptr;
  LstmBuffers to_;
  BufferRef sum_ = nullptr, total_ = nullptr, unprojected_ = nullptr;
  std::array<BufferRef, kLstmGates> gate_ = {};
};

}  // namespace

absl::StatusOr<LstmResult> FloatLstm(OpCall& c, const LstmForm& form) {
  KernelInputs in(c);
  LATHE_ASSIGN_OR_RETURN(const LstmKernel k, LstmKernelOf(c, form, in));
  const Operands made =
      c.Kernels("lstm", in.args(), [&](Te& te) { return FloatLstmWriter(c, form, k).Write(te); });
  return LstmResult{made[0], made[1], made[2]};
}

}  // namespace lathe::tflite
