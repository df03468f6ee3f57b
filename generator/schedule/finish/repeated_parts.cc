#include "generator/schedule/finish/repeated_parts.h"

#include <algorithm>

#include "generator/analysis/arithmetic/bounds.h"
#include "generator/ir/intrinsic.h"
#include "generator/ir/map_operands.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

constexpr int kMany = 1000;     // saturates here
constexpr int kWorthAName = 4;  // operators and indices

// The functions of runtime-c/fixed_point.h.
bool IsFixedPoint(const ir::Intrinsic& call) {
  return call.name == "high_product" || call.name == "rounded_shift" ||
         call.name == "scaled_once" || call.name == "scaled_right" || call.name == "scaled_twice";
}

bool IsFunctionOfNumbers(const ir::Intrinsic& call) {
  if (IsFixedPoint(call)) return true;
  const ir::IntrinsicInfo* info = ir::FindIntrinsic(call.name);
  return info != nullptr && info->result == ir::ResultType::kFirst && !call.args.empty() &&
         call.args[0]->dtype().is_floating();
}

// C has no min and max operators: they are printed as conditional expressions that repeat operands.
int TimesSaid(PrimRef e) {
  const auto* binary = e->As<ir::Binary>();
  const bool choice =
      binary != nullptr && (binary->op == BinaryOp::kMax || binary->op == BinaryOp::kMin);
  return choice ? 2 : 1;
}

bool IsGuard(PrimRef e) {
  const auto* call = e->As<ir::Intrinsic>();
  const auto* binary = e->As<ir::Binary>();
  return (call != nullptr && call->name == "if_then_else") ||
         (binary != nullptr && (binary->op == BinaryOp::kAnd || binary->op == BinaryOp::kOr));
}

// The operand of a guard that is always evaluated.
PrimRef FirstOperand(PrimRef guard) {
  const auto* call = guard->As<ir::Intrinsic>();
  return call != nullptr ? call->args[0] : guard->As<ir::Binary>()->lhs;
}

bool IsInside(ir::Context& context, const ir::Load& load, const analysis::Assumptions& known) {
  for (size_t d = 0; d < load.indices.size() && d < load.buffer->shape.size(); ++d) {
    const auto* size = load.buffer->shape[d]->As<ir::IntImm>();
    const analysis::Interval range = analysis::BoundsOf(context, load.indices[d], known);
    if (size == nullptr || range.lo < 0 || range.hi >= size->value) return false;
  }
  return load.indices.size() == load.buffer->shape.size();
}

}  // namespace

bool IsHarmlessNode(ir::Context& context, PrimRef e, const analysis::Assumptions& known) {
  if (const auto* load = e->As<ir::Load>()) return IsInside(context, *load, known);
  if (const auto* call = e->As<ir::Intrinsic>()) {
    if (IsFixedPoint(*call)) return true;
    return IsFunctionOfNumbers(*call) && (call->name == "floor" || call->name == "ceil");
  }
  const auto* binary = e->As<ir::Binary>();
  if (binary != nullptr && !e->dtype().is_floating()) {
    const bool divides = binary->op == BinaryOp::kDiv || binary->op == BinaryOp::kMod ||
                         binary->op == BinaryOp::kFloorDiv || binary->op == BinaryOp::kFloorMod;
    const auto* by = binary->rhs->As<ir::IntImm>();
    return !divides || (by != nullptr && by->value > 0);
  }
  return e->As<ir::Let>() == nullptr;
}

RepeatedParts::RepeatedParts(ir::Context& context, const std::vector<std::vector<PrimRef>>& roots,
                             const analysis::Assumptions& known)
    : ir_(context), roots_(roots), known_(known) {
  for (const std::vector<PrimRef>& statement : roots) {
    for (PrimRef root : statement) {
      Order(root);
      times_[root] += 1;
    }
  }
  // Whole expressions first: a part of a named expression is printed only once more.
  for (size_t i = order_.size(); i-- > 0;) {
    const PrimRef e = order_[i];
    const int said = times_[e] > 1 && IsWorthIt(e) ? 1 : times_[e];
    ir::ForEachOperand(e, [&](PrimRef part) {
      times_[part] = std::min(kMany, times_[part] + said * TimesSaid(e));
    });
  }
}

std::vector<PrimRef> RepeatedParts::Before(size_t i) const {
  absl::flat_hash_set<PrimRef> always, said;
  std::vector<PrimRef> open = roots_[i];
  for (PrimRef root : roots_[i]) MarkAlways(root, always);
  while (!open.empty()) {
    const PrimRef e = open.back();
    open.pop_back();
    if (!said.insert(e).second) continue;
    ir::ForEachOperand(e, [&](PrimRef part) { open.push_back(part); });
  }
  std::vector<PrimRef> found;
  for (PrimRef e : order_) {
    if (said.count(e) == 0 || times_.at(e) < 2 || !IsWorthIt(e)) continue;
    if (always.count(e) != 0 || harmless_.at(e)) found.push_back(e);
  }
  return found;
}

void RepeatedParts::Order(PrimRef e) {
  if (!ordered_.insert(e).second) return;
  bool harmless = IsHarmlessNode(ir_, e, known_);
  ir::ForEachOperand(e, [&](PrimRef part) {
    Order(part);
    harmless = harmless && harmless_.at(part);
  });
  harmless_[e] = harmless;
  cost_[e] = CostOf(e);
  order_.push_back(e);
}

void RepeatedParts::MarkAlways(PrimRef e, absl::flat_hash_set<PrimRef>& always) const {
  if (!always.insert(e).second) return;
  if (IsGuard(e)) {
    MarkAlways(FirstOperand(e), always);
    return;
  }
  ir::ForEachOperand(e, [&](PrimRef part) { MarkAlways(part, always); });
}

// At least kMany if it contains anything but constants and variables.
int RepeatedParts::CostOf(PrimRef e) {
  const auto* load = e->As<ir::Load>();
  const auto* call = e->As<ir::Intrinsic>();
  const bool plain = call == nullptr || call->name == "if_then_else" || IsFunctionOfNumbers(*call);
  if (!plain || e->As<ir::Let>() != nullptr || e->dtype().lanes != 1) return kMany;
  int cost = call != nullptr ? kWorthAName : 0;
  int operands = 0;
  ir::ForEachOperand(e, [&](PrimRef part) {
    ++operands;
    cost = std::max(cost, cost_.at(part)) == kMany ? kMany
                                                   : std::min(kMany - 1, cost + cost_.at(part));
  });
  if (cost == kMany || operands == 0) return cost;
  return std::min(kMany - 1, cost + (load != nullptr ? operands : 1));
}

bool RepeatedParts::IsWorthIt(PrimRef e) const {
  const int cost = cost_.at(e);
  return cost >= kWorthAName && cost < kMany && !e->dtype().is_bool() && !e->dtype().is_handle();
}

}  // namespace lathe::schedule
