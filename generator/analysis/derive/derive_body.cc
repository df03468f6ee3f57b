#include "generator/analysis/derive/derive_body.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/derive_binding.h"
#include "generator/analysis/derive/derive_operand.h"
#include "generator/analysis/least_upper_bound.h"
#include "generator/analysis/overlap.h"
#include "generator/analysis/show_operand.h"

namespace lathe::analysis {
namespace {

bool IsBoolScalar(ir::StructInfoRef info) {
  if (const auto* prim = info->As<ir::PrimInfo>()) return prim->dtype.is_bool();
  const auto* tensor = info->As<ir::TensorInfo>();
  return tensor != nullptr && tensor->ndim == 0 && tensor->dtype.is_bool();
}

void CheckCondition(Derivation& d, const ir::Operand& operand, const Location& loc) {
  const Derived cond = DeriveOperand(d, operand);
  if (cond.guess || IsBoolScalar(cond.info)) return;
  const std::string name = ShowOperand(d.module, operand);
  DiagnosticBuilder error = d.Error(loc, "condition-not-bool");
  error << "condition '" << name << "' is " << d.Show(cond.info) << ", not a bool scalar";
  // If it may be a bool, a cast is sufficient.
  ir::StructInfoRef wanted = d.ir.Tensor(std::vector<ir::PrimRef>(), ir::DType::Bool());
  if (MayOverlap(d.facts(), cond.info, wanted)) {
    std::move(error).Help(absl::StrCat("cast it first: ", name, "1 = R.match_cast(", name, ", ",
                                       d.Show(wanted), ")"));
  }
}

void DeriveBlock(Derivation& d, ir::Block& block) {
  const bool outer_in_dataflow = d.function.in_dataflow;
  d.function.in_dataflow |= block.dataflow;
  for (ir::Binding& binding : block.bindings) DeriveBinding(d, binding);
  d.function.in_dataflow = outer_in_dataflow;
  if (!block.dataflow) return;
  for (const ir::Binding& binding : block.bindings) {
    if (d.module.values[binding.var].dataflow) d.Unbind(binding.var);
  }
}

}  // namespace

Derived DeriveBody(Derivation& d, ir::Body& body) {
  if (d.body_depth >= kMaxBodyDepth) {
    d.diags->LimitExceeded(body.result_loc, "limit-nesting")
        << "this is nested more than " << kMaxBodyDepth << " bodies deep";
    return d.Guess();
  }
  ++d.body_depth;
  const ShapeScope::Mark mark = d.shape_scope.Enter();
  for (ir::Block& block : body.blocks) DeriveBlock(d, block);
  Derived result = DeriveOperand(d, body.result);
  for (const ir::Block& block : body.blocks) {
    for (const ir::Binding& binding : block.bindings) d.Unbind(binding.var);
  }
  d.shape_scope.Leave(mark);
  --d.body_depth;
  return d.Limited({d.Erase(result.info), result.guess}, body.result_loc);
}

Derived DeriveIf(Derivation& d, ir::If& branch, const Location& loc) {
  CheckCondition(d, branch.cond, loc);
  const Derived if_true = DeriveBody(d, branch.then_body);
  const Derived if_false = DeriveBody(d, branch.else_body);
  const bool guess = if_true.guess || if_false.guess;
  return {LeastUpperBound(d.facts(), if_true.info, if_false.info), guess};
}

}  // namespace lathe::analysis
