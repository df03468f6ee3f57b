// Imports RNN, GRU and LSTM: unrolls short sequences, else emits a run-time loop.
#include <algorithm>
#include <tuple>

#include "generator/reader/onnx/element_of.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/recurrent_activations.h"
#include "generator/reader/onnx/run_time_loop.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Longer sequences become a loop, to bound the code size.
constexpr int64_t kMaxUnrolledSteps = 16;

struct Cell {
  NodeCall& n;
  int gates;
  int direction;
  PrimRef batch, hidden;
  Operand weights, recurrence;  // transposed: (input, gates * hidden), (hidden, gates * hidden)
  std::optional<Operand> reset_recurrence;  // of the gate whose state is reset before the product
  std::optional<Operand> input_bias, state_bias, reset_bias;
  std::optional<Operand> lengths;  // (batch, 1)
  std::optional<Operand> peepholes;
};

// Returns row `index` of the first axis.
Operand Row(NodeCall& n, const Operand& x, int64_t index) {
  const Dims from = n.DimsOf(x), dims(from.begin() + 1, from.end());
  return n.Kernel("row", {x}, [&](Te& te) {
    te.Need(te.math().Lt(te.math().Int(index), from[0]),
            "a recurrent layer needs weights and states for both of its directions");
    return te.Compute("out", dims, n.TypeOf(x), [&](Indices at) {
      at.insert(at.begin(), te.math().Int(index));
      return te.At(te.Input(0), at);
    });
  });
}

// Returns the columns of `gate` on the last axis, `size` per gate.
Operand Gate(NodeCall& n, const Operand& x, int gate, PrimRef size) {
  Dims dims = n.DimsOf(x);
  dims.back() = size;
  return n.Kernel("gate", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    te.Need(m.Le(m.Mul(m.Int(gate + 1), size), n.DimsOf(x).back()),
            "a recurrent layer needs weights for all of its gates");
    return te.Compute("out", dims, n.TypeOf(x), [&](Indices at) {
      at.back() = te.math().Add(at.back(), te.math().Mul(te.math().Int(gate), size));
      return te.At(te.Input(0), at);
    });
  });
}

Operand Add(NodeCall& n, const Operand& a, const Operand& b) { return n.Op("relax.add", {a, b}); }
Operand Mul(NodeCall& n, const Operand& a, const Operand& b) {
  return n.Op("relax.multiply", {a, b});
}

class Layer {
 public:
  Layer(Cell cell, const std::vector<Activation>& activations)
      : c_(std::move(cell)), n_(c_.n), activations_(activations) {}

  Operand F(size_t i, const Operand& x) {
    return Activate(n_, activations_[static_cast<size_t>(c_.direction) * PerDirection() + i], x);
  }
  size_t PerDirection() const { return c_.gates == 1 ? 1 : c_.gates == 3 ? 2 : 3; }

  // Computes the input part of the gates for all steps in one product, because it has no
  // recurrence.
  Operand Inputs(const Operand& x) {
    const Operand sum = n_.Op("relax.matmul", {x, c_.weights});
    return c_.input_bias ? Add(n_, sum, *c_.input_bias) : sum;
  }
  Operand Recurrent(const Operand& h) {
    const Operand sum = n_.Op("relax.matmul", {h, c_.recurrence});
    return c_.state_bias ? Add(n_, sum, *c_.state_bias) : sum;
  }
  Operand Part(const Operand& x, int gate) { return Gate(n_, x, gate, c_.hidden); }

  // Updates state `h` and, for LSTM, cell `s`. `in` is this step's part of Inputs.
  void Step(const Operand& in, Operand& h, std::optional<Operand>& s) {
    if (c_.gates == 1) {
      h = F(0, Clipped(n_, Add(n_, in, Recurrent(h))));
    } else if (c_.gates == 3) {
      Gru(in, h);
    } else {
      Lstm(in, h, *s);
    }
  }

