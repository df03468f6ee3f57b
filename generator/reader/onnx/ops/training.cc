// Imports the update steps of optimizers: for each tensor, its gradient and optimizer state.
#include <array>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

struct Step {
  NodeCall& n;
  ScalarMath& m;
  PrimRef rate, turn;  // R and T, in the tensor's type

  PrimRef C(double v, PrimRef like) { return m.Const(v, like->dtype()); }
  PrimRef Attribute(const char* name, double otherwise, PrimRef like) {
    return C(n.Float(name, otherwise), like);
  }
  // The gradient with the regularization term added.
  PrimRef Gradient(PrimRef x, PrimRef g) {
    return m.Add(m.Mul(Attribute("norm_coefficient", 0, x), x), g);
  }
};

using New = std::vector<PrimRef>;

New Adagrad(Step s, const Scalars& v) {
  ScalarMath& m = s.m;
  const PrimRef x = v[0], one = s.C(1, x);
  const PrimRef decay = m.Add(one, m.Mul(s.turn, s.Attribute("decay_factor", 0, x)));
  const PrimRef g = s.Gradient(x, v[1]);
  const PrimRef h = m.Add(v[2], m.Mul(g, g));
  const PrimRef root = m.Add(m.Call("sqrt", {h}), s.Attribute("epsilon", 1e-6, x));
  return {m.Sub(x, m.Mul(m.Div(s.rate, decay), m.Div(g, root))), h};
}

New Adam(Step s, const Scalars& v) {
  ScalarMath& m = s.m;
  const PrimRef x = v[0], one = s.C(1, x);
  const PrimRef alpha = s.Attribute("alpha", 0.9, x), beta = s.Attribute("beta", 0.999, x);
  const PrimRef g = s.Gradient(x, v[1]);
  const PrimRef first = m.Add(m.Mul(alpha, v[2]), m.Mul(m.Sub(one, alpha), g));
  const PrimRef second = m.Add(m.Mul(beta, v[3]), m.Mul(m.Sub(one, beta), m.Mul(g, g)));
  const PrimRef root = m.Add(m.Call("sqrt", {second}), s.Attribute("epsilon", 1e-6, x));
  const auto left = [&](PrimRef base) { return m.Sub(one, m.Call("pow", {base, s.turn})); };
  const PrimRef corrected = m.Div(m.Mul(s.rate, m.Call("sqrt", {left(beta)})), left(alpha));
  const PrimRef rate = m.Select(m.Lt(s.C(0, x), s.turn), corrected, s.rate);
  const PrimRef next = m.Sub(x, m.Mul(rate, m.Div(first, root)));
  const PrimRef rest = m.Sub(one, s.Attribute("norm_coefficient_post", 0, x));
  return {m.Mul(rest, next), first, second};
}

New Momentum(Step s, const Scalars& v) {
  ScalarMath& m = s.m;
  const PrimRef x = v[0], alpha = s.Attribute("alpha", 0, x);
  const PrimRef g = s.Gradient(x, v[1]);
  // The first step uses the whole gradient.
  const PrimRef beta = m.Select(m.Lt(s.C(0, x), s.turn), s.Attribute("beta", 0, x), s.C(1, x));
  const PrimRef next = m.Add(m.Mul(alpha, v[2]), m.Mul(beta, g));
  const bool nesterov = s.n.String("mode", "standard") == "nesterov";
  const PrimRef along = nesterov ? m.Add(g, m.Mul(alpha, next)) : next;
  return {m.Sub(x, m.Mul(s.rate, along)), next};
}

}  // namespace

absl::StatusOr<Results> ImportOptimizer(NodeCall& n) {
  const bool adam = n.op() == "Adam";
  const int kept = adam ? 2 : 1;
  const int each = 2 + kept;  // the tensor, its gradient, its states
  if (n.inputs() < 2 + each || (n.inputs() - 2) % each != 0) {
    return n.Error() << n.inputs()
                     << " inputs do not match the optimizer's tensors, gradients and states";
  }
  const int tensors = (n.inputs() - 2) / each;
  std::vector<Operands> results(static_cast<size_t>(each) - 1);
  for (int k = 0; k < tensors; ++k) {
    Operands args = {n.In(0), n.In(1)};
    for (int i = 0; i < each; ++i) {
      args.push_back(n.In(2 + i * tensors + k));
      if (n.Rank(args.back()) != n.Rank(args[2]))
        return n.Error() << "a tensor and its gradient and states must have equal ranks";
    }
    const Operands made = n.Kernels("step", args, [&](Te& te) {
      ScalarMath& m = te.math();
      std::vector<ir::BufferRef> outputs;
      for (int i = 3; i < te.inputs(); ++i) {
        NeedSameDims(n, te, te.Input(i)->shape, te.Input(2)->shape, "what goes with a tensor");
      }
      const DType dtype = te.Input(2)->dtype;
      const auto scalar = [&](int i) {
        return m.Cast(te.At(te.Input(i), Indices(te.Input(i)->shape.size(), m.Int(0))), dtype);
      };
      for (size_t o = 0; o < results.size(); ++o) {
        outputs.push_back(te.Compute("next", te.Input(2)->shape, dtype, [&](const Indices& at) {
          Scalars v;
          for (int i = 2; i < te.inputs(); ++i) v.push_back(te.At(te.Input(i), at));
          const Step step{n, m, scalar(0), scalar(1)};
          const New next = adam                  ? Adam(step, v)
                           : n.op() == "Adagrad" ? Adagrad(step, v)
                                                 : Momentum(step, v);
          return next[o];
        }));
      }
      return outputs;
    });
    for (size_t o = 0; o < made.size(); ++o) results[o].push_back(made[o]);
  }
  Operands all;
  for (const Operands& one : results) all.insert(all.end(), one.begin(), one.end());
  return all;
}

}  // namespace lathe::onnx
