#include "generator/reader/tflite/ops/lstm.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/curves.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/time_steps.h"
#include "generator/support/status.h"

namespace lathe::tflite {

absl::StatusOr<TimeSteps> TimeStepsOf(OpCall& c, int input, bool time_major) {
  const std::vector<int64_t>& shape = c.In(input).shape;
  TimeSteps steps;
  steps.rank = static_cast<int>(shape.size());
  steps.time_major = time_major;
  if (shape.size() != 2 && shape.size() != 3) {
    return c.Error() << "data must have 2 or 3 dimensions, got " << shape.size();
  }
  steps.width = shape.back();
  steps.batch = shape.size() == 2 || !time_major ? shape[0] : shape[1];
  if (shape.size() == 3) steps.steps = time_major ? shape[0] : shape[1];
  return steps;
}

namespace {

constexpr int kGates = 4;
using ops::Statements;

// The inputs that are there, as inputs of the kernel.
class KernelInputs {
 public:
  explicit KernelInputs(OpCall& c) : c_(c) {}

  // Checks the shape. Returns the number of the input in the kernel; -1: it is absent.
  absl::StatusOr<int> Add(int input, const std::vector<int64_t>& shape) {
    if (input < 0 || !c_.Has(input)) return -1;
    if (c_.In(input).shape != shape) {
      return c_.Error() << "input " << input << " ('" << c_.In(input).name
                        << "') has another shape than the sizes of the layer require";
    }
    args_.push_back(c_.Arg(input));
    return static_cast<int>(args_.size()) - 1;
  }
  int Add(Operand constant) {
    args_.push_back(std::move(constant));
    return static_cast<int>(args_.size()) - 1;
  }
  const Operands& args() const { return args_; }