  void Gru(const Operand& in, Operand& h) {
    const Operand back = Recurrent(h);  // all gates, or all but the last
    const Operand z = F(0, Clipped(n_, Add(n_, Part(in, 0), Part(back, 0))));
    const Operand r = F(0, Clipped(n_, Add(n_, Part(in, 1), Part(back, 1))));
    Operand old = h;
    if (c_.reset_recurrence) {
      old = n_.Op("relax.matmul", {Mul(n_, r, h), *c_.reset_recurrence});
      if (c_.reset_bias) old = Add(n_, old, *c_.reset_bias);
    } else {
      old = Mul(n_, r, Part(back, 2));
    }
    const Operand fresh = F(1, Clipped(n_, Add(n_, Part(in, 2), old)));
    h = n_.Elementwise("next", {z, fresh, h}, [](ScalarMath& m, const Scalars& v) {
      const PrimRef rest = m.Sub(m.Const(1, v[0]->dtype()), v[0]);
      return m.Add(m.Mul(rest, v[1]), m.Mul(v[0], v[2]));
    });
  }

  void Lstm(const Operand& in, Operand& h, Operand& s) {
    const Operand gates = Add(n_, in, Recurrent(h));
    const auto seen = [&](int gate, int peephole, const Operand& cell) {
      const Operand part = Part(gates, gate);
      if (!c_.peepholes) return part;
      return Add(n_, part, Mul(n_, Part(*c_.peepholes, peephole), cell));
    };
    const Operand i = F(0, Clipped(n_, seen(0, 0, s)));
    Operand f = i;
    if (n_.Int("input_forget", 0) == 0) {
      f = F(0, Clipped(n_, seen(2, 2, s)));
    } else {
      f = n_.Op("relax.subtract", {n_.Number(1, n_.TypeOf(i)), i});
    }
    const Operand fresh = F(1, Clipped(n_, Part(gates, 3)));
    s = Add(n_, Mul(n_, f, s), Mul(n_, i, fresh));
    const Operand o = F(0, Clipped(n_, seen(1, 1, s)));
    const Operand shown = F(2, s);
    h = Mul(n_, o, shown);
  }

  // Selects `fresh` while step t is within the sequence length, else `otherwise`.
  Operand SelectActive(PrimRef t, const Operand& fresh, const Operand& otherwise) {
    if (!c_.lengths) return fresh;
    return n_.Elementwise("going_on", {fresh, otherwise, *c_.lengths},
                          [&](ScalarMath& m, const Scalars& v) {
                            const PrimRef length = n_.ir().MakeCast(DType::Int(64), v[2]);
                            return m.Select(m.Lt(t, length), v[0], v[1]);
                          });
  }

  // Returns the final state, or `nothing` if there were no steps, as in ONNX Runtime.
  Operand Last(PrimRef steps, const Operand& state, const Operand& nothing) {
    const Operand last = SelectActive(n_.ir().Int(0), state, nothing);
    const auto count = NodeCall::IntOf(steps);
    if (count) return *count > 0 ? last : nothing;
    return n_.Elementwise("last", {last}, [&](ScalarMath& m, const Scalars& v) {
      return m.Select(m.Lt(m.Int(0), steps), v[0], m.Const(0, v[0]->dtype()));
    });
  }

  // Emits step t and updates the state. Returns the output of the step; `in` is its part of Inputs.
  Operand At(PrimRef t, const Operand& in, const Operand& nothing, Operand& h,
             std::optional<Operand>& s) {
    const Operand h_before = h;
    const std::optional<Operand> s_before = s;
    Step(in, h, s);
    const Operand shown = SelectActive(t, h, nothing);
    h = SelectActive(t, h, h_before);
    if (s) s = SelectActive(t, *s, *s_before);
    return shown;
  }

 private:
  Cell c_;
  NodeCall& n_;
  const std::vector<Activation>& activations_;
};

// Operands and state of one direction over a sequence.
struct Direction {
  Operand inputs;     // for all steps
  int time_axis = 0;  // of `inputs`
  bool backwards = false;
  Operand nothing;  // output after the end of a sequence
  Operand h;        // the state before the first step, then after the last
  std::optional<Operand> s;
};

// Unrolls the steps. Returns their outputs, indexed by time.
Operands UnrollSteps(NodeCall& n, Layer& layer, int64_t steps, Direction& direction) {
  Operands outputs(static_cast<size_t>(steps), direction.nothing);
  for (int64_t iteration = 0; iteration < steps; ++iteration) {
    const int64_t t = direction.backwards ? steps - 1 - iteration : iteration;
    const PrimRef at = n.ir().Int(t);
    const Operand in = ElementOf(n, direction.inputs, direction.time_axis, at);
    outputs[static_cast<size_t>(t)] = layer.At(at, in, direction.nothing, direction.h, direction.s);
  }
  return outputs;
}

