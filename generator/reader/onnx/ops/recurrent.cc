// RNN, GRU and LSTM, one step of time after the other.
#include <algorithm>
#include <tuple>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/recurrent_activations.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Steps that are written out.
constexpr int64_t kMostSteps = 2048;

struct Cell {
  NodeCall& n;
  int gates;
  int direction;
  PrimRef batch, hidden;
  Operand weights, recurrence;  // transposed: (input, gates * hidden), (hidden, gates * hidden)
  std::optional<Operand> input_bias, state_bias;
  std::optional<Operand> lengths;
  std::optional<Operand> peepholes;
};

// Row `index` of the first axis.
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

// Columns [begin, begin + size) of the last axis, which `gate` counts.
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

  // What all steps of `x` add to their gates: one product, since no step waits for another here.
  Operand Inputs(const Operand& x) {
    const Operand sum = n_.Op("relax.matmul", {x, c_.weights});
    return c_.input_bias ? Add(n_, sum, *c_.input_bias) : sum;
  }
  Operand Recurrent(const Operand& h) {
    const Operand sum = n_.Op("relax.matmul", {h, c_.recurrence});
    return c_.state_bias ? Add(n_, sum, *c_.state_bias) : sum;
  }
  Operand Part(const Operand& x, int gate) { return Gate(n_, x, gate, c_.hidden); }

  // What state `h` (and, of LSTM, cell `s`) become; `in` is the step's part of Inputs.
  void Step(const Operand& in, Operand& h, std::optional<Operand>& s) {
    if (c_.gates == 1) {
      h = F(0, Add(n_, in, Recurrent(h)));
    } else if (c_.gates == 3) {
      Gru(in, h);
    } else {
      Lstm(in, h, *s);
    }
  }

  void Gru(const Operand& in, Operand& h) {
    const Operand back = Recurrent(h);
    const Operand z = F(0, Add(n_, Part(in, 0), Part(back, 0)));
    const Operand r = F(0, Add(n_, Part(in, 1), Part(back, 1)));
    Operand old = Mul(n_, r, Part(back, 2));
    if (n_.Int("linear_before_reset", 0) == 0) {
      const Operand reset = n_.Op("relax.matmul", {Mul(n_, r, h), Part(c_.recurrence, 2)});
      old = c_.state_bias ? Add(n_, reset, Part(*c_.state_bias, 2)) : reset;
    }
    const Operand fresh = F(1, Add(n_, Part(in, 2), old));
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
    const Operand i = F(0, seen(0, 0, s));
    Operand f = i;
    if (n_.Int("input_forget", 0) == 0) {
      f = F(0, seen(2, 2, s));
    } else {
      f = n_.Op("relax.subtract", {n_.Number(1, n_.TypeOf(i)), i});
    }
    const Operand fresh = F(1, Part(gates, 3));
    s = Add(n_, Mul(n_, f, s), Mul(n_, i, fresh));
    const Operand o = F(0, seen(1, 1, s));
    const Operand shown = F(2, s);
    h = Mul(n_, o, shown);
  }

  // `fresh` where the sequence still goes on at step t, else `otherwise`.
  Operand While(int64_t t, const Operand& fresh, const Operand& otherwise) {
    if (!c_.lengths) return fresh;
    const Operand lengths = n_.Reshape(*c_.lengths, {c_.batch, n_.ir().Int(1)});
    return n_.Elementwise(
        "going_on", {fresh, otherwise, lengths}, [&](ScalarMath& m, const Scalars& v) {
          return m.Select(m.Lt(m.Const(static_cast<double>(t), v[2]->dtype()), v[2]), v[0], v[1]);
        });
  }

 private:
  Cell c_;
  NodeCall& n_;
  const std::vector<Activation>& activations_;
};

}  // namespace

