// Imports recurrent layers. Their state tensors are variables of the model.
#include <cmath>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/lstm.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/row_products.h"
#include "generator/reader/tflite/ops/time_steps.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// Keeps the new value of a state input.
void KeepState(OpCall& c, int input, const Operand& value) {
  c.graph().SetVariable(c.node().inputs[static_cast<size_t>(input)], value);
}

absl::StatusOr<LstmResult> Lstm(OpCall& c, const LstmForm& form) {
  if (c.Int("activation") != kTanh) {
    return c.Unsupported() << c.op() << " with another activation than TANH";
  }
  LATHE_ASSIGN_OR_RETURN(LstmResult made, c.TypeOf(c.Arg(form.inputs.x)).is_floating()
                                              ? FloatLstm(c, form)
                                              : IntegerLstm(c, form));
  KeepState(c, form.inputs.hidden, made.hidden);
  KeepState(c, form.inputs.cell, made.cell);
  return made;
}

}  // namespace

absl::StatusOr<Results> ImportSequenceLstm(OpCall& c) {
  LstmForm form;
  form.time_major = c.Int("time_major") != 0;
  form.cell_clip = c.Float("cell_clip");
  form.projection_clip = c.Float("proj_clip");
  LATHE_ASSIGN_OR_RETURN(const LstmResult made, Lstm(c, form));
  return made.output;
}

namespace {

// Four gates from the data and the hidden value side by side: the input, the new value, the forget
// and the output gate.
absl::StatusOr<Results> BasicLstm(OpCall& c) {
  if (c.inputs() != 5 || c.Rank(c.Arg(0)) < 1) {
    return c.Error() << "the basic kernel needs 5 inputs, and has " << c.inputs();
  }
  if (c.TypeOf(c.Arg(0)) != kReal) {
    return c.Unsupported() << "the basic kernel of LSTM with " << TypeName(c.In(0).type)
                           << " data; float32 is supported";
  }
  for (const int i : {1, 2, 3, 4}) {
    if (!c.Has(i) || c.TypeOf(c.Arg(i)) != kReal) {
      return c.Error() << "input " << i << " must be a float32 tensor";
    }
  }
  if (c.In(2).shape.size() != 2 || c.In(4).shape.size() != 2) {
    return c.Error() << "weights and state must be matrices";
  }
  const Operand both =
      c.Op("relax.concat", {{ir::TupleExpr{{c.Arg(0), c.Arg(1)}}}}, {{"axis", -1}});
  const int64_t units = c.In(4).shape.back();
  const Operand sums =
      c.Op("relax.add", {c.Op("relax.matmul", {both, c.Transposed(c.Arg(2), {1, 0})}), c.Arg(3)});
  const int axis = c.Rank(sums) - 1;
  const auto gate = [&](int64_t k, const char* f) {
    return c.Op(f, {SlicedAlong(c, sums, axis, k * units, (k + 1) * units)});
  };
  const Operand added = c.Op("relax.multiply", {gate(0, "relax.sigmoid"), gate(1, "relax.tanh")});
  const Operand kept = c.Op("relax.multiply", {gate(2, "relax.sigmoid"), c.Arg(4)});
  const Operand state = c.Op("relax.add", {added, kept});
  const Operand out =
      c.Op("relax.multiply", {gate(3, "relax.sigmoid"), c.Op("relax.tanh", {state})});
  return Operands{out, state, both, sums};
}

}  // namespace

absl::StatusOr<Results> ImportLstm(OpCall& c) {
  if (c.Int("kernel_type") == 1) return BasicLstm(c);
  LstmForm form;
  form.cell_clip = c.Float("cell_clip");
  form.projection_clip = c.Float("proj_clip");
  LATHE_ASSIGN_OR_RETURN(const LstmResult made, Lstm(c, form));
  return made.output;
}

absl::StatusOr<Results> ImportBidirectionalLstm(OpCall& c) {
  constexpr int kAuxiliary = 39;
  for (int i = kAuxiliary; i < c.inputs(); ++i) {
    if (c.Has(i)) return c.Unsupported() << "BIDIRECTIONAL_SEQUENCE_LSTM with auxiliary inputs";
  }
  LstmForm forward, backward;
  forward.inputs = {0, 1, 5, 9, 12, 16, 35, 36, -1};
  backward.inputs = {0, 18, 22, 26, 29, 33, 37, 38, -1};
  for (LstmForm* form : {&forward, &backward}) {
    form->time_major = c.Int("time_major") != 0;
    form->cell_clip = c.Float("cell_clip");
    form->projection_clip = c.Float("proj_clip");
  }
  backward.backwards = true;
  LATHE_ASSIGN_OR_RETURN(const LstmResult a, Lstm(c, forward));
  LATHE_ASSIGN_OR_RETURN(const LstmResult b, Lstm(c, backward));
  if (c.Int("merge_outputs") == 0) return Operands{a.output, b.output};
  return c.Op("relax.concat", {{ir::TupleExpr{{a.output, b.output}}}}, {{"axis", -1}});
}

