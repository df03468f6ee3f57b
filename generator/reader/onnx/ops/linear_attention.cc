// Imports linear attention, which accumulates keys and values in a state, and its causal
// convolution.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

struct Sizes {
  int64_t query_heads, heads;
  PrimRef batch, length, key, value;
};

// Emits the recurrence: each step decays the state, adds a key and its value, and reads the query.
class Recurrence {
 public:
  Recurrence(NodeCall& n, Te& te, const Sizes& z, int past, int decay, int beta)
      : n_(n), te_(te), m_(te.math()), z_(z), past_(past), decay_(decay), beta_(beta) {}

  std::vector<ir::BufferRef> Run(double scale) {
    const DType real = DType::Float(32), dtype = te_.Input(0)->dtype;
    const PrimRef heads = m_.Int(z_.heads), group = m_.Int(z_.query_heads / z_.heads);
    const Dims rows = {z_.batch, heads};
    ir::BufferRef state = te_.Allocate("state", {z_.batch, heads, z_.key, z_.value}, real);
    ir::BufferRef known = te_.Allocate("known", {z_.batch, heads, z_.value}, real);
    ir::BufferRef sum = te_.Allocate("sum", rows, real);
    const PrimRef width = n_.Simplify(m_.Mul(m_.Int(z_.query_heads), z_.value));
    ir::BufferRef out = te_.Allocate("out", {z_.batch, z_.length, width}, dtype);
    te_.Run("steps", rows, [&](ops::Statements& s, const Indices& at) {
      const PrimRef b = at[0], h = at[1];
      const auto cell = [&](PrimRef i, PrimRef j) { return Indices{b, h, i, j}; };
      s.For("i", z_.key, [&](PrimRef i) {
        s.For("j", z_.value, [&](PrimRef j) {
          s.Store(
              state, cell(i, j),
              past_ < 0 ? m_.Const(0, real) : m_.Cast(te_.At(te_.Input(past_), cell(i, j)), real));
        });
      });
      s.For("t", z_.length, [&](PrimRef t) {
        const auto of = [&](int input, PrimRef size, PrimRef head, PrimRef i) {
          const PrimRef place = m_.Add(m_.Mul(head, size), i);
          return m_.Cast(te_.At(te_.Input(input), {b, t, place}), real);
        };
        if (decay_ >= 0) {
          s.For("i", z_.key, [&](PrimRef i) {
            const bool by_head = te_.Input(decay_)->shape[2] == heads;
            const PrimRef rate =
                by_head ? of(decay_, m_.Int(1), h, m_.Int(0)) : of(decay_, z_.key, h, i);
            const PrimRef fade = s.Let("fade", m_.Call("exp", {rate}));
            s.For("j", z_.value, [&](PrimRef j) {
              s.Store(state, cell(i, j), m_.Mul(te_.At(state, cell(i, j)), fade));
            });
          });
        }
        // Retrieves what the state already predicts for the key (delta rule).
        s.For("j", z_.value, [&](PrimRef j) {
          s.Store(known, {b, h, j}, m_.Const(0, real));
          if (beta_ < 0) return;
          s.For("i", z_.key, [&](PrimRef i) {
            const PrimRef part = m_.Mul(te_.At(state, cell(i, j)), of(1, z_.key, h, i));
            s.Store(known, {b, h, j}, m_.Add(te_.At(known, {b, h, j}), part));
          });
        });
        s.For("i", z_.key, [&](PrimRef i) {
          const PrimRef key = s.Let("key", of(1, z_.key, h, i));
          s.For("j", z_.value, [&](PrimRef j) {
            PrimRef learned = of(2, z_.value, h, j);
            if (beta_ >= 0) {
              const bool one = NodeCall::IntOf(te_.Input(beta_)->shape[2]) == 1;
              const PrimRef rate = of(beta_, m_.Int(1), one ? m_.Int(0) : h, m_.Int(0));
              learned = m_.Mul(rate, m_.Sub(learned, te_.At(known, {b, h, j})));
            }
            s.Store(state, cell(i, j), m_.Add(te_.At(state, cell(i, j)), m_.Mul(key, learned)));
          });
        });
        s.For("g", group, [&](PrimRef g) {
          const PrimRef head = m_.Add(m_.Mul(h, group), g);
          s.For("j", z_.value, [&](PrimRef j) {
            s.Store(sum, at, m_.Const(0, real));
            s.For("i", z_.key, [&](PrimRef i) {
              const PrimRef part = m_.Mul(of(0, z_.key, head, i), te_.At(state, cell(i, j)));
              s.Store(sum, at, m_.Add(te_.At(sum, at), part));
            });
            const PrimRef value = m_.Mul(te_.At(sum, at), m_.Const(scale, real));
            s.Store(out, {b, t, m_.Add(m_.Mul(head, z_.value), j)}, m_.Cast(value, dtype));
          });
        });
      });
    });
    // The state may be of another type than the keys.
    const DType kept = past_ < 0 ? dtype : te_.Input(past_)->dtype;
    if (kept == real) return {out, state};
    return {out, te_.Compute("present", state->shape, kept,
                             [&](const Indices& at) { return m_.Cast(te_.At(state, at), kept); })};
  }

