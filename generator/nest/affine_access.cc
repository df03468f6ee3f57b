#include "generator/nest/affine_access.h"

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::nest {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

}  // namespace

std::optional<AffineAccess> AccessOf(ir::Context& context, const ir::Buffer& buffer,
                                     const std::vector<PrimRef>& indices,
                                     const std::vector<PrimRef>& axes) {
  const bool compact = buffer.strides.empty() && buffer.elem_offset == nullptr;
  if (!compact || indices.size() != buffer.shape.size()) return std::nullopt;
  const ir::DType wide = ir::DType::Int(64);
  PrimRef place = context.Int(0);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (ReadsMemory(indices[i])) return std::nullopt;
    place = context.Make(BinaryOp::kMul, place, context.MakeCast(wide, buffer.shape[i]));
    place = context.Make(BinaryOp::kAdd, place, context.MakeCast(wide, indices[i]));
  }
  place = analysis::Simplify(context, place);
  RewriteScalar at_start(context);
  for (PrimRef axis : axes) at_start.Replace(axis, context.Int(0));
  AffineAccess access;
  access.start = analysis::Simplify(context, at_start(place));
  PrimRef sum = access.start;
  for (PrimRef axis : axes) {
    RewriteScalar one_on(context);
    for (PrimRef other : axes) one_on.Replace(other, context.Int(other == axis ? 1 : 0));
    const PrimRef stride =
        analysis::Simplify(context, context.Make(BinaryOp::kSub, one_on(place), access.start));
    access.strides.push_back(stride);
    sum = context.Make(BinaryOp::kAdd, sum,
                       context.Make(BinaryOp::kMul, stride, context.MakeCast(wide, axis)));
  }
  const PrimRef rest = analysis::Simplify(context, context.Make(BinaryOp::kSub, place, sum));
  if (!IsNumber(rest, 0)) return std::nullopt;
  return access;
}

}  // namespace lathe::nest