absl::StatusOr<Results> ImportRecurrent(NodeCall& n) {
  const bool lstm = n.op() == "LSTM";
  const int gates = lstm ? 4 : n.op() == "GRU" ? 3 : 1;
  const bool batch_first = n.Int("layout", 0) != 0;
  Operand x = n.In(0);
  if (n.Rank(x) != 3 || n.Rank(n.In(1)) != 3 || n.Rank(n.In(2)) != 3) {
    return n.Error() << "sequences, weights and recurrence of rank 3";
  }
  for (const auto& [input, rank, what] :
       {std::tuple(3, 2, "a bias"), std::tuple(4, 1, "lengths"), std::tuple(5, 3, "a first state"),
        std::tuple(6, 3, "a first cell state"), std::tuple(7, 2, "peepholes")}) {
    if (n.Has(input) && n.Rank(n.In(input)) != rank) {
      return n.Error() << what << " of rank " << rank;
    }
  }
  if (batch_first) x = n.Transposed(x, {1, 0, 2});
  const Dims d = n.DimsOf(x);
  const auto steps = NodeCall::IntOf(d[0]);
  if (!steps || *steps > kMostSteps) {
    return n.Unsupported() << "a sequence whose length is not a number of at most " << kMostSteps;
  }
  const PrimRef hidden = n.DimsOf(n.In(2))[2];
  const std::string way = n.String("direction", "forward");
  const int directions = way == "bidirectional" ? 2 : 1;
  std::vector<std::string> defaults = {"Sigmoid", "Tanh", "Tanh"};
  if (gates == 3) defaults.pop_back();
  if (gates == 1) defaults = {"Tanh"};
  LATHE_ASSIGN_OR_RETURN(const std::vector<Activation> activations,
                         ActivationsOf(n, defaults, directions));
  LATHE_RETURN_IF_ERROR(n.status());
  const DType dtype = n.TypeOf(x);
  const Operand nothing = n.Op("relax.zeros", {n.Shape({d[1], hidden})}, {{"dtype", dtype}});
  const auto initial = [&](int i, int direction) {
    if (!n.Has(i)) return nothing;
    const Operand given = batch_first ? n.Transposed(n.In(i), {1, 0, 2}) : n.In(i);
    return Row(n, given, direction);
  };
  std::vector<Operands> outputs(static_cast<size_t>(*steps));
  Operands last_h, last_c;
  for (int k = 0; k < directions; ++k) {
    Cell cell{n,
              gates,
              k,
              d[1],
              hidden,
              n.Transposed(Row(n, n.In(1), k), {1, 0}),
              n.Transposed(Row(n, n.In(2), k), {1, 0}),
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
    if (n.Has(4)) cell.lengths = n.In(4);
    if (lstm && n.Has(7)) cell.peepholes = Row(n, n.In(7), k);
    Layer layer(cell, activations);
    const bool backwards = way == "reverse" || k == 1;
    const Operand inputs = layer.Inputs(x);
    Operand h = initial(5, k);
    std::optional<Operand> c;
    if (lstm) c = initial(6, k);
    for (int64_t turn = 0; turn < *steps; ++turn) {
      const int64_t t = backwards ? *steps - 1 - turn : turn;
      const Operand h_before = h;
      const std::optional<Operand> c_before = c;
      layer.Step(Row(n, inputs, t), h, c);
      outputs[static_cast<size_t>(t)].push_back(layer.While(t, h, nothing));
      h = layer.While(t, h, h_before);
      if (c) c = layer.While(t, *c, *c_before);
    }
    last_h.push_back(h);
    if (c) last_c.push_back(*c);
  }
  const auto stacked = [&](const Operands& items) {
    return n.Op("relax.stack", {transform::BlockBuilder::Tuple(items)}, {{"axis", 0}});
  };
  Operands all;
  for (const Operands& step : outputs) all.push_back(stacked(step));
  Operands results = {stacked(all), stacked(last_h)};
  if (lstm) results.push_back(stacked(last_c));
  if (batch_first) {
    results[0] = n.Transposed(results[0], {2, 0, 1, 3});
    for (size_t i = 1; i < results.size(); ++i) results[i] = n.Transposed(results[i], {1, 0, 2});
  }
  return results;
}

}  // namespace lathe::onnx
