#include "generator/transform/decompose_attention.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "generator/analysis/prove.h"
#include "generator/analysis/simplify.h"
#include "generator/ops/attributes.h"

namespace lathe::transform {
namespace {

using Dims = std::vector<ir::PrimRef>;

ir::AttrMap Axes(std::vector<int64_t> axes) {
  ir::AttrList list;
  for (int64_t axis : axes) list.push_back(ir::AttrValue(axis));
  return {{"axes", ir::AttrValue(std::move(list))}};
}

ir::AttrMap To(ir::DType dtype) { return {{"dtype", ir::AttrValue(dtype)}}; }

// True where a query may look: at the keys up to its own place, counted from the first or, for
// BottomRight, from the last.
ir::Operand Mask(const CompositeCall& c, ir::PrimRef queries, ir::PrimRef keys, bool from_last) {
  ir::PrimRef zero = c.context.Int(0, keys->dtype());
  ir::PrimRef ahead = zero;
  if (from_last) {
    ahead = analysis::Simplify(c.context, c.context.Make(ir::BinaryOp::kSub, keys, queries));
  }
  const ir::DType dtype = ir::DType::Int(8);
  ir::Operand all = c.emit.Op("relax.ones", {ir::Operand{ir::ShapeExpr{{queries, keys}}}},
                              {{"dtype", ir::AttrValue(dtype)}});
  ir::Operand seen = c.emit.Op("relax.tril", {all, ir::Operand{ir::PrimValue{ahead}}});
  return c.emit.Op("relax.astype", {std::move(seen)}, To(ir::DType::Bool()));
}

double Lowest(ir::DType dtype) {
  return dtype.bits == 64 ? std::numeric_limits<double>::lowest()
                          : std::numeric_limits<float>::lowest();
}

}  // namespace

Decomposition DecomposeAttention(const CompositeCall& c) {
  const ir::TensorInfo *q = c.Tensor(0), *k = c.Tensor(1), *v = c.Tensor(2);
  for (const ir::TensorInfo* x : {q, k, v}) {
    if (x == nullptr || x->dims() == nullptr || x->dims()->size() != 4) return std::nullopt;
    const bool own_heads =
        analysis::ProveEqual(c.context, (*q->dims())[2], (*x->dims())[2]) == ir::Tri::kYes;
    if (!own_heads || x->dtype.is_void()) return std::nullopt;
  }
  if (ops::FindInt(c.call, "window_size")) return std::nullopt;
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
    return emit.Op("relax.permute_dims", {std::move(x)}, Axes(std::move(axes)));
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
  if (!mask.empty()) {
    ir::Operand seen = Mask(c, queries[1], keys[1], mask == "BottomRight");
    scores = emit.Op("relax.where",
                     {std::move(seen), std::move(scores), emit.Number(Lowest(real), real)});
  }
  ir::Operand weights =
      emit.Op("relax.nn.softmax", {std::move(scores)}, {{"axis", ir::AttrValue(-1)}});
  ir::Operand mixed = emit.Op("relax.matmul", {std::move(weights), heads(2, {0, 2, 1, 3})});
  mixed = emit.Op("relax.permute_dims", {std::move(mixed)}, Axes({0, 2, 1, 3}));
  if (real != dtype) mixed = emit.Op("relax.astype", {std::move(mixed)}, To(dtype));
  return mixed;
}

}  // namespace lathe::transform
