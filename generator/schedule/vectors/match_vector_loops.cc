#include "generator/schedule/vectors/match_vector_loops.h"

#include "absl/algorithm/container.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/rewrite_stage.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/vectors/tile_shape.h"
#include "generator/schedule/vectors/vector_value.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::NestAxis;
using ir::PrimRef;

bool IsAtLeast(const ir::NestAxis& axis, int count) {
  const auto extent = nest::Number(axis.extent);
  return !extent || *extent >= count;
}

// Returns whether the extent of another loop depends on the axis: all lanes must run the same
// number of iterations.
bool IsInExtents(const ir::NestStage& stage, const ir::NestAxis& axis) {
  const auto mentions = [&](const ir::NestAxis& other) {
    return nest::Mentions(other.extent, axis.var);
  };
  return absl::c_any_of(stage.spatial, mentions) || absl::c_any_of(stage.reduce, mentions);
}

// A reduction over the reduce axes: acc + f, max(acc, f), and similar.
struct AxisFold {
  BinaryOp op = BinaryOp::kAdd;
  PrimRef term = nullptr;
};
std::optional<AxisFold> FoldOf(const ir::NestStage& stage) {
  const auto* n = stage.update->As<ir::Binary>();
  if (n == nullptr) return std::nullopt;
  const bool known = n->op == BinaryOp::kAdd || n->op == BinaryOp::kMul ||
                     n->op == BinaryOp::kMin || n->op == BinaryOp::kMax;
  const auto is_acc = [&](PrimRef e) {
    const auto* load = e->As<ir::Load>();
    return load != nullptr && load->buffer == stage.acc;
  };
  if (!known || is_acc(n->lhs) == is_acc(n->rhs)) return std::nullopt;
  return AxisFold{n->op, is_acc(n->lhs) ? n->rhs : n->lhs};
}

// Scalars gain from sums of several elements that share the loops around them.
constexpr int kFewestScalars = 4;
std::optional<ir::VectorLoops> MatchScalarLoops(ir::Context& context, const ir::NestStage& stage,
                                                const Target& target) {
  if (stage.acc == nullptr) return std::nullopt;
  ir::VectorLoops loops;
  loops.stage = stage;
  nest::DropSingleSteps(context, loops.stage);
  const auto along = AxisAlongResult(context, loops.stage, target);
  const bool fits = along && IsAtLeast(*along, kFewestScalars) && !loops.stage.reduce.empty() &&
                    !IsInExtents(loops.stage, *along) &&
                    IsVectorStage(context, loops.stage, along->var);
  if (!fits) return std::nullopt;
  loops.axis = *along;
  return loops;
}

}  // namespace

// Half-filled vectors are still faster than scalars.
std::optional<ir::NestAxis> AxisAlongResult(ir::Context& context, const ir::NestStage& stage,
                                            const Target& target) {
  for (size_t i = stage.spatial.size(); i-- > 0;) {
    const ir::NestAxis& axis = stage.spatial[i];
    if (nest::IsNumber(axis.extent, 1)) continue;
    const auto access = nest::AccessOf(context, *stage.to, stage.at, {axis.var});
    if (!access || !nest::IsNumber(access->strides[0], 1)) continue;
    const bool is_long = IsAtLeast(axis, (LanesOf(target) + 1) / 2);
    return is_long ? std::optional<ir::NestAxis>(axis) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<ir::VectorLoops> MatchVectorLoops(ir::Context& context, const ir::NestStage& stage,
                                                const Target& target) {
  const int lanes = LanesOf(target);
  if (lanes == 0) return std::nullopt;
  if (lanes == 1) return MatchScalarLoops(context, stage, target);
  ir::VectorLoops loops;
  loops.stage = stage;
  nest::DropSingleSteps(context, loops.stage);
  if (const auto along = AxisAlongResult(context, loops.stage, target);
      along && !IsInExtents(loops.stage, *along) &&
      IsVectorStage(context, loops.stage, along->var)) {
    loops.axis = *along;
    return loops;
  }
  if (stage.acc == nullptr || stage.acc->dtype != ir::DType::Float(32)) return std::nullopt;
  if (!stage.fold_lets.empty() || loops.stage.reduce.empty()) return std::nullopt;
  const auto fold = FoldOf(loops.stage);
  if (!fold) return std::nullopt;
  for (size_t i = loops.stage.reduce.size(); i-- > 0;) {
    const ir::NestAxis axis = loops.stage.reduce[i];
    if (!IsAtLeast(axis, lanes) || IsInExtents(loops.stage, axis)) continue;
    if (!IsVectorAlong(context, fold->term, axis.var)) continue;
    loops.axis = axis;
    loops.folds = true;
    loops.fold = fold->op;
    loops.term = fold->term;
    loops.stage.reduce.erase(loops.stage.reduce.begin() + static_cast<std::ptrdiff_t>(i));
    return loops;
  }
  return std::nullopt;
}

}  // namespace lathe::schedule
