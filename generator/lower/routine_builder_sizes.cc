// Implements the methods of RoutineBuilder that check sizes.
#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/lower/known_sizes.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

using ir::PrimRef;
using ir::TensorId;

// Records the sizes that no input tensor has, and dimensions that are computed from them.
void RoutineBuilder::BeginWithSizes(const ir::Routine& r) {
  known_sizes_ = KnownSizes(lowering.ir, lowering.program, r,
                            r.exported && !lowering.used.contains(&function));
  const absl::flat_hash_set<PrimRef> of_tensors = SizesOfInputs(lowering.program, r);
  for (const ir::Part& part : r.inputs) {
    const auto* var = std::get_if<PrimRef>(&part);
    if (var != nullptr && !of_tensors.contains(*var)) AddUnlimitedSize(*var);
  }
  // A variable that stands alone is checked by the caller.
  for (const ir::Part& part : r.inputs) {
    const auto* id = std::get_if<TensorId>(&part);
    if (id == nullptr) continue;
    const ir::Tensor& tensor = lowering.program.tensors[*id];
    CheckSizes(tensor.shape, tensor.name, {});
  }
}

bool RoutineBuilder::IsAnySize(PrimRef dim) const {
  return absl::c_any_of(analysis::VarsIn(dim), [&](PrimRef var) {
    return lowering.ir.IsSigned(var) || unlimited_sizes_.contains(var);
  });
}

void RoutineBuilder::CheckSizes(const std::vector<PrimRef>& shape, absl::string_view name,
                                const Location& loc) {
  ir::Context& ir = lowering.ir;
  int64_t most = kMaxElements;
  bool any_size = false;
  std::vector<PrimRef> open;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (const auto* number = shape[i]->As<ir::IntImm>()) {
      most /= std::max<int64_t>(number->value, 1);
      continue;
    }
    open.push_back(shape[i]);
    any_size = any_size || IsAnySize(shape[i]);
    const std::string what = absl::StrCat("dimension ", i, " of ", name);
    const LimitedSize limited = Limited(shape[i], SignedSums::kMayWrap, what, loc);
    // Without wraparound, the simplifier may prove more than the range shows.
    if (limited.wraps || !IsSize(shape[i])) {
      EmitCheck({ir.Make(ir::BinaryOp::kLe, ir.Int(0), shape[i]), what}, loc);
    }
    const bool alone = shape[i]->As<ir::SymVar>() != nullptr;
    if (!alone && shape.size() == 1 && limited.range.hi > kMaxElements) {
      EmitCheck({ir.Make(ir::BinaryOp::kLe, shape[i], ir.Int(kMaxElements)), what}, loc);
    }
  }
  if (!any_size || shape.size() == 1) return;
  // Checks one factor after the other: each check bounds the product, so the next does not
  // overflow.
  PrimRef count = open[0], room = ir.Int(most);
  for (size_t i = 0; i < open.size(); ++i) {
    if (i > 0) {
      const PrimRef others = ir.Make(ir::BinaryOp::kMax, open[i], ir.Int(1));
      room = ir.Make(ir::BinaryOp::kFloorDiv, ir.Int(most), others);
    }
    EmitCheck({ir.Make(ir::BinaryOp::kLe, count, room), absl::StrCat("elements of ", name)}, loc);
    if (i > 0) count = ir.Make(ir::BinaryOp::kMul, count, open[i]);
  }
}

void RoutineBuilder::Assume(PrimRef cond) {
  const auto* less = cond->As<ir::Binary>();
  if (less == nullptr || less->op != ir::BinaryOp::kLt) return;
  if (less->lhs->As<ir::SymVar>() == nullptr) return;
  analysis::Interval range = known_sizes_.RangeOf(lowering.ir, less->lhs);
  const analysis::Interval limit = analysis::BoundsOf(lowering.ir, less->rhs, known_sizes_);
  if (limit.hi != analysis::kPosInf) range.hi = std::min(range.hi, limit.hi - 1);
  known_sizes_.Bound(less->lhs, range);
}

LimitedSize RoutineBuilder::Limited(PrimRef dim, SignedSums sums, absl::string_view name,
                                    const Location& loc) {
  return LimitSize(lowering.ir, dim, known_sizes_, sums, [&](PrimRef cond) {
    EmitCheck({cond, std::string(name)}, loc);
  });
}

bool RoutineBuilder::IsSize(PrimRef e) const {
  if (e->As<ir::SymVar>() != nullptr && e->dtype() == ir::DType::Int(64)) {
    return !lowering.ir.IsSigned(e);
  }
  return analysis::ProveLessEqual(lowering.ir, lowering.ir.Int(0), e) == ir::Tri::kYes;
}

}  // namespace lathe::lower
