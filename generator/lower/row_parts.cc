#include "generator/lower/row_parts.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ir/function_calls.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/program.h"

namespace lathe::lower {

using ir::PrimRef;

RowParts::Traits RowParts::TraitsOf(PrimRef e) {
  if (const auto it = traits_.find(e); it != traits_.end()) return it->second;
  Traits traits;
  const auto* call = e->As<ir::Intrinsic>();
  const auto* binary = e->As<ir::Binary>();
  if (const auto* load = e->As<ir::Load>()) {
    traits.number = load->buffer;
    traits.of_row =
        load->indices.empty() && load->buffer->scope == ir::kRegisterScope && load->buffer != acc_;
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

PrimRef RowParts::NumberFor(PrimRef e, const Traits& traits) {
  PrimRef& number = numbers_[e];
  if (number != nullptr) return number;
  const auto* call = e->As<ir::Intrinsic>();
  ir::Buffer buffer;
  buffer.name = absl::StrCat(call == nullptr ? "" : call->name, call == nullptr ? "" : "_", "of_",
                             traits.number->name);
  buffer.dtype = e->dtype();
  buffer.scope = ir::kRegisterScope;
  buffer.data = ir_.NewPointer(buffer.name, buffer.dtype, "local");
  NestStage stage;
  stage.to = ir_.NewBuffer(std::move(buffer));
  stage.value = e;
  number = ir_.MakeLoad(stage.to, {});
  taken_.push_back(std::move(stage));
  return number;
}

PrimRef RowParts::Without(PrimRef e) {
  if (e == nullptr) return nullptr;
  if (const auto it = without_.find(e); it != without_.end()) return it->second;
  const Traits traits = TraitsOf(e);
  const bool is_part = traits.of_row && traits.is_dear && traits.number != nullptr;
  const PrimRef without =
      is_part ? NumberFor(e, traits)
              : ir::MapOperands(ir_, e, [&](PrimRef operand) { return Without(operand); });
  return without_[e] = without;
}

void RowParts::TakeFrom(NestStage& stage, bool folds) {
  acc_ = stage.acc;
  traits_.clear();
  without_.clear();
  if (folds) {
    for (NestLet& let : stage.fold_lets) let.value = Without(let.value);
    stage.update = Without(stage.update);
  }
  if (stage.spatial.empty()) return;
  for (NestLet& let : stage.lets) let.value = Without(let.value);
  stage.value = Without(stage.value);
}

}  // namespace lathe::lower
