#include "generator/nest/collapsible_loops.h"

#include "generator/analysis/arithmetic/prove.h"
#include "generator/nest/affine_access.h"

namespace lathe::nest {

using ir::PrimRef;

bool AreCollapsible(ir::Context& context, PrimRef around, const ir::NestAxis& axis,
                    const ir::Buffer& buffer, const std::vector<PrimRef>& indices) {
  const auto access = AccessOf(context, buffer, indices, {around, axis.var});
  if (!access) return false;
  const PrimRef all = context.Make(ir::BinaryOp::kMul, access->strides[1],
                                   context.MakeCast(access->strides[1]->dtype(), axis.extent));
  return analysis::ProveEqual(context, access->strides[0], all) == ir::Tri::kYes;
}

bool AreCollapsible(ir::Context& context, PrimRef around, const ir::NestAxis& axis, PrimRef e,
                    ir::BufferRef except) {
  if (e == around || e == axis.var) return false;
  if (const auto* load = e->As<ir::Load>(); load != nullptr && load->buffer != except) {
    return AreCollapsible(context, around, axis, *load->buffer, load->indices);
  }
  bool all = true;
  ir::ForEachOperand(e, [&](PrimRef operand) {
    all = all && AreCollapsible(context, around, axis, operand, except);
  });
  return all;
}

}  // namespace lathe::nest
