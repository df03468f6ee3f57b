// R.layout_transform: elements put where an index map says.
#include <memory>
#include <utility>
#include <vector>

#include "generator/ir/attrs.h"
#include "generator/ops/attributes.h"
#include "generator/ops/operands.h"
#include "generator/ops/scalar_math.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

using ir::Call;
using ir::InferContext;
using ir::PrimRef;
using ir::TensorInfo;

// How far an index of the result runs, of the forms i, i // k and i % k; null for others.
PrimRef ExtentOf(InferContext& c, PrimRef index, const ir::IndexMap& map,
                 const std::vector<PrimRef>& dims, int depth = 0) {
  constexpr int kMaxDepth = 16;
  if (depth > kMaxDepth) return nullptr;
  for (size_t i = 0; i < map.inputs.size(); ++i) {
    if (map.inputs[i] == index) return dims[i];
  }
  const auto* binary = index->As<ir::Binary>();
  const int64_t* k = binary == nullptr ? nullptr : AsInt(binary->rhs);
  if (k == nullptr || *k < 1) return nullptr;
  PrimRef inner = ExtentOf(c, binary->lhs, map, dims, depth + 1);
  if (inner == nullptr) return nullptr;
  ScalarMath m(c.ir());
  if (binary->op == ir::BinaryOp::kFloorDiv) {
    return c.Simplify(m.FloorDiv(m.Add(inner, m.Int(*k - 1)), m.Int(*k)));
  }
  if (binary->op == ir::BinaryOp::kFloorMod) return c.Simplify(m.Min(inner, m.Int(*k)));
  return nullptr;
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
  const std::vector<PrimRef>* dims = DimsOf(c, *x);
  if (dims == nullptr) return c.ir().Tensor(ndim, x->dtype, x->vdevice);
  std::vector<PrimRef> out;
  for (PrimRef index : map.outputs) {
    PrimRef extent = ExtentOf(c, index, map, *dims);
    if (extent == nullptr) return c.ir().Tensor(ndim, x->dtype, x->vdevice);
    out.push_back(extent);
  }
  return c.ir().Tensor(std::move(out), x->dtype, x->vdevice);
}

}  // namespace lathe::ops
