#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/curves.h"
#include "generator/reader/tflite/ops/lstm.h"
#include "generator/reader/tflite/ops/lstm_kernel.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

const DType kShort = DType::Int(16);
constexpr int kGateBits = 12;  // fraction bits of the sums that enter a gate

// Emits the gates and the new values of a quantized layer.
class IntegerLstmWriter {
 public:
  IntegerLstmWriter(OpCall& c, const LstmForm& form, const LstmKernel& k, int table)
      : c_(c),
        form_(form),
        k_(k),
        table_(table),
        dtype_(c.TypeOf(c.Arg(form.inputs.x))),
        sums_(dtype_ == kShort ? kWide : kWhole),
        x_(c.InAffine(form.inputs.x)),
        hidden_(c.InAffine(form.inputs.hidden)),
        cell_(c.InAffine(form.inputs.cell)) {}

  std::vector<BufferRef> Write(Te& te) {
    te_ = &te;
    to_ = {te.Allocate("hidden", c_.DimsFrom({k_.at.batch, k_.outputs}), dtype_),
           te.Allocate("cell", c_.DimsFrom({k_.at.batch, k_.units}), kShort),
           te.Allocate("output", c_.DimsFrom(k_.at.Shape(k_.outputs)), dtype_)};
    sum_ = te.Allocate("sum", {}, sums_);
    other_ = te.Allocate("other", {}, sums_);
    for (size_t g = 0; g < kLstmGates; ++g) {
      gate_[g] = te.Allocate(absl::StrCat("gate", g), c_.DimsFrom({k_.units}), kShort);
    }
    EmitLstm(te, k_, to_, [this](Statements& s, PrimRef step, PrimRef row) {
      s.For("unit", m().Int(k_.units), [&](PrimRef unit) {
        for (int g = 0; g < kLstmGates; ++g) Gate(s, g, step, row, unit);
      });
      s.For("unit", m().Int(k_.units), [&](PrimRef unit) { Update(s, row, unit); });
    });
    return {to_.output, to_.hidden, to_.cell};
  }

 private:
  using Statements = ops::Statements;

  ScalarMath& m() { return te_->math(); }
  PrimRef At(int input, Indices at) { return te_->At(te_->Input(input), std::move(at)); }
  PrimRef Centred(PrimRef q, int64_t zero) {
    return m().Cast(SubtractZeroPoint(m(), q, zero), sums_);
  }
  PrimRef Short(PrimRef v) { return ops::ClippedTo(m(), v, -32768, 32767, kWhole); }
  PrimRef Scaled(PrimRef sum, double factor) {
    const ops::FixedFactor by = ops::FixedFactorOf(factor);
    return sums_ == kWide ? ops::ScaledOnce(m(), sum, by) : ops::ScaledTwice(m(), sum, by);
  }
  PrimRef Twice(PrimRef v, double factor) {
    return ops::ScaledTwice(m(), v, ops::FixedFactorOf(factor));
  }

  // The sums over x and over the hidden values are rounded and clipped one by one.
  void Gate(Statements& s, int g, PrimRef step, PrimRef row, PrimRef unit) {
    const auto i = static_cast<size_t>(g);
    s.Store(sum_, {}, m().Cast(At(k_.bias[i], {unit}), sums_));
    AddProducts(s, m(), sum_, k_.at.width, [&](PrimRef e) {
      return m().Mul(m().Cast(At(k_.weights[i], {unit, e}), sums_),
                     Centred(At(k_.x, k_.at.At(m(), step, row, e)), x_.zero));
    });
    s.Store(other_, {}, m().Const(0, sums_));
    AddProducts(s, m(), other_, k_.outputs, [&](PrimRef e) {
      return m().Mul(m().Cast(At(k_.recurrent[i], {unit, e}), sums_),
                     Centred(te_->At(to_.hidden, {row, e}), hidden_.zero));
    });
    const double unit_of_gate = std::ldexp(1.0, -kGateBits);
    const LstmInputs& n = form_.inputs;
    const double by_x = x_.scale * c_.InAffine(n.weights + g).scale / unit_of_gate;
    const double by_h = hidden_.scale * c_.InAffine(n.recurrent + g).scale / unit_of_gate;
    const PrimRef a = s.Let("a", Short(Scaled(te_->At(sum_, {}), by_x)));
    const PrimRef b = s.Let("b", Short(Scaled(te_->At(other_, {}), by_h)));
    const PrimRef total = s.Let("total", Short(m().Add(a, b)));
    s.Store(gate_[i], {unit},
            CurveOf(*te_, te_->Input(table_), total, CurveInput{3, 0}, g == kCellGate));
  }

