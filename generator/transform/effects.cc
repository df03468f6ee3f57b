#include "generator/transform/effects.h"

#include "absl/strings/match.h"
#include "generator/analysis/derive/derive_prim_func.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/analysis/derive/purity.h"

namespace lathe::transform {
namespace {

bool BodyHasEffect(ir::Context& context, const ir::Module& module, const ir::Body& body) {
  for (const ir::Block& block : body.blocks) {
    for (const ir::Binding& binding : block.bindings) {
      if (HasEffect(context, module, binding.rhs)) return true;
    }
  }
  return false;
}

}  // namespace

bool IsInplace(const ir::Op& op) {
  return op.name == "relax.call_tir_inplace" || op.name == "relax.call_inplace_packed";
}

bool Allocates(const ir::Op& op) {
  return op.name == "relax.builtin.alloc_tensor" || absl::StartsWith(op.name, "relax.memory.") ||
         absl::StartsWith(op.name, "relax.vm.");
}

bool IsEffectFree(ir::Context& context, const ir::Module& module, const ir::Call& call) {
  return Match(
      call.callee, [](const ir::Op* op) { return op->pure && !IsInplace(*op); },
      [&](ir::ValueId id) {
        return analysis::IsPureCallee(analysis::KnownInfo(context, module, ir::Operand{id}));
      },
      [&](ir::GlobalId id) {
        const ir::PrimFunc* kernel = module.globals[id].prim_func();
        if (kernel != nullptr) return analysis::IsPurePrimFunc(*kernel);
        const ir::Function* f = module.globals[id].function();
        return f != nullptr && f->pure;
      },
      [](const ir::ExternFunc&) { return false; });
}

bool HasEffect(ir::Context& context, const ir::Module& module, const ir::Rhs& rhs) {
  if (const auto* call = std::get_if<ir::Call>(&rhs)) return !IsEffectFree(context, module, *call);
  const auto* branch = std::get_if<ir::If>(&rhs);
  return branch != nullptr && (BodyHasEffect(context, module, branch->then_body) ||
                               BodyHasEffect(context, module, branch->else_body));
}

}  // namespace lathe::transform
