#include "generator/driver/check_inputs.h"

#include "absl/strings/str_cat.h"
#include "generator/interp/match_struct_info.h"
#include "generator/interp/return_checks.h"

namespace lathe::driver {

void CheckInputs(interp::Interpreter& interpreter, ir::GlobalId function,
                 const std::vector<interp::Value>& args, Diagnostics& diags) {
  interp::Runtime& rt = interpreter.runtime();
  const ir::Global& global = rt.module.globals[function];
  if (global.function() == nullptr || args.size() != global.function()->params.size()) return;
  const std::vector<ir::ValueId>& params = global.function()->params;
  interp::Scope scope;
  for (size_t n = 0; n < args.size(); ++n) {
    scope.Bind(params[n], args[n]);
    const ir::StructInfoRef info = rt.module.values[params[n]].annotation;
    if (info != nullptr) interp::BindLoneVars(args[n], info, scope);
  }
  rt.diags = &diags;
  for (size_t n = 0; n < args.size(); ++n) {
    const ir::Value& param = rt.module.values[params[n]];
    if (param.annotation == nullptr) continue;
    const absl::Status matched = interp::CheckStructInfo(
        rt, args[n], param.annotation, scope, param.annotation_loc,
        absl::StrCat("what is given for '", param.name, "' of '", global.name, "'"));
    if (!matched.ok()) break;  // one mistake often shows in several arguments
  }
  rt.diags = nullptr;
}

}  // namespace lathe::driver
