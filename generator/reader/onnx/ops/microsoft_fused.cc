// Imports com.microsoft's fused operators: products with epilogues, variants of Gelu, and
// normalizations of sums.
#include <algorithm>
#include <numeric>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {

absl::StatusOr<Results> ImportConv(NodeCall& n);

namespace {

// Applies `activation`, with its parameters in the order of ONNX's attributes.
absl::StatusOr<Operand> Activated(NodeCall& n, const Operand& x, const std::string& activation,
                                  const std::vector<double>& params) {
  const auto param = [&](size_t i, double otherwise) {
    return i < params.size() ? params[i] : otherwise;
  };
  const DType dtype = n.TypeOf(x);
  if (activation.empty()) return x;
  if (activation == "Relu") return n.Op("relax.nn.relu", {x});
  if (activation == "Tanh") return n.Op("relax.tanh", {x});
  if (activation == "Sigmoid") return n.Op("relax.sigmoid", {x});
  if (activation == "LeakyRelu") {
    return n.Op("relax.nn.leakyrelu", {x}, {{"alpha", param(0, 0.01)}});
  }
  if (activation == "Clip") {
    const Operand raised = n.Op("relax.maximum", {n.Number(param(0, -3.4028235e38), dtype), x});
    return n.Op("relax.minimum", {n.Number(param(1, 3.4028235e38), dtype), raised});
  }
  if (activation == "HardSigmoid") {
    return n.Elementwise("hard_sigmoid", {x}, [&](ScalarMath& m, const Scalars& v) {
      const PrimRef line =
          m.Add(m.Mul(m.Const(param(0, 0.2), dtype), v[0]), m.Const(param(1, 0.5), dtype));
      return m.Max(m.Const(0, dtype), m.Min(m.Const(1, dtype), line));
    });
  }
  return n.Unsupported() << "unsupported activation '" << activation
                         << "'; supported: Relu, Tanh, Sigmoid, LeakyRelu, Clip, HardSigmoid";
}

Operand ScaledUnlessOne(NodeCall& n, const Operand& x, double by) {
  return by == 1.0 ? x : n.Op("relax.multiply", {x, n.Number(by, n.TypeOf(x))});
}

// Transposes the last two axes of a stack of matrices, or the first and the second to last.
Operand TransposedFactor(NodeCall& n, const Operand& x, bool last, bool batch) {
  const int rank = n.Rank(x);
  std::vector<int> order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  // With transBatch, the row axis precedes the batch axes.
  if (batch && rank > 2) std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
  if (last && rank > 1) std::swap(order[order.size() - 1], order[order.size() - 2]);
  return std::is_sorted(order.begin(), order.end()) ? x : n.Transposed(x, order);
}

Operand Gelu(NodeCall& n, const Operand& x, bool by_tanh) {
  return n.Op(by_tanh ? "relax.nn.gelu_tanh" : "relax.nn.gelu", {x});
}

}  // namespace

absl::StatusOr<Results> ImportFusedConv(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(Results conv, ImportConv(n));
  Operand y = *conv.terms[0].operand;
  if (n.Has(3)) y = n.Op("relax.add", {y, n.In(3)});
  LATHE_ASSIGN_OR_RETURN(
      y, Activated(n, y, n.String("activation", ""), n.Floats("activation_params")));
  return y;
}

absl::StatusOr<Results> ImportFusedMatMul(NodeCall& n) {
  const Operand a =
      TransposedFactor(n, n.In(0), n.Int("transA", 0) != 0, n.Int("transBatchA", 0) != 0);
  const Operand b =
      TransposedFactor(n, n.In(1), n.Int("transB", 0) != 0, n.Int("transBatchB", 0) != 0);
  LATHE_RETURN_IF_ERROR(n.status());
  return ScaledUnlessOne(n, n.Op("relax.matmul", {a, b}), n.Float("alpha", 1.0));
}

