// Visits the functions, bodies and bindings of a module.
#ifndef LATHE_IR_EACH_BODY_H_
#define LATHE_IR_EACH_BODY_H_

#include <utility>

#include "generator/ir/module.h"

namespace lathe::ir {

// Calls `visit(Function&)` for every Relax function of the module that is a global.
template <typename ModuleT, typename F>
void ForEachFunction(ModuleT& module, F visit) {
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    if (auto* f = module.globals[GlobalId{i}].function()) visit(*f);
  }
}

// Calls `visit(Function&)` for every Relax function that is a global now. `visit` may add globals,
// which moves the functions of a module: meanwhile, the function is not there.
template <typename F>
void RewriteEachFunction(Module& module, F visit) {
  const auto count = static_cast<int32_t>(module.globals.size());
  for (int32_t i = 0; i < count; ++i) {
    if (module.globals[GlobalId{i}].function() == nullptr) continue;
    Function f = std::move(*module.globals[GlobalId{i}].function());
    visit(f);
    module.globals[GlobalId{i}].def = std::move(f);
  }
}

// Calls `visit(Body&)` for the bodies that `rhs` owns directly.
template <typename RhsT, typename F>
void ForEachBody(RhsT& rhs, F visit) {
  if (auto* branch = std::get_if<If>(&rhs)) {
    visit(branch->then_body);
    visit(branch->else_body);
  } else if (auto* f = std::get_if<Function>(&rhs)) {
    visit(f->body);
  }
}

// Calls `visit(Block&, Binding&)` for every binding of `body`, those of inner bodies after the
// binding that owns them.
template <typename BodyT, typename F>
void ForEachBinding(BodyT& body, const F& visit) {
  for (auto& block : body.blocks) {
    for (auto& binding : block.bindings) {
      visit(block, binding);
      ForEachBody(binding.rhs, [&](auto& inner) { ForEachBinding(inner, visit); });
    }
  }
}

}  // namespace lathe::ir

#endif  // LATHE_IR_EACH_BODY_H_
