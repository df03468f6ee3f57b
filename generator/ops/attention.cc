// Implements attention over tensors of [batch, sequence, heads, head size]: attention,
// attention_bias, attention_var_len.
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// Several query heads may share a head of key and value.
absl::Status NeedMultiple(InferContext& c, const Call& call, int i, PrimRef heads, PrimRef shared) {
  ScalarMath m(c.ir());
  // Zero key heads require zero query heads.
  const PrimRef rest = c.Simplify(m.FloorMod(heads, m.Max(shared, m.Int(1))));
  const PrimRef some = c.Simplify(m.Min(heads, m.Int(1)));
  if (c.CanEqual(rest, m.Int(0)) && c.CanBeAtMost(some, shared)) return absl::OkStatus();
  return c.Error("op-argument-shape") << DescribeArg(c, call, 0) << " has " << ToString(heads)
                                      << " heads, which is not a multiple of the "
                                      << ToString(shared) << " of " << ArgName(call, i);
}

absl::Status CheckBias(InferContext& c, const Call& call, const Dims& q, const Dims& k,
                       const Dims& bias) {
  const PrimRef wanted[] = {q[0], q[2], q[1]};
  for (int i = 0; i < 3; ++i) {
    const int64_t* one = AsInt(bias[i]);
    if (one != nullptr && *one == 1) continue;
    LATHE_RETURN_IF_ERROR(NeedSame(c, call, 0, 3, wanted[i], bias[i], "size"));
  }
  return NeedSame(c, call, 1, 3, k[1], bias[3], "sequence length");
}

// Checks a tensor of sequence starts, which has at least one element.
absl::Status CheckStarts(InferContext& c, const Call& call, int i) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, i));
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, i, *x));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, i, *x, 1));
  const Dims* dims = DimsOf(c, *x);
  if (dims == nullptr || c.CanBeAtMost(c.ir().Int(1), dims->front())) return absl::OkStatus();
  return c.Error("op-argument-shape")
         << DescribeArg(c, call, i) << " must have at least one element, got none";
}

}  // namespace

absl::StatusOr<StructInfoRef> InferAttention(InferContext& c, const Call& call) {
  const int tensors = call.op()->name == "relax.nn.attention_bias" ? 4 : 3;
  std::vector<const TensorInfo*> x;
  const Dims* dims[4] = {};
  for (int i = 0; i < tensors; ++i) {
    LATHE_ASSIGN_OR_RETURN(const TensorInfo* t, TensorArg(c, call, i));
    LATHE_RETURN_IF_ERROR(NeedRank(c, call, i, *t, 4));
    dims[i] = DimsOf(c, *t);
    x.push_back(t);
  }
  if (call.op()->name == "relax.nn.attention_var_len") {
    for (int i : {3, 4}) LATHE_RETURN_IF_ERROR(CheckStarts(c, call, i));
  }
  LATHE_ASSIGN_OR_RETURN(ir::VDeviceRef device, SameVDevice(c, call, x));
  const Dims *q = dims[0], *k = dims[1], *v = dims[2];
  if (q == nullptr || k == nullptr || v == nullptr) return c.ir().Tensor(4, x[0]->dtype, device);
  LATHE_RETURN_IF_ERROR(NeedSame(c, call, 0, 1, (*q)[0], (*k)[0], "batch size"));
  LATHE_RETURN_IF_ERROR(NeedSame(c, call, 0, 2, (*q)[0], (*v)[0], "batch size"));
  LATHE_RETURN_IF_ERROR(NeedMultiple(c, call, 1, (*q)[2], (*k)[2]));
  LATHE_RETURN_IF_ERROR(NeedMultiple(c, call, 2, (*q)[2], (*v)[2]));
  LATHE_RETURN_IF_ERROR(NeedSame(c, call, 1, 2, (*k)[1], (*v)[1], "sequence length"));
  LATHE_RETURN_IF_ERROR(NeedSame(c, call, 0, 1, (*q)[3], (*k)[3], "head size"));
  if (dims[3] != nullptr) LATHE_RETURN_IF_ERROR(CheckBias(c, call, *q, *k, *dims[3]));
  return c.ir().Tensor(Dims{(*q)[0], (*q)[1], (*q)[2], (*v)[3]}, x[0]->dtype, device);
}

namespace {

// The positions of a query and a key in their sequences.
struct Places {
  PrimRef query, key;     // counted from the start of the sequence
  PrimRef queries, keys;  // lengths of the two sequences
  PrimRef together;       // true: both are in the same sequence
};

// Locates tokens in packed sequences: sequence n is from starts[n] to starts[n + 1].
class Packed {
 public:
  Packed(Te& te, ir::BufferRef tokens, ir::BufferRef starts) : te_(te), starts_(starts) {
    ScalarMath& m = te.math();
    number_ = te.Reduce("sequence", {tokens->shape[1]}, {starts->shape[0]}, te.Sum(DType::Int(64)),
                        [&](const Indices& at, const Indices& r) {
                          const PrimRef start = m.Cast(te.At(starts, {r[0]}), DType::Int(64));
                          return m.Cast(m.Le(start, at[0]), DType::Int(64));
                        });
  }
  // Counted from 1; 0 before the first.
  PrimRef Number(PrimRef token) { return te_.At(number_, {token}); }
  PrimRef Start(PrimRef number) { return Edge(te_.math().Sub(number, te_.math().Int(1))); }
  PrimRef End(PrimRef number) { return Edge(number); }

