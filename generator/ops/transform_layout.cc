// Implements R.layout_transform, which moves elements by an index map.
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "generator/ir/attrs.h"
#include "generator/ir/map_operands.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/check.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// The extent of a result index made of indices, i // k, i % k, i * k, i + j and constants; null for
// others.
PrimRef ExtentOf(InferContext& c, PrimRef index, const ir::IndexMap& map,
                 const std::vector<PrimRef>& dims, int depth = 0) {
  constexpr int kMaxDepth = 16;
  if (depth > kMaxDepth) return nullptr;
  for (size_t i = 0; i < map.inputs.size(); ++i) {
    if (map.inputs[i] == index) return dims[i];
  }
  ScalarMath m(c.ir());
  if (const int64_t* number = AsInt(index)) return *number < 0 ? nullptr : m.Int(*number + 1);
  const auto* binary = index->As<ir::Binary>();
  if (binary == nullptr) return nullptr;
  PrimRef inner = ExtentOf(c, binary->lhs, map, dims, depth + 1);
  if (inner == nullptr) return nullptr;
  if (binary->op == ir::BinaryOp::kAdd) {
    PrimRef other = ExtentOf(c, binary->rhs, map, dims, depth + 1);
    if (other == nullptr) return nullptr;
    return c.Simplify(m.Sub(m.Add(inner, other), m.Int(1)));
  }
  const int64_t* k = AsInt(binary->rhs);
  if (k == nullptr || *k < 1) return nullptr;
  if (binary->op == ir::BinaryOp::kMul) {
    return c.Simplify(m.Add(m.Mul(m.Sub(inner, m.Int(1)), m.Int(*k)), m.Int(1)));
  }
  if (binary->op == ir::BinaryOp::kFloorDiv) {
    return c.Simplify(m.FloorDiv(m.Add(inner, m.Int(*k - 1)), m.Int(*k)));
  }
  // The whole block, even if a short axis fills only a part of it.
  if (binary->op == ir::BinaryOp::kFloorMod) return m.Int(*k);
  return nullptr;
}

// The padding value; null when it is not given.
PrimRef PaddingOf(ir::Context& context, const Call& call) {
  const auto it = call.attrs.find("pad_value");
  if (it == call.attrs.end()) return nullptr;
  if (const auto* number = it->second.As<PrimRef>()) return *number;
  if (const auto* number = it->second.As<int64_t>()) return context.Int(*number);
  if (const auto* number = it->second.As<double>()) {
    return context.Float(*number, ir::DType::Float(64));
  }
  return nullptr;
}

PrimRef Replaced(ir::Context& context, PrimRef e, const std::map<PrimRef, PrimRef>& by) {
  if (const auto found = by.find(e); found != by.end()) return found->second;
  return ir::MapOperands(context, e,
                         [&](PrimRef operand) { return Replaced(context, operand, by); });
}

}  // namespace

absl::StatusOr<ir::StructInfoRef> InferLayoutTransform(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  const auto* found = ir::FindAttr<std::shared_ptr<const ir::IndexMap>>(call.attrs, "index_map");
  if (found == nullptr || *found == nullptr) {
    return c.Error("op-attribute")
           << "'index_map' of " << SurfaceName(call) << " must be a function of indices";
  }
  const ir::IndexMap& map = **found;
  const int ndim = static_cast<int>(map.outputs.size());
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, static_cast<int>(map.inputs.size())));
  const PrimRef padding = PaddingOf(c.ir(), call);
  if (padding != nullptr && padding->dtype().is_floating() && !x->dtype.is_void() &&
      !x->dtype.is_floating()) {
    return c.Error("op-attribute")
           << "'pad_value' of " << SurfaceName(call) << " must have the data's dtype, "
           << ToString(x->dtype) << ", got " << ToString(padding->dtype());
  }
  const std::vector<PrimRef>* dims = DimsOf(c, *x);
  if (dims == nullptr) return c.ir().Tensor(ndim, x->dtype, x->vdevice);
  std::vector<PrimRef> out;
  for (PrimRef index : map.outputs) {
    PrimRef extent = ExtentOf(c, index, map, *dims);
    if (extent == nullptr) return c.ir().Tensor(ndim, x->dtype, x->vdevice);
    // The extent is negative for an empty tensor.
    const int64_t* known = AsInt(extent);
    out.push_back(known != nullptr && *known < 0 ? c.ir().Int(0) : extent);
  }
  return c.ir().Tensor(std::move(out), x->dtype, x->vdevice);
}

// Moves every element by the map; other positions of the result are padding.
absl::StatusOr<ir::PrimFunc> ComputeLayoutTransform(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const auto* found = ir::FindAttr<std::shared_ptr<const ir::IndexMap>>(call.attrs, "index_map");
  LATHE_CHECK(found != nullptr && *found != nullptr, "inference has seen a map");
  const ir::IndexMap& map = **found;
  const PrimRef written = PaddingOf(m.ir(), call);
  const PrimRef padding = written == nullptr ? m.Const(0, x->dtype) : m.Cast(written, x->dtype);
  ir::BufferRef out =
      te.Compute("out", te.result_dims(), x->dtype, [&](const Indices&) { return padding; });
  te.Assign("place", out, x->shape, [&](const Indices& at) {
    std::map<PrimRef, PrimRef> index;
    for (size_t i = 0; i < map.inputs.size(); ++i) index[map.inputs[i]] = at[i];
    Indices to;
    for (PrimRef output : map.outputs) {
      to.push_back(m.Cast(Replaced(m.ir(), output, index), ir::DType::Int(64)));
    }
    return Te::Store{to, te.At(x, at)};
  });
  return te.Finish({out});
}

}  // namespace lathe::ops
