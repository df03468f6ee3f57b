#include "generator/schedule/vectors/vector_value.h"

#include <algorithm>

#include "generator/nest/affine_access.h"
#include "generator/nest/scalar_facts.h"
#include "generator/schedule/vectors/vector_functions.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

const ir::DType kLaneType = ir::DType::Float(32);

class Judge {
 public:
  Judge(ir::Context& context, const ir::NestStage& stage, PrimRef axis)
      : ir_(context), stage_(stage), axis_(axis) {}

  bool RunWhole() {
    if (stage_.acc == nullptr) return Finishes();
    if (stage_.acc->dtype != kLaneType || Varies(stage_.init)) return false;
    return AddLets(stage_.fold_lets) && IsVector(stage_.update) && Finishes();
  }

  bool Finishes() {
    if (stage_.to->dtype != kLaneType || !SideBySide(*stage_.to, stage_.at)) return false;
    return AddLets(stage_.lets) && IsVector(stage_.value);
  }

  bool Is(PrimRef e) { return Varies(e) && IsVector(e); }

 private:
  bool AddLets(const std::vector<ir::NestLet>& lets) {
    for (const ir::NestLet& let : lets) {
      if (!Varies(let.value)) continue;
      if (!IsVector(let.value)) return false;
      lets_.insert(let.var);
    }
    return true;
  }

  bool IsAcc(const ir::Load& load) const {
    return stage_.acc != nullptr && load.buffer == stage_.acc;
  }

  bool SideBySide(const ir::Buffer& buffer, const std::vector<PrimRef>& indices) {
    const auto access = nest::AccessOf(ir_, buffer, indices, {axis_});
    return access && nest::IsNumber(access->strides[0], 1);
  }

  // Returns whether `e` varies along the axis.
  bool Varies(PrimRef e) const {
    if (e == axis_ || lets_.contains(e)) return true;
    if (const auto* load = e->As<ir::Load>(); load != nullptr && IsAcc(*load)) return true;
    bool any = false;
    ir::ForEachOperand(e, [&](PrimRef operand) { any = any || Varies(operand); });
    return any;
  }

  bool IsVector(PrimRef e) {
    if (e->dtype() != kLaneType) return false;
    if (!Varies(e) || lets_.contains(e)) return true;
    if (const auto* n = e->As<ir::Load>()) {
      return n->predicate == nullptr && (IsAcc(*n) || SideBySide(*n->buffer, n->indices));
    }
    if (const auto* n = e->As<ir::Unary>()) {
      return n->op == ir::UnaryOp::kNeg && IsVector(n->value);
    }
    if (const auto* n = e->As<ir::Binary>()) {
      return IsArithmetic(n->op) && IsVector(n->lhs) && IsVector(n->rhs);
    }
    if (const auto* n = e->As<ir::Select>()) {
      return IsMask(n->cond) && IsVector(n->if_true) && IsVector(n->if_false);
    }
    const auto* n = e->As<ir::Intrinsic>();
    if (n == nullptr) return false;
    // Nothing is loaded outside of an image, so the condition must be equal for all lanes.
    if (n->name == "if_then_else" && n->args.size() == 3) {
      return !Varies(n->args[0]) && IsVector(n->args[1]) && IsVector(n->args[2]);
    }
    return FindVectorFunction(n->name, n->args.size()) != nullptr &&
           std::all_of(n->args.begin(), n->args.end(), [&](PrimRef arg) { return IsVector(arg); });
  }

  bool IsMask(PrimRef e) {
    if (!Varies(e)) return true;
    const auto* n = e->As<ir::Binary>();
    if (n == nullptr) return false;
    if (n->op == BinaryOp::kAnd || n->op == BinaryOp::kOr) {
      return Varies(n->lhs) && Varies(n->rhs) && IsMask(n->lhs) && IsMask(n->rhs);
    }
    return ir::IsComparison(n->op) && IsVector(n->lhs) && IsVector(n->rhs);
  }

  static bool IsArithmetic(BinaryOp op) {
    switch (op) {
      case BinaryOp::kAdd:
      case BinaryOp::kSub:
      case BinaryOp::kMul:
      case BinaryOp::kDiv:
      case BinaryOp::kMin:
      case BinaryOp::kMax:
        return true;
      default:
        return false;
    }
  }

  ir::Context& ir_;
  const ir::NestStage stage_;
  const PrimRef axis_;
  absl::flat_hash_set<PrimRef> lets_;  // those that vary
};

}  // namespace

bool FinishesInVectors(ir::Context& context, const ir::NestStage& stage, PrimRef axis) {
  return Judge(context, stage, axis).Finishes();
}

bool IsVectorStage(ir::Context& context, const ir::NestStage& stage, PrimRef axis) {
  return Judge(context, stage, axis).RunWhole();
}

bool IsVectorAlong(ir::Context& context, PrimRef e, PrimRef axis) {
  return Judge(context, {}, axis).Is(e);
}

}  // namespace lathe::schedule
