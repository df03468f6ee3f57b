#include "generator/transform/bind_constant_arguments.h"

#include <optional>
#include <vector>

#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/each_body.h"
#include "generator/transform/overwritten_values.h"
#include "generator/transform/replace_variables.h"
#include "generator/transform/used_as_values.h"

namespace lathe::transform {
namespace {

// The constant that all calls so far pass for a parameter.
struct PassedArgument {
  std::optional<ir::ConstantId> constant;
  bool differs = false;
};

using PassedArguments = IdVector<ir::GlobalId, std::vector<PassedArgument>>;

void Note(const ir::Operand& arg, ir::ValueId param, PassedArgument& passed) {
  if (const auto* id = arg.As<ir::ValueId>(); id != nullptr && *id == param) return;
  const auto* constant = arg.As<ir::ConstantId>();
  passed.differs =
      passed.differs || constant == nullptr || (passed.constant && *passed.constant != *constant);
  if (constant != nullptr) passed.constant = *constant;
}

PassedArguments ArgumentsIn(const ir::Module& module) {
  PassedArguments passed(module.globals.size());
  ForEachFunction(module, [&](const ir::Function& f) {
    ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& binding) {
      const auto* call = std::get_if<ir::Call>(&binding.rhs);
      const auto* id = call == nullptr ? nullptr : std::get_if<ir::GlobalId>(&call->callee);
      const ir::Function* callee = id == nullptr ? nullptr : module.globals[*id].function();
      if (callee == nullptr) return;
      passed[*id].resize(callee->params.size());
      for (size_t i = 0; i < callee->params.size() && i < call->args.size(); ++i) {
        Note(call->args[i], callee->params[i], passed[*id][i]);
      }
    });
  });
  return passed;
}

bool AnyIsConstant(const PassedArguments& passed) {
  for (int32_t i = 0; i < std::ssize(passed); ++i) {
    for (const PassedArgument& one : passed[ir::GlobalId{i}]) {
      if (one.constant && !one.differs) return true;
    }
  }
  return false;
}

}  // namespace

bool BindConstantArguments(ir::Context& context, ir::Module& module) {
  if (module.loose) return false;
  const PassedArguments passed = ArgumentsIn(module);
  if (!AnyIsConstant(passed)) return false;
  const IdVector<ir::GlobalId, char> values = UsedAsValues(module);
  const IdVector<ir::ValueId, char> changed = OverwrittenValues(context, module);
  bool bound = false;
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::GlobalId id{i};
    ir::Function* f = module.globals[id].function();
    if (f == nullptr || ir::IsExported(module.globals[id]) || values[id]) continue;
    Replacement replacement(context, module);
    for (size_t k = 0; k < passed[id].size(); ++k) {
      const PassedArgument& one = passed[id][k];
      const ir::ValueId param = f->params[k];
      if (!one.constant || one.differs || changed[param]) continue;
      // Shape variables of the parameter are known in the function through its annotation only.
      if (!analysis::FreeVars(module.values[param].info).empty()) continue;
      replacement.Set(param, ir::Operand{*one.constant});
    }
    if (replacement.empty()) continue;
    replacement.In(f->body);
    bound = true;
  }
  return bound;
}

}  // namespace lathe::transform