namespace {

// The numbers of the inputs of one direction.
struct RnnInputs {
  int weights = 1, recurrent = 2, bias = 3, hidden = 4;
};

// hidden = f(x * weights + hidden * recurrent + bias), step by step.
absl::StatusOr<Operand> Rnn(OpCall& c, const RnnInputs& n, const TimeSteps& at) {
  const int64_t activation = c.Int("activation");
  if (c.TypeOf(c.Arg(0)) != kReal) {
    return c.Unsupported() << c.op() << " of " << TypeName(c.In(0).type)
                           << "; float32 is supported";
  }
  for (const int i : {n.weights, n.recurrent, n.bias, n.hidden}) {
    if (!c.Has(i)) return c.Error() << "input " << i << " is missing";
  }
  LATHE_ASSIGN_OR_RETURN(const WeightKind kind, WeightKindOf(c, {n.weights, n.recurrent}));
  for (const int i : {n.bias, n.hidden}) {
    if (c.TypeOf(c.Arg(i)) != kReal) return c.Error() << "input " << i << " must be float32";
  }
  const int64_t units = c.In(n.bias).shape.empty() ? 0 : c.In(n.bias).shape[0];
  if (c.In(n.weights).shape != std::vector<int64_t>{units, at.width} ||
      c.In(n.recurrent).shape != std::vector<int64_t>{units, units} ||
      c.In(n.hidden).shape != std::vector<int64_t>{at.batch, units}) {
    return c.Error() << "weights or state do not have the sizes of " << units << " units";
  }
  const Operands made = c.Kernels(
      "rnn", {c.Arg(0), c.Arg(n.weights), c.Arg(n.recurrent), c.Arg(n.bias), c.Arg(n.hidden)},
      [&](Te& te) {
        ScalarMath& m = te.math();
        const BufferRef output = te.Allocate("output", c.DimsFrom(at.Shape(units)), kReal);
        const BufferRef hidden = te.Allocate("hidden", c.DimsFrom({at.batch, units}), kReal);
        const BufferRef next = te.Allocate("next", c.DimsFrom({units}), kReal);
        RowProducts x(te, "x", at.width, kind), again(te, "h", units, kind);
        const double x_scale = c.InAffine(n.weights).scale;
        const double h_scale = c.InAffine(n.recurrent).scale;
        te.Run("steps", {}, [&](ops::Statements& s, const Indices&) {
          const auto each = [&](const char* name, int64_t count,
                                const std::function<void(PrimRef)>& body) {
            s.For(name, m.Int(count), body);
          };
          each("row", at.batch, [&](PrimRef row) {
            each("unit", units, [&](PrimRef u) {
              s.Store(hidden, {row, u}, te.At(te.Input(4), {row, u}));
            });
            each("step", at.steps, [&](PrimRef step) {
              x.Load(s, [&](PrimRef k) { return te.At(te.Input(0), at.At(m, step, row, k)); });
              again.Load(s, [&](PrimRef k) { return te.At(hidden, {row, k}); });
              each("unit", units, [&](PrimRef u) {
                const auto weight = [&](int input) {
                  return [&te, input, u](PrimRef k) { return te.At(te.Input(input), {u, k}); };
                };
                const PrimRef first = x.Product(s, weight(1), x_scale);
                const PrimRef total = m.Add(te.At(te.Input(3), {u}), first);
                const PrimRef sum =
                    s.Let("sum", m.Add(total, again.Product(s, weight(2), h_scale)));
                s.Store(next, {u}, EveryActivation(m, sum, activation));
              });
              each("unit", units, [&](PrimRef u) {
                s.Store(hidden, {row, u}, te.At(next, {u}));
                s.Store(output, at.At(m, step, row, u), te.At(next, {u}));
              });
            });
          });
        });
        return std::vector<BufferRef>{output, hidden};
      });
  KeepState(c, n.hidden, made[1]);
  return made[0];
}

}  // namespace

absl::StatusOr<Results> ImportRnn(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const TimeSteps at, TimeStepsOf(c, 0, false));
  LATHE_ASSIGN_OR_RETURN(const Operand made, Rnn(c, {}, at));
  return made;
}

absl::StatusOr<Results> ImportSequenceRnn(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const TimeSteps at, TimeStepsOf(c, 0, c.Int("time_major") != 0));
  LATHE_ASSIGN_OR_RETURN(const Operand made, Rnn(c, {}, at));
  return made;
}

absl::StatusOr<Results> ImportBidirectionalRnn(OpCall& c) {
  constexpr int kAuxiliary = 9;
  for (int i = kAuxiliary; i < c.inputs(); ++i) {
    if (c.Has(i)) return c.Unsupported() << "BIDIRECTIONAL_SEQUENCE_RNN with auxiliary inputs";
  }
  LATHE_ASSIGN_OR_RETURN(TimeSteps at, TimeStepsOf(c, 0, c.Int("time_major") != 0));
  LATHE_ASSIGN_OR_RETURN(const Operand a, Rnn(c, {1, 2, 3, 4}, at));
  at.backwards = true;
  LATHE_ASSIGN_OR_RETURN(const Operand b, Rnn(c, {5, 6, 7, 8}, at));
  if (c.Int("merge_outputs") == 0) return Operands{a, b};
  return c.Op("relax.concat", {{ir::TupleExpr{{a, b}}}}, {{"axis", -1}});
}

}  // namespace lathe::tflite
