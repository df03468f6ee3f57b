#include "generator/transform/count_uses.h"

#include "generator/analysis/for_each_annotation.h"
#include "generator/ir/each_body.h"

namespace lathe::transform {
namespace {

class UseWalk {
 public:
  UseWalk(const ir::Module& module, absl::FunctionRef<void(ir::ValueId)> visit)
      : module_(module), visit_(visit) {}

  void In(const ir::Function& f) {
    for (ir::ValueId param : f.params) Info(module_.values[param].annotation);
    Info(f.ret);
    In(f.body);
  }

  void In(const ir::Binding& binding) {
    Info(module_.values[binding.var].annotation);
    ir::ForEachOperand(binding.rhs, [&](const ir::Operand& operand) { In(operand); });
    Match(
        binding.rhs, [](const ir::Operand&) {},
        [&](const ir::Call& call) {
          if (const auto* id = std::get_if<ir::ValueId>(&call.callee)) visit_(*id);
          if (const auto* f = std::get_if<ir::ExternFunc>(&call.callee)) Info(f->info);
          for (ir::StructInfoRef info : call.sinfo_args) Info(info);
        },
        [](const ir::GetField&) {}, [&](const ir::MatchCast& cast) { Info(cast.info); },
        [&](const ir::If& branch) {
          In(branch.then_body);
          In(branch.else_body);
        },
        [&](const ir::Function& f) { In(f); });
  }

  void In(const ir::Operand& operand) {
    ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
      if (const auto* id = leaf.As<ir::ValueId>()) visit_(*id);
      if (const auto* f = leaf.As<ir::ExternFunc>()) Info(f->info);
    });
  }

 private:
  void In(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) In(binding);
    }
    In(body.result);
  }

  void Info(ir::StructInfoRef info) {
    if (info == nullptr) return;
    analysis::ForEachPart(info, [&](ir::StructInfoRef part) {
      const auto* tensor = part->As<ir::TensorInfo>();
      if (tensor != nullptr && tensor->shape_var() != nullptr) visit_(*tensor->shape_var());
    });
  }

  const ir::Module& module_;
  absl::FunctionRef<void(ir::ValueId)> visit_;
};

}  // namespace

Uses CountUses(const ir::Module& module) {
  Uses uses(module.values.size(), 0);
  const auto count = [&](ir::ValueId id) { ++uses[id]; };
  ForEachFunction(module, [&](const ir::Function& f) { UseWalk(module, count).In(f); });
  return uses;
}

void ForEachUse(const ir::Module& module, const ir::Binding& binding,
                absl::FunctionRef<void(ir::ValueId)> visit) {
  UseWalk(module, visit).In(binding);
}

void ForEachUse(const ir::Operand& operand, absl::FunctionRef<void(ir::ValueId)> visit) {
  ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
    if (const auto* id = leaf.As<ir::ValueId>()) visit(*id);
  });
}

}  // namespace lathe::transform
