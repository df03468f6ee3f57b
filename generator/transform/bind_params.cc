#include "generator/transform/bind_params.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/call_graph.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"
#include "generator/transform/replace_variables.h"

namespace lathe::transform {
namespace {

absl::Status CheckUnused(const ir::Module& module, ir::GlobalId function) {
  const analysis::CallGraph graph(module);
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    for (ir::GlobalId used : graph.uses(ir::GlobalId{i})) {
      if (used != function) continue;
      return absl::InvalidArgumentError(absl::StrCat("'", module.globals[ir::GlobalId{i}].name,
                                                     "' refers to '", module.globals[function].name,
                                                     "', so its parameters cannot be bound"));
    }
  }
  return absl::OkStatus();
}

// The annotation of the tensor with its variables replaced by `dims`. Fails when the two are
// incompatible.
absl::Status Unify(const ir::Value& param, const ir::Constant& constant,
                   analysis::ShapeVarMap& mapping, ir::Context& context) {
  const auto* tensor =
      param.annotation == nullptr ? nullptr : param.annotation->As<ir::TensorInfo>();
  if (param.annotation != nullptr && tensor == nullptr &&
      param.annotation->As<ir::ObjectInfo>() == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("the parameter '", param.name, "' is ",
                                                   ToString(param.annotation),
                                                   "; only tensors can be bound"));
  }
  if (tensor == nullptr) return absl::OkStatus();
  bool fits = tensor->dtype.is_void() || tensor->dtype == constant.dtype;
  fits &= tensor->ndim == ir::kUnknownRank || tensor->ndim == std::ssize(constant.shape);
  const std::vector<ir::PrimRef>* dims = tensor->dims();
  fits &= dims == nullptr || dims->size() == constant.shape.size();
  for (size_t i = 0; fits && dims != nullptr && i < dims->size(); ++i) {
    ir::PrimRef is = context.Int(constant.shape[i], (*dims)[i]->dtype());
    if ((*dims)[i]->As<ir::SymVar>() != nullptr) {
      fits = mapping.try_emplace((*dims)[i], is).first->second == is;
    }
  }
  for (size_t i = 0; fits && dims != nullptr && i < dims->size(); ++i) {
    ir::PrimRef dim =
        analysis::Simplify(context, analysis::Substitute(context, (*dims)[i], mapping));
    const auto* number = dim->As<ir::IntImm>();
    fits = number == nullptr || number->value == constant.shape[i];
  }
  if (fits) return absl::OkStatus();
  std::vector<ir::PrimRef> shape;
  for (int64_t dim : constant.shape) shape.push_back(context.Int(dim));
  return absl::InvalidArgumentError(absl::StrCat("the parameter '", param.name, "' is ",
                                                 ToString(param.annotation), ", but is bound to ",
                                                 ToString(context.Tensor(shape, constant.dtype))));
}

}  // namespace

absl::Status BindParams(ir::Context& context, ir::Module& module, const std::string& function,
                        const std::map<std::string, ir::Constant>& params) {
  const std::optional<ir::GlobalId> id = module.Find(function);
  ir::Function* f = id ? module.globals[*id].function() : nullptr;
  if (f == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("the module has no Relax function '", function, "'"));
  }
  LATHE_RETURN_IF_ERROR(CheckUnused(module, *id));
  std::vector<absl::string_view> names;
  for (ir::ValueId param : f->params) names.push_back(module.values[param].name);
  for (const auto& [name, constant] : params) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("'", function, "' has no parameter '", name, "'", DidYouMean(name, names)));
  }
  analysis::ShapeVarMap mapping;
  for (ir::ValueId param : f->params) {
    const auto it = params.find(module.values[param].name);
    if (it == params.end()) continue;
    LATHE_RETURN_IF_ERROR(Unify(module.values[param], it->second, mapping, context));
  }
  Replacement replacement(context, module);
  for (const auto& [var, value] : mapping) replacement.Set(var, value);
  std::vector<ir::ValueId> left;
  for (ir::ValueId param : f->params) {
    const auto it = params.find(module.values[param].name);
    if (it == params.end()) {
      left.push_back(param);
    } else {
      replacement.Set(param, ir::Operand{module.constants.Add(it->second)});
    }
  }
  f->params = std::move(left);
  replacement.In(*f);
  return absl::OkStatus();
}

}  // namespace lathe::transform
