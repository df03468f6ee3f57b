#include "generator/driver/validate/check_inputs.h"

#include "generator/interp/return_checks.h"

namespace lathe::driver {

void CheckInputs(interp::Interpreter& interpreter, ir::GlobalId function,
                 const std::vector<interp::Value>& args, Diagnostics& diags) {
  interp::Runtime& rt = interpreter.runtime();
  const ir::Global& global = rt.module.globals[function];
  if (global.function() == nullptr || args.size() != global.function()->params.size()) return;
  interp::Scope scope;
  rt.diags = &diags;
  // Only the first error is reported, because one mistake often affects several arguments.
  (void)interp::CheckArguments(rt, *global.function(), global.name, args, scope,
                               "what is given for");
  rt.diags = nullptr;
}

}  // namespace lathe::driver
