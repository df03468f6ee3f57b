#include "generator/schedule/cuda/element_offsets.h"

#include <algorithm>

#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/rewrite_scalar.h"

namespace lathe::schedule {

using ir::BinaryOp;
using ir::PrimRef;

ElementOffsets::ElementOffsets(ir::Context& context, const std::vector<ir::NestAxis>& axes)
    : ir_(context) {
  for (const ir::NestAxis& axis : axes) {
    const auto* extent = axis.extent->As<ir::IntImm>();
    known_.Bound(axis.var, extent == nullptr ? analysis::Interval::AtLeast(0)
                                             : analysis::Interval{0, extent->value - 1});
  }
}

PrimRef ElementOffsets::Simplified(PrimRef e) { return analysis::Simplify(ir_, e, known_); }

PrimRef ElementOffsets::OffsetOf(ir::BufferRef buffer, const std::vector<PrimRef>& indices) {
  const ir::DType wide = ir::DType::Int(64);
  PrimRef before = ir_.Int(0);
  for (size_t i = 0; i < indices.size(); ++i) {
    before = ir_.Make(BinaryOp::kMul, before, ir_.MakeCast(wide, buffer->shape[i]));
    before = ir_.Make(BinaryOp::kAdd, before, ir_.MakeCast(wide, indices[i]));
  }
  return before;
}

std::optional<int64_t> ElementOffsets::StrideOf(ir::BufferRef buffer,
                                                const std::vector<PrimRef>& indices, PrimRef var) {
  const PrimRef before = OffsetOf(buffer, indices);
  nest::RewriteScalar next(ir_);
  next.Replace(var, ir_.Make(BinaryOp::kAdd, var, ir_.Int(1, var->dtype())));
  const PrimRef step = Simplified(ir_.Make(BinaryOp::kSub, next(before), before));
  const auto* number = step->As<ir::IntImm>();
  return number == nullptr ? std::nullopt : std::optional(number->value);
}

bool Chooses(PrimRef e) {
  const auto* call = e->As<ir::Intrinsic>();
  bool chooses = call != nullptr && call->name == "if_then_else";
  ir::ForEachOperand(e, [&](PrimRef part) { chooses = chooses || Chooses(part); });
  return chooses;
}

}  // namespace lathe::schedule
