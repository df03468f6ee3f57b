#include "generator/schedule/fuse/row_invariants.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ir/function_calls.h"
#include "generator/ir/map_operands.h"

namespace lathe::schedule {

using ir::PrimRef;

RowInvariants::Traits RowInvariants::TraitsOf(PrimRef e) {
  if (const auto it = traits_.find(e); it != traits_.end()) return it->second;
  Traits traits;
  const auto* call = e->As<ir::Intrinsic>();
  const auto* binary = e->As<ir::Binary>();
  if (numbers_.contains(e) && e != sum_) {
    traits.number = e;
  } else if (e->As<ir::FloatImm>() == nullptr && e->As<ir::IntImm>() == nullptr) {
    const bool known = call != nullptr || binary != nullptr || e->As<ir::Unary>() != nullptr ||
                       e->As<ir::Cast>() != nullptr;
    traits.of_row = known && e->dtype().is_floating() && e->dtype().lanes == 1 &&
                    (call == nullptr || !ir::IsCall(call->name));
    traits.is_dear = call != nullptr || (binary != nullptr && binary->op == ir::BinaryOp::kDiv);
    ir::ForEachOperand(e, [&](PrimRef operand) {
      const Traits part = TraitsOf(operand);
      traits.of_row = traits.of_row && part.of_row;
      traits.is_dear = traits.is_dear || part.is_dear;
      if (traits.number == nullptr) traits.number = part.number;
    });
  }
  return traits_[e] = traits;
}

PrimRef RowInvariants::NumberFor(PrimRef e, const Traits& traits) {
  PrimRef& number = number_of_[e];
  if (number != nullptr) return number;
  const auto* call = e->As<ir::Intrinsic>();
  const auto* sum = traits.number->As<ir::Load>();
  const std::string of = sum == nullptr ? ir::ToString(traits.number) : sum->buffer->name;
  number = ir_.NewVar(absl::StrCat(call == nullptr ? "" : call->name + "_", "of_", of), e->dtype());
  numbers_.insert(number);
  ir::NestStage stage;
  stage.lets.push_back({number, e});
  taken_.push_back(std::move(stage));
  return number;
}

PrimRef RowInvariants::Without(PrimRef e) {
  if (e == nullptr) return nullptr;
  if (const auto it = without_.find(e); it != without_.end()) return it->second;
  const Traits traits = TraitsOf(e);
  const bool is_part = traits.of_row && traits.is_dear && traits.number != nullptr;
  const PrimRef without =
      is_part ? NumberFor(e, traits)
              : ir::MapOperands(ir_, e, [&](PrimRef operand) { return Without(operand); });
  return without_[e] = without;
}

void RowInvariants::TakeFrom(ir::NestStage& stage, bool folds) {
  sum_ = stage.acc == nullptr ? nullptr : ir_.MakeLoad(stage.acc, {});
  traits_.clear();
  without_.clear();
  if (folds) {
    for (ir::NestLet& let : stage.fold_lets) let.value = Without(let.value);
    stage.update = Without(stage.update);
  }
  if (stage.spatial.empty()) return;
  for (ir::NestLet& let : stage.lets) let.value = Without(let.value);
  stage.value = Without(stage.value);
}

}  // namespace lathe::schedule
