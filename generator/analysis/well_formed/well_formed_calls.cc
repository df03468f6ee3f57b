#include "generator/analysis/well_formed/well_formed_calls.h"

#include <algorithm>

#include "generator/analysis/derive/known_info.h"
#include "generator/analysis/show_operand.h"
#include "generator/ir/op.h"

namespace lathe::analysis {
namespace {

// Runs the normalisation of an operator and discards the bindings it emits.
class Trial : public ir::NormalizeContext {
 public:
  Trial(ir::Context& context, const ir::Module& module,
        const IdVector<ir::ValueId, const ir::Rhs*>& definitions)
      : context_(context), module_(module), definitions_(definitions) {}

  ir::Context& ir() override { return context_; }
  const ir::Module& module() const override { return module_; }
  ir::StructInfoRef InfoOf(const ir::Operand& operand) const override {
    return KnownInfo(context_, module_, operand);
  }
  const ir::Rhs* DefinitionOf(ir::ValueId id) const override {
    return id.valid() && id.index < std::ssize(definitions_) ? definitions_[id] : nullptr;
  }
  ir::ValueId Emit(ir::Rhs, absl::string_view) override { return {}; }

 private:
  ir::Context& context_;
  const ir::Module& module_;
  const IdVector<ir::ValueId, const ir::Rhs*>& definitions_;
};

class CallCheck {
 public:
  CallCheck(ir::Context& context, const ir::Module& module, Diagnostics& diags)
      : context_(context), module_(module), diags_(diags), definitions_(module.values.size()) {}

  void In(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) In(binding);
    }
  }

 private:
  void In(const ir::Binding& binding) {
    definitions_[binding.var] = &binding.rhs;
    if (const auto* branch = std::get_if<ir::If>(&binding.rhs)) {
      In(branch->then_body);
      In(branch->else_body);
    } else if (const auto* f = std::get_if<ir::Function>(&binding.rhs)) {
      In(f->body);
    } else if (const auto* call = std::get_if<ir::Call>(&binding.rhs)) {
      const ir::Op* op = call->op();
      if (op == nullptr || op->normalize == nullptr) return;
      Trial trial(context_, module_, definitions_);
      ir::Call copy = *call;
      if (op->normalize(trial, copy)) Report(binding, *call, copy);
    }
  }

  void Report(const ir::Binding& binding, const ir::Call& call, const ir::Call& normal) {
    DiagnosticBuilder error = diags_.Error(binding.loc, "op-call-not-normal");
    const size_t count = std::min(call.args.size(), normal.args.size());
    for (size_t i = 0; i < count; ++i) {
      const auto* var = call.args[i].As<ir::ValueId>();
      if (var == nullptr || normal.args[i].As<ir::TupleExpr>() == nullptr) continue;
      error << ShowCallee(module_, call) << " needs a tuple literal of arguments, got '"
            << module_.values[*var].name << "'";
      std::move(error).Note(module_.values[*var].loc, "bound here");
      return;
    }
    error << "the call of " << ShowCallee(module_, call) << " is not in normal form";
  }

  ir::Context& context_;
  const ir::Module& module_;
  Diagnostics& diags_;
  IdVector<ir::ValueId, const ir::Rhs*> definitions_;
};

}  // namespace

void CheckCallsNormal(ir::Context& context, const ir::Module& module, Diagnostics& diags) {
  CallCheck check(context, module, diags);
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    if (const ir::Function* f = module.globals[ir::GlobalId{i}].function()) check.In(f->body);
  }
}

}  // namespace lathe::analysis
