#include "generator/transform/bind_symbolic_vars.h"

#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/size_bounds.h"
#include "generator/support/quoted_list.h"
#include "generator/support/status.h"
#include "generator/transform/replace_variables.h"

namespace lathe::transform {
namespace {

std::vector<ir::PrimRef> VarsOfSignature(const ir::Module& module, const ir::Function& f) {
  std::vector<ir::PrimRef> vars;
  for (ir::ValueId param : f.params) {
    ir::StructInfoRef info = module.values[param].annotation;
    if (info == nullptr) continue;
    for (ir::PrimRef var : analysis::BindingVars(info)) vars.push_back(var);
  }
  return vars;
}

absl::StatusOr<std::vector<ir::GlobalId>> Meant(const ir::Module& module,
                                                const std::string& function) {
  std::vector<ir::GlobalId> functions;
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::Global& global = module.globals[ir::GlobalId{i}];
    if (global.function() == nullptr) continue;
    const bool exported = module.loose || ir::IsExported(global);
    if (function.empty() ? exported : global.name == function) {
      functions.push_back(ir::GlobalId{i});
    }
  }
  if (!functions.empty()) return functions;
  if (function.empty()) {
    return absl::InvalidArgumentError("the module exports no Relax function");
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the module has no Relax function '", function, "'"));
}

absl::Status CheckSizes(const std::map<std::string, int64_t>& sizes,
                        const std::set<std::string>& names) {
  const std::vector<absl::string_view> known(names.begin(), names.end());
  for (const auto& [name, size] : sizes) {
    if (size < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", name, "' cannot be ", size, ": sizes must not be negative"));
    }
    if (names.count(name) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("no signature has a shape variable '", name, "'",
                       known.empty() ? "; all sizes are fixed" : InsteadOf(name, known)));
    }
  }
  return absl::OkStatus();
}

std::set<std::string> NamesIn(const ir::Module& module,
                              const std::vector<ir::GlobalId>& functions) {
  std::set<std::string> names;
  for (ir::GlobalId id : functions) {
    for (ir::PrimRef var : VarsOfSignature(module, *module.globals[id].function())) {
      names.insert(var->As<ir::SymVar>()->name);
    }
  }
  return names;
}

void SetBound(ir::Function& f, const char* attr, const std::string& name, int64_t bound) {
  const auto* declared = ir::FindAttr<ir::AttrMap>(f.attrs, attr);
  ir::AttrMap bounds = declared != nullptr ? *declared : ir::AttrMap{};
  bounds[name] = ir::AttrValue{bound};
  f.attrs[attr] = ir::AttrValue{std::move(bounds)};
}

}  // namespace

absl::Status BoundSymbolicVars(ir::Module& module,
                               const std::map<std::string, analysis::Interval>& ranges) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<ir::GlobalId> functions, Meant(module, ""));
  std::map<std::string, int64_t> lows;
  for (const auto& [name, range] : ranges) lows[name] = range.lo;
  LATHE_RETURN_IF_ERROR(CheckSizes(lows, NamesIn(module, functions)));
  for (ir::GlobalId id : functions) {
    const std::set<std::string> names = NamesIn(module, {id});
    for (const auto& [name, range] : ranges) {
      if (names.count(name) == 0) continue;
      SetBound(*module.globals[id].function(), ir::kLowerBounds, name, range.lo);
      SetBound(*module.globals[id].function(), ir::kUpperBounds, name, range.hi);
    }
  }
  return absl::OkStatus();
}

absl::Status BindSymbolicVars(ir::Context& context, ir::Module& module, const std::string& function,
                              const std::map<std::string, int64_t>& sizes) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<ir::GlobalId> functions, Meant(module, function));
  LATHE_RETURN_IF_ERROR(CheckSizes(sizes, NamesIn(module, functions)));
  for (ir::GlobalId id : functions) {
    ir::Function& f = *module.globals[id].function();
    Replacement replacement(context, module);
    for (ir::PrimRef var : VarsOfSignature(module, f)) {
      const auto it = sizes.find(var->As<ir::SymVar>()->name);
      if (it != sizes.end()) replacement.Set(var, context.Int(it->second, var->dtype()));
    }
    replacement.In(f);
  }
  return absl::OkStatus();
}

}  // namespace lathe::transform