absl::StatusOr<Results> ImportFusedGemm(NodeCall& n) {
  const Operand a = TransposedFactor(n, n.In(0), n.Int("transA", 0) != 0, false);
  const Operand b = TransposedFactor(n, n.In(1), n.Int("transB", 0) != 0, false);
  LATHE_RETURN_IF_ERROR(n.status());
  Operand y = ScaledUnlessOne(n, n.Op("relax.matmul", {a, b}), n.Float("alpha", 1.0));
  if (n.Has(2)) y = n.Op("relax.add", {y, ScaledUnlessOne(n, n.In(2), n.Float("beta", 1.0))});
  const std::string activation = n.String("activation", "");
  std::vector<double> params;
  for (const char* name : {"activation_alpha", "activation_beta", "activation_gamma"}) {
    if (n.HasAttribute(name)) params.push_back(n.Float(name, 0));
  }
  LATHE_ASSIGN_OR_RETURN(y, Activated(n, y, activation, params));
  return y;
}

// Gelu and BiasGelu use erf, FastGelu uses tanh. The bias is added first.
absl::StatusOr<Results> ImportGelu(NodeCall& n) {
  const Operand x = n.Has(1) ? n.Op("relax.add", {n.In(0), n.In(1)}) : n.In(0);
  return Gelu(n, x, n.op() == "FastGelu");
}

absl::StatusOr<Results> ImportQuickGelu(NodeCall& n) {
  const double alpha = n.Float("alpha", 1.702);
  return n.Elementwise("quick_gelu", {n.In(0)}, [&](ScalarMath& m, const Scalars& v) {
    const PrimRef scaled = m.Mul(v[0], m.Const(alpha, v[0]->dtype()));
    return m.Mul(v[0], m.Call("sigmoid", {scaled}));
  });
}

absl::StatusOr<Results> ImportBiasAdd(NodeCall& n) {
  return n.Op("relax.add", {n.Op("relax.add", {n.In(0), n.In(1)}), n.In(2)});
}

namespace {

struct Normal {
  Operand value, mean, inverse;
};

// Normalizes over the axes from `first` on; the simplified forms do not subtract the mean.
Normal Normalized(NodeCall& n, const Operand& x, bool simplified, double epsilon, int first) {
  const DType dtype = n.TypeOf(x);
  const DType work = dtype.bits < 32 ? DType::Float(32) : dtype;
  const Operand wide = n.Cast(x, work);
  ir::AttrList axes;
  for (int axis = first; axis < n.Rank(x); ++axis) axes.emplace_back(axis);
  const auto mean_of = [&](const Operand& v) {
    return n.Op("relax.mean", {v}, {{"axis", axes}, {"keepdims", true}});
  };
  const Operand mean = simplified ? wide : mean_of(wide);
  const Operand off = simplified ? wide : n.Op("relax.subtract", {wide, mean});
  const Operand variance = mean_of(n.Op("relax.multiply", {off, off}));
  const Operand inverse =
      n.Elementwise("inverse_deviation", {variance}, [&](ScalarMath& m, const Scalars& v) {
        const PrimRef root = m.Call("sqrt", {m.Add(v[0], m.Const(epsilon, work))});
        return m.Div(m.Const(1, work), root);
      });
  return {n.Cast(n.Op("relax.multiply", {off, inverse}), dtype), mean, inverse};
}

Operand With(NodeCall& n, const char* op, Operand x, int input) {
  return n.Has(input) ? n.Op(op, {x, n.In(input)}) : x;
}

}  // namespace

// SimplifiedLayerNormalization. Inputs: X, scale.
absl::StatusOr<Results> ImportSimplifiedLayerNorm(NodeCall& n) {
  const Operand x = n.In(0);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 1));
  LATHE_ASSIGN_OR_RETURN(const int axis, n.Axis(n.Int("axis", -1), n.Rank(x)));
  const Normal normal = Normalized(n, x, true, n.Float("epsilon", 1e-5), axis);
  return Operands{n.Op("relax.multiply", {normal.value, n.In(1)}), normal.inverse};
}

// Inputs: input, skip, gamma, [beta unless simplified], bias. The sum is a result too.
absl::StatusOr<Results> ImportSkipLayerNorm(NodeCall& n) {
  const bool simplified = n.op() == "SkipSimplifiedLayerNormalization";
  Operand sum = n.Op("relax.add", {n.In(0), n.In(1)});
  sum = With(n, "relax.add", sum, simplified ? 3 : 4);
  LATHE_RETURN_IF_ERROR(n.NeedRank(sum, 1));
  if (simplified && n.Wants(1))
    return n.Unsupported() << "the mean, which this form has not, is not supported as an output";
  const Normal normal = Normalized(n, sum, simplified, n.Float("epsilon", 1e-12), n.Rank(sum) - 1);
  Operand y = n.Op("relax.multiply", {normal.value, n.In(2)});
  if (!simplified) y = With(n, "relax.add", y, 3);
  return Operands{y, normal.mean, normal.inverse, sum};
}