 private:
  OpCall& c_;
  Operands args_;
};

struct LstmKernel {
  TimeSteps at;
  int64_t units = 0, outputs = 0;
  int x = -1, hidden = -1, cell = -1, projection = -1, projection_bias = -1;
  std::array<int, kGates> weights = {}, recurrent = {}, bias = {}, peephole = {};
};

absl::StatusOr<LstmKernel> KernelOf(OpCall& c, const LstmForm& form, KernelInputs& in) {
  LstmKernel k;
  const LstmInputs& n = form.inputs;
  LATHE_ASSIGN_OR_RETURN(k.at, TimeStepsOf(c, n.x, form.time_major));
  k.at.backwards = form.backwards;
  if (!c.Has(n.cell) || !c.Has(n.hidden) || c.In(n.cell).shape.size() != 2 ||
      c.In(n.hidden).shape.size() != 2) {
    return c.Error() << "the hidden state or the cell state is missing, or is not a matrix";
  }
  if (n.norm >= 0) {
    for (int i = 0; i < kGates; ++i) {
      if (c.Has(n.norm + i)) return c.Unsupported() << c.op() << " with layer normalization";
    }
  }
  k.units = c.In(n.cell).shape[1];
  k.outputs = c.In(n.hidden).shape[1];
  LATHE_ASSIGN_OR_RETURN(k.x, in.Add(n.x, k.at.Shape(k.at.width)));
  LATHE_ASSIGN_OR_RETURN(k.hidden, in.Add(n.hidden, {k.at.batch, k.outputs}));
  LATHE_ASSIGN_OR_RETURN(k.cell, in.Add(n.cell, {k.at.batch, k.units}));
  for (int g = 0; g < kGates; ++g) {
    const auto i = static_cast<size_t>(g);
    LATHE_ASSIGN_OR_RETURN(k.weights[i], in.Add(n.weights + g, {k.units, k.at.width}));
    LATHE_ASSIGN_OR_RETURN(k.recurrent[i], in.Add(n.recurrent + g, {k.units, k.outputs}));
    LATHE_ASSIGN_OR_RETURN(k.bias[i], in.Add(n.bias + g, {k.units}));
    k.peephole[i] = -1;
    // Input, forget and output gate have peepholes.
    const int peephole = g == kCellGate ? -1 : n.peephole + (g == kOutputGate ? 2 : g);
    if (n.peephole >= 0 && peephole >= 0) {
      LATHE_ASSIGN_OR_RETURN(k.peephole[i], in.Add(peephole, {k.units}));
    }
    if ((k.weights[i] < 0) != (k.recurrent[i] < 0) || (k.weights[i] < 0 && g != kInputGate)) {
      return c.Error() << "the weights of a gate are missing";
    }
  }
  LATHE_ASSIGN_OR_RETURN(k.projection, in.Add(n.projection, {k.outputs, k.units}));
  LATHE_ASSIGN_OR_RETURN(k.projection_bias, in.Add(n.projection + 1, {k.outputs}));
  if (k.projection < 0 && k.units != k.outputs) {
    return c.Error() << "the hidden state has " << k.outputs << " values for " << k.units
                     << " units, and there is no projection";
  }
  return k;
}

// Adds up `count` products in `sum`.
void AddProducts(Statements& s, ScalarMath& m, BufferRef sum, int64_t count,
                 const std::function<PrimRef(PrimRef k)>& product) {
  s.For("k", m.Int(count),
        [&](PrimRef k) { s.Store(sum, {}, m.Add(m.ir().MakeLoad(sum, {}), product(k))); });
}

// Emits the loop over steps, rows and units. `gates` stores the gates of one unit; `update` the new
// cell and hidden value of it, after all gates are known.
struct LstmLoop {
  BufferRef hidden, cell, output;
};
void EmitLstm(
    Te& te, const LstmKernel& k, const LstmLoop& to,
    const std::function<void(Statements&, PrimRef step, PrimRef row, PrimRef unit)>& gates,
    const std::function<void(Statements&, PrimRef row, PrimRef unit)>& update,
    const std::function<void(Statements&, PrimRef row)>& project) {
  ScalarMath& m = te.math();
  te.Run("steps", {}, [&](Statements& s, const Indices&) {
    s.For("row", m.Int(k.at.batch), [&](PrimRef row) {
      s.For("unit", m.Int(k.outputs), [&](PrimRef unit) {
        s.Store(to.hidden, {row, unit}, te.At(te.Input(k.hidden), {row, unit}));
      });
      s.For("unit", m.Int(k.units), [&](PrimRef unit) {
        s.Store(to.cell, {row, unit}, te.At(te.Input(k.cell), {row, unit}));
      });
    });
    s.For("step", m.Int(k.at.steps), [&](PrimRef step) {
      s.For("row", m.Int(k.at.batch), [&](PrimRef row) {
        s.For("unit", m.Int(k.units), [&](PrimRef unit) { gates(s, step, row, unit); });
        s.For("unit", m.Int(k.units), [&](PrimRef unit) { update(s, row, unit); });
        project(s, row);
        s.For("unit", m.Int(k.outputs), [&](PrimRef unit) {
          s.Store(to.output, k.at.At(m, step, row, unit), te.At(to.hidden, {row, unit}));
        });
      });
    });
  });
}

LstmResult ResultOf(const Operands& made) { return {made[0], made[1], made[2]}; }

}  // namespace

absl::StatusOr<LstmResult> FloatLstm(OpCall& c, const LstmForm& form) {
  KernelInputs in(c);
  LATHE_ASSIGN_OR_RETURN(const LstmKernel k, KernelOf(c, form, in));
  const Dims units = c.DimsFrom({k.units});
  return ResultOf(c.Kernels("lstm", in.args(), [&](Te& te) {
    ScalarMath& m = te.math();
    const LstmLoop to = {te.Allocate("hidden", c.DimsFrom({k.at.batch, k.outputs}), kReal),
                         te.Allocate("cell", c.DimsFrom({k.at.batch, k.units}), kReal),
                         te.Allocate("output", c.DimsFrom(k.at.Shape(k.outputs)), kReal)};
    const BufferRef sum = te.Allocate("sum", {}, kReal), total = te.Allocate("total", {}, kReal);
    std::array<BufferRef, kGates> gate = {};
    for (int g = 0; g < kGates; ++g) {
      gate[static_cast<size_t>(g)] = te.Allocate(absl::StrCat("gate", g), units, kReal);
    }
    const BufferRef unprojected = te.Allocate("unprojected", units, kReal);
    const auto value = [&](BufferRef b) { return te.At(b, {}); };
    const auto clipped = [&](PrimRef x, double clip) {
      if (!(clip > 0)) return x;
      return m.Max(m.Min(x, m.Const(clip, kReal)), m.Const(-clip, kReal));
    };
    const auto gates = [&](Statements& s, PrimRef step, PrimRef row, PrimRef unit) {
      for (size_t g = 0; g < kGates; ++g) {
        if (k.weights[g] < 0) continue;
        s.Store(sum, {}, m.Const(0, kReal));
        AddProducts(s, m, sum, k.at.width, [&](PrimRef i) {
          return m.Mul(te.At(te.Input(k.weights[g]), {unit, i}),
                       te.At(te.Input(k.x), k.at.At(m, step, row, i)));
        });
        s.Store(total, {}, value(sum));
        if (k.bias[g] >= 0) {
          s.Store(total, {}, m.Add(value(sum), te.At(te.Input(k.bias[g]), {unit})));
        }
        s.Store(sum, {}, m.Const(0, kReal));
        AddProducts(s, m, sum, k.outputs, [&](PrimRef i) {
          return m.Mul(te.At(te.Input(k.recurrent[g]), {unit, i}), te.At(to.hidden, {row, i}));
        });
        PrimRef x = m.Add(value(total), value(sum));
        // The output gate looks at the new cell value: update() adds it.
        if (g == kOutputGate && k.peephole[g] >= 0) {
          s.Store(gate[g], {unit}, x);
          continue;
        }
        if (k.peephole[g] >= 0) {
          x = m.Add(x, m.Mul(te.At(te.Input(k.peephole[g]), {unit}), te.At(to.cell, {row, unit})));
        }
        s.Store(gate[g], {unit}, m.Call(g == kCellGate ? "tanh" : "sigmoid", {x}));
      }
    };
    const auto update = [&](Statements& s, PrimRef row, PrimRef unit) {
      const PrimRef forget = te.At(gate[kForgetGate], {unit});
      const PrimRef input = k.weights[kInputGate] < 0 ? m.Sub(m.Const(1, kReal), forget)
                                                      : te.At(gate[kInputGate], {unit});
      const PrimRef kept = m.Mul(forget, te.At(to.cell, {row, unit}));
      const PrimRef added = m.Mul(input, te.At(gate[kCellGate], {unit}));
      s.Store(to.cell, {row, unit}, clipped(m.Add(kept, added), form.cell_clip));
      const PrimRef out =
          m.Mul(m.Call("tanh", {te.At(to.cell, {row, unit})}), te.At(gate[kOutputGate], {unit}));
      if (k.projection < 0) {
        s.Store(to.hidden, {row, unit}, out);
      } else {
        s.Store(unprojected, {unit}, out);
      }
    };
    const auto project = [&](Statements& s, PrimRef row) {
      if (k.projection < 0) return;
      s.For("out", m.Int(k.outputs), [&](PrimRef out) {
        s.Store(
            sum, {},
            k.projection_bias < 0 ? m.Const(0, kReal) : te.At(te.Input(k.projection_bias), {out}));
        AddProducts(s, m, sum, k.units, [&](PrimRef i) {
          return m.Mul(te.At(te.Input(k.projection), {out, i}), te.At(unprojected, {i}));
        });
        s.Store(to.hidden, {row, out}, clipped(value(sum), form.projection_clip));
      });
    };
    EmitLstm(te, k, to, gates, update, project);
    return std::vector<BufferRef>{to.output, to.hidden, to.cell};
  }));
}

absl::StatusOr<LstmResult> IntegerLstm(OpCall& c, const LstmForm& form) {
  KernelInputs in(c);
  LATHE_ASSIGN_OR_RETURN(const LstmKernel k, KernelOf(c, form, in));
  const LstmInputs& n = form.inputs;
  const DType dtype = c.TypeOf(c.Arg(n.x)), int16 = DType::Int(16);
  bool fits =
      k.projection < 0 && c.TypeOf(c.Arg(n.hidden)) == dtype && c.TypeOf(c.Arg(n.cell)) == int16;
  for (size_t g = 0; g < kGates; ++g) {
    fits = fits && k.weights[g] >= 0 && k.peephole[g] < 0 && k.bias[g] >= 0;
  }
  if (!fits) {
    return c.Unsupported() << c.op()
                           << " of integers with a projection, peepholes, without input "
                              "gate or biases, or with other state types than "
                           << TypeName(c.In(n.x).type) << " and int16";
  }
  const int table = in.Add(CurveTable(c));
  const bool once = dtype == int16;
  const DType sums = once ? kWide : kWhole;
  const Affine x = c.InAffine(n.x), hidden = c.InAffine(n.hidden), cell = c.InAffine(n.cell);
  const double cell_unit = std::ldexp(1.0, -15), gate_unit = std::ldexp(1.0, -12);
  const int power = static_cast<int>(std::lround(std::log2(cell.scale)));
  if (std::ldexp(1.0, power) != cell.scale) {
    return c.Unsupported() << "a cell state whose scale is not a power of two";
  }
  const int up = 12 + power;
  const CurveInput cell_input = up >= 0 ? CurveInput{int64_t{3} << up, 0} : CurveInput{3, -up};
  const auto scaled = [&](ScalarMath& m, PrimRef sum, double factor) {
    const ops::FixedFactor by = ops::FixedFactorOf(factor);
    return once ? ops::ScaledOnce(m, sum, by) : ops::ScaledTwice(m, sum, by);
  };
  const auto short_clip = [](ScalarMath& m, PrimRef v) {
    return ops::ClippedTo(m, v, -32768, 32767, kWhole);
  };
  const Dims units = c.DimsFrom({k.units});
  return ResultOf(c.Kernels("lstm", in.args(), [&](Te& te) {
    ScalarMath& m = te.math();
    const LstmLoop to = {te.Allocate("hidden", c.DimsFrom({k.at.batch, k.outputs}), dtype),
                         te.Allocate("cell", c.DimsFrom({k.at.batch, k.units}), int16),
                         te.Allocate("output", c.DimsFrom(k.at.Shape(k.outputs)), dtype)};
    const BufferRef sum = te.Allocate("sum", {}, sums), other = te.Allocate("other", {}, sums);
    std::array<BufferRef, kGates> gate = {};
    for (int g = 0; g < kGates; ++g) {
      gate[static_cast<size_t>(g)] = te.Allocate(absl::StrCat("gate", g), units, int16);
    }
    const auto centred = [&](PrimRef q, int64_t zero) { return m.Cast(Shifted(m, q, zero), sums); };
    const auto gates = [&](Statements& s, PrimRef step, PrimRef row, PrimRef unit) {
      for (int g = 0; g < kGates; ++g) {
        const auto i = static_cast<size_t>(g);
        s.Store(sum, {}, m.Cast(te.At(te.Input(k.bias[i]), {unit}), sums));
        AddProducts(s, m, sum, k.at.width, [&](PrimRef e) {
          return m.Mul(m.Cast(te.At(te.Input(k.weights[i]), {unit, e}), sums),
                       centred(te.At(te.Input(k.x), k.at.At(m, step, row, e)), x.zero));
        });
        s.Store(other, {}, m.Const(0, sums));
        AddProducts(s, m, other, k.outputs, [&](PrimRef e) {
          return m.Mul(m.Cast(te.At(te.Input(k.recurrent[i]), {unit, e}), sums),
                       centred(te.At(to.hidden, {row, e}), hidden.zero));
        });
        const double by_x = x.scale * c.InAffine(n.weights + g).scale / gate_unit;
        const double by_h = hidden.scale * c.InAffine(n.recurrent + g).scale / gate_unit;
        const PrimRef a = s.Let("a", short_clip(m, scaled(m, te.At(sum, {}), by_x)));
        const PrimRef b = s.Let("b", short_clip(m, scaled(m, te.At(other, {}), by_h)));
        const PrimRef total = s.Let("total", short_clip(m, m.Add(a, b)));
        s.Store(gate[i], {unit},
                CurveOf(te, te.Input(table), total, CurveInput{3, 0}, g == kCellGate));
      }
    };
    const auto update = [&](Statements& s, PrimRef row, PrimRef unit) {
      const auto of = [&](BufferRef b) { return m.Cast(te.At(b, {unit}), kWhole); };
      const auto twice = [&](PrimRef v, double factor) {
        return ops::ScaledTwice(m, v, ops::FixedFactorOf(factor));
      };
      const PrimRef old = m.Cast(te.At(to.cell, {row, unit}), kWhole);
      const PrimRef kept =
          s.Let("kept", short_clip(m, twice(m.Mul(of(gate[kForgetGate]), old), cell_unit)));
      const PrimRef product = m.Mul(of(gate[kInputGate]), of(gate[kCellGate]));
      const PrimRef added =
          s.Let("added", short_clip(m, twice(product, std::ldexp(1.0, -30) / cell.scale)));
      PrimRef made = short_clip(m, m.Add(kept, added));
      if (form.cell_clip > 0) {
        const auto limit =
            static_cast<int64_t>(std::clamp(form.cell_clip / cell.scale, -32768.0, 32767.0));
        made = ops::ClippedTo(m, made, -limit, limit, kWhole);
      }
      made = s.Let("made", made);
      s.Store(to.cell, {row, unit}, m.Cast(made, int16));
      const PrimRef curve =
          m.Cast(CurveOf(te, te.Input(table), made, cell_input, /*tanh=*/true), kWhole);
      const PrimRef out = s.Let(
          "out", twice(m.Mul(curve, of(gate[kOutputGate])), std::ldexp(1.0, -30) / hidden.scale));
      const IntegerRange range = RangeOf(dtype);
      const PrimRef moved = m.Add(out, m.ir().Int(hidden.zero, kWhole));
      s.Store(to.hidden, {row, unit}, ops::ClippedTo(m, moved, range.low, range.high, dtype));
    };
    EmitLstm(te, k, to, gates, update, [](Statements&, PrimRef) {});
    return std::vector<BufferRef>{to.output, to.hidden, to.cell};
  }));
}

}  // namespace lathe::tflite
