#include "generator/transform/decompose/decompose_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/ops/args/attributes.h"

namespace lathe::transform {
namespace {

using Dims = std::vector<ir::PrimRef>;

// Masked keys have weight zero. A query without visible keys gives NaN.
constexpr double kInfinity = std::numeric_limits<double>::infinity();

ir::AttrMap AxesAttribute(std::vector<int64_t> axes) {
  ir::AttrList list;
  for (int64_t axis : axes) list.push_back(ir::AttrValue(axis));
  return {{"axes", ir::AttrValue(std::move(list))}};
}

ir::AttrMap To(ir::DType dtype) { return {{"dtype", ir::AttrValue(dtype)}}; }

// The number of query heads that share one head of `x`; nullopt when unknown.
std::optional<int64_t> Shared(const CompositeCall& c, const ir::TensorInfo& q,
                              const ir::TensorInfo& x) {
  const ir::PrimRef heads = (*q.dims())[2], own = (*x.dims())[2];
  if (analysis::ProveEqual(c.context, heads, own) == ir::Tri::kYes) return 1;
  const auto *all = heads->As<ir::IntImm>(), *few = own->As<ir::IntImm>();
  const bool divides =
      all != nullptr && few != nullptr && few->value > 0 && all->value % few->value == 0;
  return divides ? std::optional<int64_t>(all->value / few->value) : std::nullopt;
}

// True where a query may attend: to keys up to its own position, counted from the first key or, for
// BottomRight, from the last; with a window, only to the last keys.
ir::Operand Mask(const CompositeCall& c, ir::PrimRef queries, ir::PrimRef keys,
                 const std::string& causal, std::optional<int64_t> window) {
  ir::PrimRef ahead = c.context.Int(0, keys->dtype());
  if (causal == "BottomRight") ahead = c.context.Make(ir::BinaryOp::kSub, keys, queries);
  const auto by = [&](int64_t distance) {
    ir::PrimRef k =
        c.context.Make(ir::BinaryOp::kAdd, ahead, c.context.Int(distance, ahead->dtype()));
    return ir::Operand{ir::PrimValue{analysis::Simplify(c.context, k)}};
  };
  ir::Operand seen = c.emit.Op("relax.ones", {ir::Operand{ir::ShapeExpr{{queries, keys}}}},
                               {{"dtype", ir::AttrValue(ir::DType::Int(8))}});
  if (!causal.empty()) seen = c.emit.Op("relax.tril", {std::move(seen), by(0)});
  // Windows are clamped to 2^31 in magnitude, so that sums of offsets do not overflow.
  constexpr int64_t kWide = int64_t{1} << 31;
  if (window && *window < kWide) {
    seen = c.emit.Op("relax.triu", {std::move(seen), by(1 - std::max(*window, -kWide))});
  }
  return c.emit.Op("relax.astype", {std::move(seen)}, To(ir::DType::Bool()));
}

}  // namespace

Decomposition DecomposeAttention(const CompositeCall& c) {
  const ir::TensorInfo *q = c.Tensor(0), *k = c.Tensor(1), *v = c.Tensor(2);
  for (const ir::TensorInfo* x : {q, k, v}) {
    if (x == nullptr || x->dims() == nullptr || x->dims()->size() != 4) return std::nullopt;
    if (!Shared(c, *q, *x) || x->dtype.is_void()) return std::nullopt;
  }
  const Dims &queries = *q->dims(), &keys = *k->dims();
  const ir::DType dtype = q->dtype, real = dtype.bits < 32 ? ir::DType::Float(32) : dtype;
  std::optional<double> scale = ops::FindFloat(c.call, "scale");
  if (!scale) {
    const auto* size = queries[3]->As<ir::IntImm>();
    if (size == nullptr || size->value < 1) return std::nullopt;
    scale = 1 / std::sqrt(static_cast<double>(size->value));
  }
  EmitOps& emit = c.emit;
  const auto heads = [&](size_t i, std::vector<int64_t> axes) {
    ir::Operand x = c.call.args[i];
    if (c.Tensor(i)->dtype != real) x = emit.Op("relax.astype", {std::move(x)}, To(real));
    const int64_t shared = *Shared(c, *q, *c.Tensor(i));
    if (shared != 1) {
      x = emit.Op("relax.repeat", {std::move(x)},
                  {{"repeats", ir::AttrValue(shared)}, {"axis", ir::AttrValue(2)}});
    }
    return emit.Op("relax.permute_dims", {std::move(x)}, AxesAttribute(std::move(axes)));
  };
  ir::Operand scores = emit.Op("relax.matmul", {heads(0, {0, 2, 1, 3}), heads(1, {0, 2, 3, 1})});
  scores = emit.Op("relax.multiply", {std::move(scores), emit.Number(*scale, real)});
  if (c.call.args.size() > 3) {
    ir::Operand bias = c.call.args[3];
    const ir::TensorInfo* info = c.Tensor(3);
    if (info != nullptr && info->dtype != real) {
      bias = emit.Op("relax.astype", {std::move(bias)}, To(real));
    }
    scores = emit.Op("relax.add", {std::move(scores), std::move(bias)});
  }
  const std::string mask = ops::FindString(c.call, "causal_mask");
  const std::optional<int64_t> window = ops::FindInt(c.call, "window_size");
  if (!mask.empty() || window) {
    ir::Operand seen = Mask(c, queries[1], keys[1], mask, window);
    scores =
        emit.Op("relax.where", {std::move(seen), std::move(scores), emit.Number(-kInfinity, real)});
  }
  ir::Operand weights =
      emit.Op("relax.nn.softmax", {std::move(scores)}, {{"axis", ir::AttrValue(-1)}});
  ir::Operand mixed = emit.Op("relax.matmul", {std::move(weights), heads(2, {0, 2, 1, 3})});
  mixed = emit.Op("relax.permute_dims", {std::move(mixed)}, AxesAttribute({0, 2, 1, 3}));
  if (real != dtype) mixed = emit.Op("relax.astype", {std::move(mixed)}, To(dtype));
  return mixed;
}

}  // namespace lathe::transform