 private:
  NodeCall& n_;
  Te& te_;
  ScalarMath& m_;
  const Sizes& z_;
  const int past_, decay_, beta_;
};

}  // namespace

absl::StatusOr<Results> ImportLinearAttention(NodeCall& n) {
  const Dims q = n.DimsOf(n.In(0)), v = n.DimsOf(n.In(2));
  Sizes z{n.Int("q_num_heads", 0), n.Int("kv_num_heads", 0), nullptr, nullptr, nullptr, nullptr};
  if (q.size() != 3 || v.size() != 3 || n.Rank(n.In(1)) != 3 || z.heads < 1 ||
      z.query_heads < z.heads || z.query_heads % z.heads != 0) {
    return n.Error() << "queries, keys and values must have rank 3, and the number of query heads "
                        "must be a multiple of the key heads";
  }
  z.batch = q[0];
  z.length = q[1];
  z.key = n.Simplify(n.math().FloorDiv(q[2], n.ir().Int(z.query_heads)));
  z.value = n.Simplify(n.math().FloorDiv(v[2], n.ir().Int(z.heads)));
  Operands args = {n.In(0), n.In(1), n.In(2)};
  const std::string rule = n.String("update_rule", "gated_delta");
  const auto also = [&](int input, bool used) {
    if (!used || !n.Has(input)) return -1;
    args.push_back(n.In(input));
    return static_cast<int>(args.size()) - 1;
  };
  const int past = also(3, true);
  const int decay = also(4, rule == "gated" || rule == "gated_delta");
  const int beta = also(5, rule == "delta" || rule == "gated_delta");
  double scale = n.Float("scale", 0);
  if (scale == 0) {
    const auto size = NodeCall::IntOf(z.key);
    if (!size || *size < 1)
      return n.Unsupported() << "a head size that is not constant is not supported";
    scale = 1 / std::sqrt(static_cast<double>(*size));
  }
  LATHE_RETURN_IF_ERROR(n.status());
  for (const auto& [input, rank] : {std::pair(past, 4), std::pair(decay, 3), std::pair(beta, 3)}) {
    if (input >= 0 && n.Rank(args[static_cast<size_t>(input)]) != rank) {
      return n.Error() << "the state must have rank 4, decays and rates rank 3";
    }
  }
  return n.Kernels("linear_attention", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef heads = m.Int(z.heads), queries = m.Int(z.query_heads);
    const auto rows = [&](int input, PrimRef width, absl::string_view what) {
      NeedSameDims(n, te, te.Input(input)->shape, {z.batch, z.length, width}, what);
    };
    rows(0, m.Mul(queries, z.key), "the queries");
    rows(1, m.Mul(heads, z.key), "the keys");
    rows(2, m.Mul(heads, z.value), "the values");
    if (past >= 0) {
      NeedSameDims(n, te, te.Input(past)->shape, {z.batch, heads, z.key, z.value}, "the state");
    }
    if (decay >= 0) {
      const PrimRef width = te.Input(decay)->shape[2];
      rows(decay, width == heads ? width : m.Mul(heads, z.key), "the decays");
    }
    if (beta >= 0) {
      const PrimRef width = te.Input(beta)->shape[2];
      rows(beta, NodeCall::IntOf(width) == 1 ? width : heads, "the rates");
    }
    return Recurrence(n, te, z, past, decay, beta).Run(scale);
  });
}

