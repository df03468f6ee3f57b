#include "generator/reader/tflite/ops/lstm_kernel.h"

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

absl::StatusOr<int> KernelInputs::Add(int input, const std::vector<int64_t>& shape) {
  if (input < 0 || !c_.Has(input)) return -1;
  if (c_.In(input).shape != shape) {
    return c_.Error() << "input " << input << " ('" << c_.In(input).name
                      << "') has another shape than the sizes of the layer require";
  }
  args_.push_back(c_.Arg(input));
  return static_cast<int>(args_.size()) - 1;
}

absl::StatusOr<LstmKernel> LstmKernelOf(OpCall& c, const LstmForm& form, KernelInputs& in) {
  LstmKernel k;
  const LstmInputs& n = form.inputs;
  LATHE_ASSIGN_OR_RETURN(k.at, TimeStepsOf(c, n.x, form.time_major));
  k.at.backwards = form.backwards;
  if (!c.Has(n.cell) || !c.Has(n.hidden) || c.In(n.cell).shape.size() != 2 ||
      c.In(n.hidden).shape.size() != 2) {
    return c.Error() << "the hidden state or the cell state is missing, or is not a matrix";
  }
  k.units = c.In(n.cell).shape[1];
  k.outputs = c.In(n.hidden).shape[1];
  LATHE_ASSIGN_OR_RETURN(k.x, in.Add(n.x, k.at.Shape(k.at.width)));
  LATHE_ASSIGN_OR_RETURN(k.hidden, in.Add(n.hidden, {k.at.batch, k.outputs}));
  LATHE_ASSIGN_OR_RETURN(k.cell, in.Add(n.cell, {k.at.batch, k.units}));
  for (int g = 0; g < kLstmGates; ++g) {
    const auto i = static_cast<size_t>(g);
    LATHE_ASSIGN_OR_RETURN(k.weights[i], in.Add(n.weights + g, {k.units, k.at.width}));
    LATHE_ASSIGN_OR_RETURN(k.recurrent[i], in.Add(n.recurrent + g, {k.units, k.outputs}));
    LATHE_ASSIGN_OR_RETURN(k.bias[i], in.Add(n.bias + g, {k.units}));
    k.peephole[i] = k.norm[i] = -1;
    if (n.norm >= 0) {
      LATHE_ASSIGN_OR_RETURN(k.norm[i], in.Add(n.norm + g, {k.units}));
    }
    // Input, forget and output gate have peepholes.
    const int peephole = g == kCellGate ? -1 : n.peephole + (g == kOutputGate ? 2 : g);
    if (n.peephole >= 0 && peephole >= 0) {
      LATHE_ASSIGN_OR_RETURN(k.peephole[i], in.Add(peephole, {k.units}));
    }
    if ((k.weights[i] < 0) != (k.recurrent[i] < 0) || (k.weights[i] < 0 && g != kInputGate)) {
      return c.Error() << "the weights of a gate are missing";
    }
  }
  for (size_t i = 0; i < kLstmGates; ++i) {
    if ((k.norm[i] >= 0) != (k.normalized() && k.weights[i] >= 0)) {
      return c.Error() << "some gates have coefficients of a normalization, and others none";
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

void AddProducts(ops::Statements& s, ScalarMath& m, BufferRef sum, int64_t count,
                 const std::function<PrimRef(PrimRef k)>& product) {
  s.For("k", m.Int(count),
        [&](PrimRef k) { s.Store(sum, {}, m.Add(m.ir().MakeLoad(sum, {}), product(k))); });
}

void EmitLstm(Te& te, const LstmKernel& k, const LstmBuffers& to,
              const std::function<void(ops::Statements&, PrimRef step, PrimRef row)>& run) {
  ScalarMath& m = te.math();
  te.Run("steps", {}, [&](ops::Statements& s, const Indices&) {
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
        run(s, step, row);
        s.For("unit", m.Int(k.outputs), [&](PrimRef unit) {
          s.Store(to.output, k.at.At(m, step, row, unit), te.At(to.hidden, {row, unit}));
        });
      });
    });
  });
}

}  // namespace lathe::tflite