  void Update(Statements& s, PrimRef row, PrimRef unit) {
    const auto gate = [&](int g) {
      return m().Cast(te_->At(gate_[static_cast<size_t>(g)], {unit}), kWhole);
    };
    const double unit_of_product = std::ldexp(1.0, -30);
    const PrimRef old = m().Cast(te_->At(to_.cell, {row, unit}), kWhole);
    const PrimRef kept =
        s.Let("kept", Short(Twice(m().Mul(gate(kForgetGate), old), std::ldexp(1.0, -15))));
    const PrimRef product = m().Mul(gate(kInputGate), gate(kCellGate));
    const PrimRef added = s.Let("added", Short(Twice(product, unit_of_product / cell_.scale)));
    PrimRef made = Short(m().Add(kept, added));
    if (form_.cell_clip > 0) {
      const auto limit =
          static_cast<int64_t>(std::clamp(form_.cell_clip / cell_.scale, -32768.0, 32767.0));
      made = ops::ClippedTo(m(), made, -limit, limit, kWhole);
    }
    made = s.Let("made", made);
    s.Store(to_.cell, {row, unit}, m().Cast(made, kShort));
    const PrimRef curve =
        m().Cast(CurveOf(*te_, te_->Input(table_), made, CellInput(), /*tanh=*/true), kWhole);
    const PrimRef out =
        s.Let("out", Twice(m().Mul(curve, gate(kOutputGate)), unit_of_product / hidden_.scale));
    const IntegerRange range = RangeOf(dtype_);
    const PrimRef moved = m().Add(out, m().ir().Int(hidden_.zero, kWhole));
    s.Store(to_.hidden, {row, unit}, ops::ClippedTo(m(), moved, range.low, range.high, dtype_));
  }

  // The factor that brings the cell value to units of the curve.
  CurveInput CellInput() const {
    const int up = kGateBits + static_cast<int>(std::lround(std::log2(cell_.scale)));
    return up >= 0 ? CurveInput{int64_t{3} << up, 0} : CurveInput{3, -up};
  }

  OpCall& c_;
  const LstmForm& form_;
  const LstmKernel& k_;
  const int table_;
  const DType dtype_, sums_;
  const Affine x_, hidden_, cell_;
  Te* te_ = nullptr;
  LstmBuffers to_;
  BufferRef sum_ = nullptr, other_ = nullptr;
  std::array<BufferRef, kLstmGates> gate_ = {};
};

}  // namespace

absl::StatusOr<LstmResult> IntegerLstm(OpCall& c, const LstmForm& form) {
  KernelInputs in(c);
  LATHE_ASSIGN_OR_RETURN(const LstmKernel k, LstmKernelOf(c, form, in));
  const LstmInputs& n = form.inputs;
  const DType dtype = c.TypeOf(c.Arg(n.x));
  bool fits = k.projection < 0 && !k.normalized() && c.TypeOf(c.Arg(n.hidden)) == dtype &&
              c.TypeOf(c.Arg(n.cell)) == kShort;
  for (size_t g = 0; g < kLstmGates; ++g) {
    fits = fits && k.weights[g] >= 0 && k.peephole[g] < 0 && k.bias[g] >= 0;
  }
  if (!fits) {
    return c.Unsupported() << c.op()
                           << " of integers with a projection, peepholes, a normalization, "
                              "without input gate or biases, or with other state types than "
                           << TypeName(c.In(n.x).type) << " and int16";
  }
  const int of_bias = dtype == kShort ? kInt64 : kInt32;
  for (int g = 0; g < kLstmGates; ++g) {
    for (const auto& [input, type] :
         {std::pair(n.weights + g, int{kInt8}), std::pair(n.recurrent + g, int{kInt8}),
          std::pair(n.bias + g, of_bias)}) {
      if (c.In(input).type == type && (input == n.bias + g || c.InAffine(input).scale > 0))
        continue;
      return c.Unsupported() << c.op() << " of " << TypeName(c.In(n.x).type) << " data with '"
                             << c.In(input).name << "' of " << TypeName(c.In(input).type)
                             << "; it must be " << TypeName(type);
    }
  }
  const double scale = c.InAffine(n.cell).scale;
  if (!(scale > 0) || std::ldexp(1.0, static_cast<int>(std::lround(std::log2(scale)))) != scale) {
    return c.Unsupported() << "a cell state whose scale is not a power of two";
  }
  const int table = in.Add(CurveTable(c));
  const Operands made = c.Kernels(
      "lstm", in.args(), [&](Te& te) { return IntegerLstmWriter(c, form, k, table).Write(te); });
  return LstmResult{made[0], made[1], made[2]};
}

}  // namespace lathe::tflite