namespace {

// Convolves each channel of `x` with its row of `w`. Their number may be symbolic.
Operand ConvolveChannels(NodeCall& n, const Operand& x, const Operand& w, PrimRef length) {
  const Dims d = n.DimsOf(x), k = n.DimsOf(w);
  if (const auto channels = NodeCall::IntOf(d[1]); channels && NodeCall::IntOf(k[2])) {
    return n.Op("relax.nn.conv1d", {x, w}, {{"groups", *channels}});
  }
  return n.Kernel("channels", {x, w}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSameDims(n, te, k, {d[1], m.Int(1), k[2]}, "a kernel for each channel");
    return te.Reduce(
        "out", {d[0], d[1], length}, {k[2]}, te.Sum(n.TypeOf(x)),
        [&](const Indices& at, const Indices& r) {
          const PrimRef element = te.At(te.Input(0), {at[0], at[1], m.Add(at[2], r[0])});
          return m.Mul(element, te.At(te.Input(1), {at[1], m.Int(0), r[0]}));
        });
  });
}

}  // namespace

// Convolves over past elements only.
absl::StatusOr<Results> ImportCausalConv(NodeCall& n) {
  const Operand x = n.In(0), w = n.In(1);
  const Dims d = n.DimsOf(x), k = n.DimsOf(w);
  if (d.size() != 3 || k.size() != 3) return n.Error() << "input and kernel must have rank 3";
  if (NodeCall::IntOf(k[2]) == 0) return n.Error() << "the kernel must not be empty";
  const DType dtype = n.TypeOf(x);
  const PrimRef past = n.Simplify(n.math().Sub(k[2], n.ir().Int(1)));
  const Dims before = {d[0], d[1], past};
  Operands args = {x};
  if (n.Has(3)) args.push_back(n.In(3));
  const Dims padded = {d[0], d[1], n.Simplify(n.math().Add(d[2], past))};
  if (n.Has(3) && n.Rank(n.In(3)) != 3) return n.Error() << "the state must have rank 3";
  const Operand all = n.Kernel("with_past", args, [&](Te& te) {
    ScalarMath& m = te.math();
    if (n.Has(3)) NeedSameDims(n, te, te.Input(1)->shape, before, "the state");
    te.Need(m.Le(m.Int(0), past), absl::StrCat(n.op(), " needs a kernel with elements"));
    return te.Compute("out", padded, dtype, [&](const Indices& at) {
      Indices now = at;
      now[2] = m.Sub(at[2], before[2]);
      const PrimRef old = te.inputs() > 1 ? te.At(te.Input(1), at) : m.Const(0, dtype);
      return m.IfThenElse(m.Le(before[2], at[2]), te.At(te.Input(0), now), old);
    });
  });
  const DType wide = dtype.bits < 32 ? DType::Float(32) : dtype;
  Operand y = ConvolveChannels(n, n.Cast(all, wide), n.Cast(w, wide), d[2]);
  if (n.Has(2)) {
    const Operand bias = n.Reshape(n.In(2), {n.ir().Int(1), d[1], n.ir().Int(1)});
    y = n.Op("relax.add", {y, n.Cast(bias, wide)});
  }
  const std::string activation = n.String("activation", "none");
  if (activation == "silu" || activation == "swish") {
    // Applies the activation to the result in the type of the input.
    y = n.Op("relax.nn.silu", {n.Cast(n.Cast(y, dtype), wide)});
  }
  const Operand present = n.Kernel("present", {all}, [&](Te& te) {
    return te.Compute("out", before, dtype, [&](Indices at) {
      at[2] = te.math().Add(at[2], d[2]);
      return te.At(te.Input(0), at);
    });
  });
  return Operands{n.Cast(y, dtype), present};
}

}  // namespace lathe::onnx