// Adds word, position and segment embeddings and normalizes the sum. Also counts the elements of
// each row that the mask keeps.
absl::StatusOr<Results> ImportEmbedLayerNorm(NodeCall& n) {
  const Operand words = n.In(0);
  for (const int i : {0, 1, 2, 3, 4, 7, 8}) {
    if (n.Has(i) && n.Rank(n.In(i)) != 2) return n.Error() << "input " << i << " must have rank 2";
  }
  for (const int i : {2, 3}) (void)n.In(i);
  LATHE_RETURN_IF_ERROR(n.status());
  const Dims ids = n.DimsOf(words);
  Operands args = {words, n.In(2), n.In(3)};
  int segments = -1, places = -1;
  if (n.Has(1) && n.Has(4)) {
    segments = static_cast<int>(args.size());
    args.push_back(n.In(1));
    args.push_back(n.In(4));
  }
  if (n.Has(8)) {
    places = static_cast<int>(args.size());
    args.push_back(n.In(8));
  }
  const DType dtype = n.TypeOf(n.In(2));
  const Operand sum = n.Kernel("embeddings", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto row = [&](int table, PrimRef id, PrimRef at) {
      return te.At(te.Input(table), {m.Cast(id, DType::Int(64)), at});
    };
    const PrimRef width = te.Input(1)->shape[1];
    const Dims dims = {ids[0], ids[1], width};
    NeedSame(n, te, te.Input(2)->shape[1], width, "the width of the places");
    if (segments >= 0) {
      NeedSameDims(n, te, te.Input(segments)->shape, ids, "the segments");
      NeedSame(n, te, te.Input(segments + 1)->shape[1], width, "the width of the segments");
    }
    if (places >= 0) {
      NeedBroadcastsTo(n, te, {te.Input(places)->shape[0]}, {ids[0]}, "the places");
      NeedSame(n, te, te.Input(places)->shape[1], ids[1], "the places of a row");
    } else {
      te.Need(m.Le(ids[1], te.Input(2)->shape[0]),
              "EmbedLayerNormalization needs a place for each word");
    }
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      PrimRef place = at[1];
      if (places >= 0) {
        ir::BufferRef given = te.Input(places);
        const bool shared = NodeCall::IntOf(given->shape[0]) == 1;
        place = te.At(given, {shared ? m.Int(0) : at[0], at[1]});
      }
      PrimRef value =
          m.Add(row(1, te.At(te.Input(0), {at[0], at[1]}), at[2]), row(2, place, at[2]));
      if (segments >= 0) {
        const PrimRef id = te.At(te.Input(segments), {at[0], at[1]});
        value = m.Add(value, row(segments + 1, id, at[2]));
      }
      return value;
    });
  });
  LATHE_RETURN_IF_ERROR(n.status());
  const Normal normal = Normalized(n, sum, false, n.Float("epsilon", 1e-12), n.Rank(sum) - 1);
  Operand y = n.Op("relax.multiply", {normal.value, n.In(5)});
  y = n.Op("relax.add", {y, n.In(6)});
  const DType count = DType::Int(32);
  const Operands mask = n.Has(7) ? Operands{n.In(7)} : Operands{words};
  const Operand kept = n.Kernel("kept_places", mask, [&](Te& te) {
    ScalarMath& m = te.math();
    if (n.Has(7)) NeedSameDims(n, te, te.Input(0)->shape, ids, "the mask");
    return te.Reduce("out", {ids[0]}, {ids[1]}, te.Sum(count),
                     [&](const Indices& at, const Indices& r) {
                       if (!n.Has(7)) return m.Const(0, count);
                       const PrimRef entry = te.At(te.Input(0), {at[0], r[0]});
                       return m.Select(m.Eq(entry, m.Const(1, entry->dtype())), m.Const(1, count),
                                       m.Const(0, count));
                     });
  });
  return Operands{y, kept, sum};
}

}  // namespace lathe::onnx