// Emits the steps as a run-time loop, which fills its part of `all` if outputs are wanted.
absl::Status EmitStepLoop(NodeCall& n, Layer& layer, PrimRef steps, std::optional<ScanOutput> all,
                          Direction& direction, std::optional<Operand>& filled) {
  RunTimeLoop loop;
  loop.most = steps;
  loop.computes_states = true;
  loop.states.emplace_back(direction.h);
  if (direction.s) loop.states.emplace_back(*direction.s);
  if (all) loop.scan_outputs.push_back(*all);
  loop.body = [&](PrimRef iteration, const Operand&,
                  const std::vector<Term>& states) -> absl::StatusOr<Iteration> {
    ScalarMath& m = n.math();
    const PrimRef t = direction.backwards ? m.Sub(m.Sub(steps, m.Int(1)), iteration) : iteration;
    const Operand in = ElementOf(n, direction.inputs, direction.time_axis, t);
    Operand h = *states[0].operand;
    std::optional<Operand> s;
    if (direction.s) s = *states[1].operand;
    const Operand shown = layer.At(t, in, direction.nothing, h, s);
    Iteration left{std::nullopt, {Term(h)}, {Term(shown)}};
    if (s) left.states.emplace_back(*s);
    return left;
  };
  LATHE_ASSIGN_OR_RETURN(std::vector<Term> results, EmitRunTimeLoop(n, std::move(loop)));
  direction.h = *results[0].operand;
  if (direction.s) direction.s = *results[1].operand;
  if (all) filled = *results.back().operand;
  return absl::OkStatus();
}

absl::Status CheckRanks(NodeCall& n) {
  if (n.Rank(n.In(0)) != 3 || n.Rank(n.In(1)) != 3 || n.Rank(n.In(2)) != 3) {
    return n.Error() << "sequences, weights and recurrence weights must have rank 3";
  }
  for (const auto& [input, rank, what] :
       {std::tuple(3, 2, "the bias"), std::tuple(4, 1, "the lengths"),
        std::tuple(5, 3, "the initial state"), std::tuple(6, 3, "the initial cell state"),
        std::tuple(7, 2, "the peepholes")}) {
    if (n.Has(input) && n.Rank(n.In(input)) != rank) {
      return n.Error() << what << " must have rank " << rank;
    }
  }
  return absl::OkStatus();
}

// Returns the cell of direction number `k`, with its weights and biases.
Cell CellOf(NodeCall& n, int gates, int k, PrimRef batch, PrimRef hidden) {
  Cell cell{n,
            gates,
            k,
            batch,
            hidden,
            n.Transposed(Row(n, n.In(1), k), {1, 0}),
            n.Transposed(Row(n, n.In(2), k), {1, 0}),
            {},
            {},
            {},
            {},
            {},
            {}};
  if (n.Has(3)) {
    const Operand bias = Row(n, n.In(3), k);
    const PrimRef half = n.Simplify(n.math().Mul(hidden, n.ir().Int(gates)));
    cell.input_bias = Gate(n, bias, 0, half);
    cell.state_bias = Gate(n, bias, 1, half);
  }
  if (gates == 3 && n.Int("linear_before_reset", 0) == 0) {
    cell.reset_recurrence = Gate(n, cell.recurrence, 2, hidden);
    if (cell.state_bias) cell.reset_bias = Gate(n, *cell.state_bias, 2, hidden);
    const PrimRef others = n.Simplify(n.math().Mul(hidden, n.ir().Int(2)));
    cell.recurrence = Gate(n, cell.recurrence, 0, others);
    if (cell.state_bias) cell.state_bias = Gate(n, *cell.state_bias, 0, others);
  }
  if (n.Has(4)) cell.lengths = n.Reshape(n.In(4), {batch, n.ir().Int(1)});
  if (n.op() == "LSTM" && n.Has(7)) cell.peepholes = Row(n, n.In(7), k);
  return cell;
}

}  // namespace

