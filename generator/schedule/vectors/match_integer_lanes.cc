#include "generator/schedule/vectors/match_integer_lanes.h"

#include <algorithm>

#include "generator/analysis/arithmetic/simplify.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/collapsible_loops.h"
#include "generator/nest/rewrite_stage.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::DType;
using ir::NestAxis;
using ir::PrimRef;

bool IsStored(DType dtype) {
  return dtype == DType::Int(8) || dtype == DType::Int(16) || dtype == DType::Int(32);
}

class LaneMatch {
 public:
  LaneMatch(ir::Context& context, const ir::NestStage& stage) : ir_(context), lanes_{stage} {
    nest::DropSingleSteps(context, lanes_.stage);
  }

  std::optional<ir::IntegerLanes> Run(const Target& target) {
    ir::NestStage& stage = lanes_.stage;
    if (stage.acc != nullptr || stage.to == nullptr || !stage.lets.empty()) return std::nullopt;
    if (!IsStored(stage.to->dtype) || stage.spatial.empty()) return std::nullopt;
    Collapse();
    axis_ = stage.spatial.back().var;
    const auto count = nest::Number(stage.spatial.back().extent);
    if (!count || *count < target.integer_lanes) return std::nullopt;
    if (!IsAdjacent(*stage.to, stage.at)) return std::nullopt;
    const auto* narrow = stage.value->As<ir::Cast>();
    const PrimRef value =
        narrow != nullptr && narrow->value->dtype() == DType::Int(32) ? narrow->value : stage.value;
    if (!nest::Mentions(value, axis_) || !IsLanes(value)) return std::nullopt;
    return std::move(lanes_);
  }

 private:
  // Collapses the innermost axis with the axes around it.
  void Collapse() {
    ir::NestStage& stage = lanes_.stage;
    while (stage.spatial.size() > 1) {
      const NestAxis around = stage.spatial[stage.spatial.size() - 2];
      NestAxis& inner = stage.spatial.back();
      const bool fits = nest::Number(around.extent) && nest::Number(inner.extent) &&
                        nest::AreCollapsible(ir_, around.var, inner, stage.value, nullptr) &&
                        nest::AreCollapsible(ir_, around.var, inner, *stage.to, stage.at);
      if (!fits) return;
      nest::RewriteScalar rewrite(ir_);
      rewrite.Replace(around.var, ir_.Int(0, around.var->dtype()));
      inner.extent =
          analysis::Simplify(ir_, ir_.Make(BinaryOp::kMul, inner.extent,
                                           ir_.MakeCast(inner.extent->dtype(), around.extent)));
      stage.spatial.erase(stage.spatial.end() - 2);
      nest::RewriteStage(rewrite, stage);
    }
  }

  bool IsAdjacent(const ir::Buffer& buffer, const std::vector<PrimRef>& indices) {
    const auto access = nest::AccessOf(ir_, buffer, indices, {axis_});
    return access && nest::IsNumber(access->strides[0], 1);
  }

  // Returns whether the expression has a vector form or is equal for all lanes.
  bool IsLanes(PrimRef e) {
    if (!IsStored(e->dtype())) return false;
    if (!nest::Mentions(e, axis_)) return true;
    if (const auto* load = e->As<ir::Load>()) {
      return load->predicate == nullptr && IsAdjacent(*load->buffer, load->indices);
    }
    if (const auto* cast = e->As<ir::Cast>()) {
      return cast->value->dtype().bits <= e->dtype().bits && IsLanes(cast->value);
    }
    if (const auto* n = e->As<ir::Binary>()) {
      const bool bounds = n->op == BinaryOp::kMin || n->op == BinaryOp::kMax;
      const bool wraps =
          n->op == BinaryOp::kAdd || n->op == BinaryOp::kSub || n->op == BinaryOp::kMul;
      // Narrow arithmetic would wrap earlier.
      return (bounds || (wraps && e->dtype() == DType::Int(32))) && IsLanes(n->lhs) &&
             IsLanes(n->rhs);
    }
    if (const auto* n = e->As<ir::Select>()) {
      const auto* cond = n->cond->As<ir::Binary>();
      return cond != nullptr && IsOrder(cond->op) && IsLanes(cond->lhs) && IsLanes(cond->rhs) &&
             IsLanes(n->if_true) && IsLanes(n->if_false);
    }
    const auto* call = e->As<ir::Intrinsic>();
    return call != nullptr && call->name == "scaled_right" && IsLanes(call->args[0]) &&
           !nest::Mentions(call->args[1], axis_) && !nest::Mentions(call->args[2], axis_);
  }

  static bool IsOrder(BinaryOp op) {
    return op == BinaryOp::kLt || op == BinaryOp::kLe || op == BinaryOp::kGt || op == BinaryOp::kGe;
  }

  ir::Context& ir_;
  ir::IntegerLanes lanes_;
  PrimRef axis_ = nullptr;  // of the lanes
};

}  // namespace

std::optional<ir::IntegerLanes> MatchIntegerLanes(ir::Context& context, const ir::NestStage& stage,
                                                  const Target& target) {
  if (target.integer_lanes == 0) return std::nullopt;
  return LaneMatch(context, stage).Run(target);
}

}  // namespace lathe::schedule