 private:
  PrimRef Edge(PrimRef n) {
    ScalarMath& m = te_.math();
    const PrimRef last = m.Sub(starts_->shape[0], m.Int(1));
    return m.Cast(te_.At(starts_, {m.Max(m.Min(n, last), m.Int(0))}), DType::Int(64));
  }

  Te& te_;
  ir::BufferRef starts_;
  ir::BufferRef number_;
};

using PlacesOf = std::function<Places(PrimRef query, PrimRef key)>;

// softmax(q * k' * scale + bias) * v for each head. With a causal mask, a query attends to keys up
// to its own position, counted from the first or, for BottomRight, from the last key. A window
// limits the number of keys.
ir::PrimFunc Attend(Te& te, const Call& call, ir::BufferRef bias, const PlacesOf& places_of) {
  ScalarMath& m = te.math();
  ir::BufferRef q = te.Input(0), k = te.Input(1), v = te.Input(2);
  const DType dtype = q->dtype, real = dtype.bits < 32 ? DType::Float(32) : dtype;
  const Dims scores_dims = {q->shape[0], q->shape[2], q->shape[1], k->shape[1]};
  const std::optional<double> written = FindFloat(call, "scale");
  const PrimRef scale = written.has_value()
                            ? m.Const(*written, real)
                            : m.Div(m.Const(1, real), m.Call("sqrt", {m.Cast(q->shape[3], real)}));
  const std::string mask = FindString(call, "causal_mask");
  const std::optional<int64_t> window = FindInt(call, "window_size");
  const auto head = [&](ir::BufferRef shared, PrimRef h) {
    return m.FloorDiv(h, m.FloorDiv(q->shape[2], shared->shape[2]));
  };
  ir::BufferRef products =
      te.Reduce("products", scores_dims, {q->shape[3]}, te.Sum(real),
                [&](const Indices& at, const Indices& r) {
                  return m.Mul(m.Cast(te.At(q, {at[0], at[2], at[1], r[0]}), real),
                               m.Cast(te.At(k, {at[0], at[3], head(k, at[1]), r[0]}), real));
                });
  ir::BufferRef scores = te.Compute("scores", scores_dims, real, [&](const Indices& at) {
    PrimRef score = m.Mul(te.At(products, at), scale);
    if (bias != nullptr) score = m.Add(score, m.Cast(te.AtBroadcast(bias, at, scores_dims), real));
    const Places places = places_of(at[2], at[3]);
    PrimRef place = places.query;
    if (mask == "BottomRight") place = m.Add(place, m.Sub(places.keys, places.queries));
    PrimRef seen = places.together;
    if (!mask.empty()) seen = m.And(seen, m.Le(places.key, place));
    if (window.has_value()) seen = m.And(seen, m.Lt(m.Sub(place, m.Int(*window)), places.key));
    const bool all = seen == m.ir().Bool(true);
    return all ? score : m.Select(seen, score, m.Lowest(real));
  });
  const Dims rows(scores_dims.begin(), scores_dims.end() - 1);
  const auto cell = [](Indices row, PrimRef key) {
    row.push_back(key);
    return row;
  };
  ir::BufferRef largest =
      te.Reduce("largest", rows, {k->shape[1]}, te.Max(real),
                [&](const Indices& at, const Indices& r) { return te.At(scores, cell(at, r[0])); });
  ir::BufferRef powers = te.Compute("powers", scores_dims, real, [&](const Indices& at) {
    const Indices row(at.begin(), at.end() - 1);
    return m.Call("exp", {m.Sub(te.At(scores, at), te.At(largest, row))});
  });
  ir::BufferRef sum =
      te.Reduce("sum", rows, {k->shape[1]}, te.Sum(real),
                [&](const Indices& at, const Indices& r) { return te.At(powers, cell(at, r[0])); });
  ir::BufferRef mixed =
      te.Reduce("mixed", te.result_dims(), {k->shape[1]}, te.Sum(real),
                [&](const Indices& at, const Indices& r) {
                  return m.Mul(te.At(powers, {at[0], at[2], at[1], r[0]}),
                               m.Cast(te.At(v, {at[0], r[0], head(v, at[2]), at[3]}), real));
                });
  return te.Finish({te.Compute("out", te.result_dims(), dtype, [&](const Indices& at) {
    return m.Div(te.At(mixed, at), te.At(sum, {at[0], at[2], at[1]}));
  })});
}

}  // namespace

absl::StatusOr<ir::PrimFunc> ComputeAttention(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef bias = te.inputs() > 3 ? te.Input(3) : nullptr;
  return Attend(te, call, bias, [&](PrimRef query, PrimRef key) {
    return Places{query, key, te.Input(0)->shape[1], te.Input(1)->shape[1], te.ir().Bool(true)};
  });
}

// A query attends to the keys of its own sequence.
absl::StatusOr<ir::PrimFunc> ComputeAttentionVarLen(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  Packed queries(te, te.Input(0), te.Input(3)), keys(te, te.Input(1), te.Input(4));
  return Attend(te, call, nullptr, [&](PrimRef query, PrimRef key) {
    const PrimRef q = queries.Number(query), k = keys.Number(key);
    return Places{m.Sub(query, queries.Start(q)), m.Sub(key, keys.Start(k)),
                  m.Sub(queries.End(q), queries.Start(q)), m.Sub(keys.End(k), keys.Start(k)),
                  m.Eq(q, k)};
  });
}

}  // namespace lathe::ops