absl::StatusOr<Results> ImportRecurrent(NodeCall& n) {
  const bool lstm = n.op() == "LSTM";
  const int gates = lstm ? 4 : n.op() == "GRU" ? 3 : 1;
  const bool batch_first = n.Int("layout", 0) != 0;
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(CheckRanks(n));
  const int time_axis = batch_first ? 1 : 0;
  const Dims d = n.DimsOf(x);
  const PrimRef length = d[static_cast<size_t>(time_axis)], batch = d[batch_first ? 0 : 1];
  const auto steps = NodeCall::IntOf(length);
  const bool is_loop = !steps || *steps > kMaxUnrolledSteps;
  const PrimRef hidden = n.DimsOf(n.In(2))[2];
  const std::string direction = n.String("direction", "forward");
  const int directions = direction == "bidirectional" ? 2 : 1;
  std::vector<std::string> defaults = {"Sigmoid", "Tanh", "Tanh"};
  if (gates == 3) defaults.pop_back();
  if (gates == 1) defaults = {"Tanh"};
  LATHE_ASSIGN_OR_RETURN(const std::vector<Activation> activations,
                         ActivationsOf(n, defaults, directions));
  LATHE_RETURN_IF_ERROR(n.status());
  const DType dtype = n.TypeOf(x);
  const Operand nothing = n.Op("relax.zeros", {n.Shape({batch, hidden})}, {{"dtype", dtype}});
  const auto initial = [&](int i, int index) {
    if (!n.Has(i)) return nothing;
    const Operand given = batch_first ? n.Transposed(n.In(i), {1, 0, 2}) : n.In(i);
    const Operand state = Row(n, given, index);
    bool same = true;
    for (const auto& [own, wanted] :
         {std::pair(n.DimsOf(state)[0], batch), std::pair(n.DimsOf(state)[1], hidden)}) {
      same = same && NodeCall::IntOf(n.Simplify(n.math().Sub(own, wanted))) == 0;
    }
    return same ? state : n.builder().MatchCast(state, n.ir().Tensor({batch, hidden}, dtype));
  };
  std::vector<Operands> unrolled(steps && !is_loop ? static_cast<size_t>(*steps) : 0);
  std::optional<Operand> all;
  Operands last_h, last_c;
  for (int k = 0; k < directions; ++k) {
    Cell cell = CellOf(n, gates, k, batch, hidden);
    Layer layer(cell, activations);
    Direction pass{layer.Inputs(x), time_axis,     direction == "reverse" || k == 1,
                   nothing,         initial(5, k), {}};
    if (lstm) pass.s = initial(6, k);
    if (is_loop) {
      std::optional<ScanOutput> scan_outputs;
      if (n.Wants(0)) {
        scan_outputs =
            ScanOutput{{batch, hidden}, dtype, time_axis, pass.backwards, k, directions, all};
      }
      LATHE_RETURN_IF_ERROR(EmitStepLoop(n, layer, length, scan_outputs, pass, all));
    } else {
      const Operands outputs = UnrollSteps(n, layer, *steps, pass);
      for (size_t t = 0; t < outputs.size(); ++t) unrolled[t].push_back(outputs[t]);
    }
    last_h.push_back(layer.Last(length, pass.h, nothing));
    if (pass.s) last_c.push_back(layer.Last(length, *pass.s, nothing));
  }
  const auto stacked = [&](const Operands& items, int axis) {
    return n.Op("relax.stack", {transform::BlockBuilder::Tuple(items)}, {{"axis", axis}});
  };
  if (!is_loop) {
    Operands rows;
    for (const Operands& step : unrolled) rows.push_back(stacked(step, batch_first ? 1 : 0));
    const PrimRef one = n.ir().Int(directions);
    const Dims none =
        batch_first ? Dims{batch, length, one, hidden} : Dims{length, one, batch, hidden};
    all = rows.empty() ? n.Op("relax.zeros", {NodeCall::Shape(none)}, {{"dtype", dtype}})
                       : stacked(rows, time_axis);
  }
  std::vector<Term> results = {Term(), Term(stacked(last_h, batch_first ? 1 : 0))};
  if (all) results[0] = Term(*all);
  if (lstm) results.emplace_back(stacked(last_c, batch_first ? 1 : 0));
  return results;
}

}  // namespace lathe::onnx
