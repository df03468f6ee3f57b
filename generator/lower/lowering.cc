#include "generator/lower/lowering.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/signed_vars.h"
#include "generator/ir/device/canonicalize_prim_func.h"
#include "generator/ir/device/launches_from_scope_ids.h"
#include "generator/ir/size_bounds.h"
#include "generator/lower/boxed_sizes.h"
#include "generator/lower/functions_as_values.h"
#include "generator/lower/input_like.h"
#include "generator/lower/make_kernel.h"
#include "generator/lower/prim_callees.h"
#include "generator/lower/returned_params.h"
#include "generator/lower/structure_of.h"
#include "generator/lower/written_values.h"
#include "generator/transform/legalize.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

void AppendNames(const Form& form, const std::string& name, std::vector<std::string>& names) {
  if (const auto* tuple = form.As<TupleForm>()) {
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      AppendNames(tuple->fields[i], absl::StrCat(name, "_", i), names);
    }
  } else if (const auto* shape = form.As<ShapeForm>()) {
    for (size_t i = 0; i < shape->dims.size(); ++i) names.push_back(absl::StrCat(name, "_", i));
  } else if (const auto* closure = form.As<ClosureForm>()) {
    for (size_t i = 0; i < closure->captured.size(); ++i) {
      AppendNames(closure->captured[i], absl::StrCat(name, "_", i), names);
    }
  } else if (const auto* choice = form.As<ChoiceForm>()) {
    names.push_back(absl::StrCat(name, "_is"));
    for (size_t i = 0; i < choice->options.size(); ++i) {
      AppendNames(choice->options[i], absl::StrCat(name, "_", i), names);
    }
  } else if (form.As<ir::TensorId>() != nullptr || form.As<PrimRef>() != nullptr) {
    names.push_back(name);
  }
}

// Names outputs after the returned variables as far as possible.
void AppendResultNames(const ir::Module& module, const ir::Operand& result, const Form& form,
                       std::vector<std::string>& names) {
  const auto* fields = form.As<TupleForm>();
  const auto* tuple = result.As<ir::TupleExpr>();
  const auto* value = result.As<ir::ValueId>();
  if (fields != nullptr && tuple != nullptr && tuple->fields.size() == fields->fields.size()) {
    for (size_t i = 0; i < fields->fields.size(); ++i) {
      AppendResultNames(module, tuple->fields[i], fields->fields[i], names);
    }
  } else {
    AppendNames(form, value != nullptr ? module.values[*value].name : "out", names);
  }
}

// Records the bound that the function's attributes declare for the variable.
void DeclareRange(const ir::Function& f, PrimRef var, ir::Routine& routine) {
  const auto* sym = var->As<ir::SymVar>();
  if (sym == nullptr || !var->dtype().is_int()) return;
  ir::Range range{var, 0, analysis::kPosInf};
  bool declared = false;
  for (const char* attr : {ir::kLowerBounds, ir::kUpperBounds}) {
    const auto* bounds = ir::FindAttr<ir::AttrMap>(f.attrs, attr);
    const auto* bound = bounds == nullptr ? nullptr : ir::FindAttr<int64_t>(*bounds, sym->name);
    if (bound == nullptr) continue;
    declared = true;
    (attr == ir::kLowerBounds ? range.low : range.high) = *bound;
  }
  if (declared) routine.ranges.push_back(range);
}

}  // namespace

void NameOutputs(const ir::Module& module, const ir::Operand& result, const Form& form,
                 ir::Routine& routine) {
  AppendParts(form, routine.outputs);
  AppendResultNames(module, result, form, routine.output_names);
}

// Returns a member of a shape. A variable of a parameter is kept; any other value gets a new
// variable. Values that callers pass are checked to be sizes.
PrimRef Lowering::NewSize(PrimRef value, absl::string_view name, bool given) {
  if (!given) return NewNumber(name);
  return value != nullptr && value->As<ir::SymVar>() != nullptr ? value : ir.NewVar(name);
}

std::optional<Form> Lowering::NewForm(ir::StructInfoRef info, absl::string_view name, ir::Home home,
                                      bool given, const Location& loc) {
  const auto any = [&]() {
    return Form{program.tensors.Add({std::string(name), ir::kValueDType, {}, home, {}, {}})};
  };
  if (const auto* tensor = info->As<ir::TensorInfo>()) {
    if (tensor->dtype.is_void()) return any();
    if (tensor->dims() == nullptr) {
      // The sizes of a tensor passed by the caller are inputs with it.
      if (!given || tensor->ndim < 0) return any();
      ir::Tensor open{std::string(name), tensor->dtype, {}, home, {}, {}};
      for (int i = 0; i < tensor->ndim; ++i) {
        open.shape.push_back(ir.NewVar(absl::StrCat(name, "_dim", i), ir::DType::Int(64)));
      }
      open.vdevice = tensor->vdevice;
      return Form{program.tensors.Add(std::move(open))};
    }
    ir::Tensor made{std::string(name), tensor->dtype, *tensor->dims(), home, {}, {}};
    made.vdevice = tensor->vdevice;
    return Form{program.tensors.Add(std::move(made))};
  }
  if (const auto* prim = info->As<ir::PrimInfo>()) {
    const bool named = given && prim->value != nullptr && prim->value->As<ir::SymVar>() != nullptr;
    return Form{named ? prim->value : NewNumber(name, prim->dtype)};
  }
  if (const auto* shape = info->As<ir::ShapeInfo>()) {
    if (!shape->values && shape->ndim < 0) return any();
    ShapeForm form;
    const size_t rank = shape->values ? shape->values->size() : static_cast<size_t>(shape->ndim);
    for (size_t i = 0; i < rank; ++i) {
      form.dims.push_back(NewSize(shape->values ? (*shape->values)[i] : nullptr,
                                  absl::StrCat(name, "_", i), given));
    }
    return Form{std::move(form)};
  }
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    TupleForm form;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      auto field = NewForm(tuple->fields[i], absl::StrCat(name, "_", i), home, given, loc);
      if (!field) return std::nullopt;
      form.fields.push_back(*std::move(field));
    }
    return Form{std::move(form)};
  }
  return any();
}

namespace {

bool IsWhole(ir::StructInfoRef info, bool given) {
  if (const auto* tensor = info->As<ir::TensorInfo>()) {
    return !tensor->dtype.is_void() && (tensor->dims() != nullptr || (given && tensor->ndim >= 0));
  }
  if (const auto* shape = info->As<ir::ShapeInfo>()) return shape->values || shape->ndim >= 0;
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    for (ir::StructInfoRef field : tuple->fields) {
      if (!IsWhole(field, given)) return false;
    }
    return true;
  }
  return info->As<ir::PrimInfo>() != nullptr;
}

}  // namespace

bool HasAllSizes(ir::StructInfoRef info) { return IsWhole(info, false); }

Lowering::Lowering(ir::Context& context, const ir::Module& module, Diagnostics& diags,
                   Functions by_value)
    : ir(context),
      module(module),
      diags(diags),
      calls(module),
      uses(transform::CountUses(module)),
      by_value_(std::move(by_value)) {
  used = UsedFunctions(module, calls);
  effects = AnalyzeEffects(module, calls);
  program.constants = module.constants;
  program.functions = FunctionsAsValues(module);
}

bool Lowering::IsByValue(ir::GlobalId id, size_t param) const {
  const ir::Function& f = *module.globals[id].function();
  return by_value_.contains(id) && !IsWhole(module.values[f.params[param]].info, true);
}

bool Lowering::CanBeRoutine(const ir::Function& f) const {
  for (ir::ValueId param : f.params) {
    if (!IsWhole(module.values[param].info, true)) return false;
  }
  return IsWhole(f.ret_info, false);
}

// Creates the routine with its inputs and their sizes.
ir::Routine Lowering::RoutineOf(const ir::Global& global, const std::vector<Form>& params) {
  const ir::Function& f = *global.function();
  ir::Routine routine;
  routine.name = global.name;
  absl::flat_hash_set<PrimRef> given;
  routine.params = params;
  for (size_t i = 0; i < params.size(); ++i) {
    AppendParts(params[i], routine.inputs);
    AppendNames(params[i], module.values[f.params[i]].name, routine.input_names);
  }
  for (const ir::Part& part : routine.inputs) {
    if (const auto* scalar = std::get_if<PrimRef>(&part)) given.insert(*scalar);
  }
  for (PrimRef size : BoxedSizes(*this, f, params)) given.insert(size);
  for (ir::ValueId param : f.params) {
    analysis::ForEachDim(module.values[param].info, [&](PrimRef dim) {
      for (PrimRef var : analysis::VarsIn(dim)) {
        if (given.insert(var).second) routine.sizes.push_back(var);
      }
    });
  }
  for (const ir::Part& part : routine.inputs) {
    const auto* tensor = std::get_if<ir::TensorId>(&part);
    if (tensor == nullptr) continue;
    for (PrimRef dim : program.tensors[*tensor].shape) {
      for (PrimRef var : analysis::VarsIn(dim)) {
        if (given.insert(var).second) routine.sizes.push_back(var);
      }
    }
  }
  for (const ir::Part& part : routine.inputs) {
    if (const auto* scalar = std::get_if<PrimRef>(&part)) DeclareRange(f, *scalar, routine);
  }
  for (PrimRef var : routine.sizes) DeclareRange(f, var, routine);
  return routine;
}

const Signature* Lowering::SignatureOf(ir::GlobalId id) {
  const auto [it, is_new] = signatures_.try_emplace(id);
  if (!is_new) return it->second.id.valid() ? &it->second : nullptr;
  const ir::Global& global = module.globals[id];
  const ir::Function& f = *global.function();
  Signature signature;
  for (ir::ValueId param : f.params) {
    const ir::Value& value = module.values[param];
    auto form = NewForm(value.info, value.name, ir::Home::kInput, true, value.loc);
    if (!form) return nullptr;
    signature.params.push_back(*std::move(form));
  }
  ir::Routine routine = RoutineOf(global, signature.params);
  routine.exported = ir::IsExported(global);
  if (routine.exported && !HasAllSizes(f.ret_info) && !calls.Recursive(id, id)) {
    signature.by_body = true;
  } else {
    auto result = NewForm(f.ret_info, "out", ir::Home::kOutput, false, global.loc);
    if (!result) return nullptr;
    signature.result = *std::move(result);
    if (!routine.exported) RemoveReturnedParams(*this, id, f, signature);
    NameOutputs(module, f.body.result, signature.result, routine);
    routine.result = signature.result;
  }
  signature.id = program.routines.Add(std::move(routine));
  Signature& kept = signatures_[id] = std::move(signature);
  worklist.emplace_back(id, &kept);
  return &kept;
}

namespace {

// The limit of specializations of a function. If argument structures grow with each recursive call,
// specialization would not end; parameters are boxed then. Structures may double each time, so
// leaves are limited too.
constexpr size_t kMaxSpecial = 32;
constexpr size_t kMaxLeaves = kMaxPartsOfValue;

bool CanReturn(ir::StructInfoRef info) {
  if (const auto* tensor = info->As<ir::TensorInfo>()) {
    return tensor->ndim >= 0 && !tensor->dtype.is_void();
  }
  if (const auto* shape = info->As<ir::ShapeInfo>()) return shape->ndim >= 0;
  const auto* tuple = info->As<ir::TupleInfo>();
  for (size_t i = 0; tuple != nullptr && i < tuple->fields.size(); ++i) {
    if (!CanReturn(tuple->fields[i])) return false;
  }
  return tuple != nullptr || info->As<ir::PrimInfo>() != nullptr;
}

}  // namespace

std::optional<Form> Lowering::ReturnedForm(ir::StructInfoRef info, const std::string& name,
                                           const std::function<void(PrimRef)>& var) {
  if (!CanReturn(info)) return std::nullopt;
  const auto variables = [&](int count, bool sizes) {
    std::vector<PrimRef> vars;
    for (int i = 0; i < count; ++i) {
      const std::string called = absl::StrCat(name, "_", i);
      vars.push_back(sizes ? ir.NewVar(called) : NewNumber(called));
      var(vars.back());
    }
    return vars;
  };
  if (const auto* tensor = info->As<ir::TensorInfo>()) {
    ir::Tensor made{name, tensor->dtype, variables(tensor->ndim, true), ir::Home::kArena, {}, {}};
    made.returned = true;
    made.vdevice = tensor->vdevice;
    return Form{program.tensors.Add(std::move(made))};
  }
  if (const auto* shape = info->As<ir::ShapeInfo>()) {
    return Form{ShapeForm{variables(shape->ndim, false)}};
  }
  if (const auto* prim = info->As<ir::PrimInfo>()) {
    const PrimRef scalar = NewNumber(name, prim->dtype);
    var(scalar);
    return Form{scalar};
  }
  const ir::TupleInfo& tuple = *info->As<ir::TupleInfo>();
  TupleForm fields;
  for (size_t i = 0; i < tuple.fields.size(); ++i) {
    fields.fields.push_back(*ReturnedForm(tuple.fields[i], absl::StrCat(name, "_", i), var));
  }
  return Form{std::move(fields)};
}

const Signature* Lowering::SpecializedSignature(ir::GlobalId id, const std::vector<Form>& args) {
  const ir::Global& global = module.globals[id];
  const ir::Function& f = *global.function();
  std::string key = absl::StrCat(id.index);
  for (size_t i = 0; i < args.size(); ++i) {
    absl::StrAppend(&key, ";", IsByValue(id, i) ? "any" : StructureOf(program, args[i]));
  }
  if (const auto it = specialized_.find(key); it != specialized_.end()) {
    return it->second.id.valid() ? &it->second : nullptr;
  }
  for (const Form& arg : args) specialized_leaves_ += CountLeaves(arg);
  const bool is_too_many = specialized_.size() >= kMaxSpecial || specialized_leaves_ > kMaxLeaves;
  if (is_too_many && !by_value_.contains(id)) {
    overspecialized = id;
    failed = true;
    return nullptr;
  }
  Signature& signature = specialized_[key];
  std::vector<Form> params;
  for (size_t i = 0; i < args.size(); ++i) {
    const ir::Value& value = module.values[f.params[i]];
    if (IsByValue(id, i) || IsWhole(value.info, true)) {
      auto form = NewForm(value.info, value.name, ir::Home::kInput, true, value.loc);
      if (!form) return nullptr;
      params.push_back(*std::move(form));
    } else {
      params.push_back(InputLike(*this, args[i], value.name));
    }
  }
  ir::Routine routine = RoutineOf(global, params);
  signature.params = std::move(params);
  if (!HasAllSizes(f.ret_info)) {
    auto result = ReturnedForm(f.ret_info, "out", [&](PrimRef size) {
      routine.outputs.emplace_back(size);
      routine.output_names.push_back(ir::ToString(size));
    });
    signature.returns = result.has_value();
    if (result) signature.result = *std::move(result);
  }
  if (!signature.returns) {
    auto result = NewForm(f.ret_info, "out", ir::Home::kOutput, false, global.loc);
    if (!result) return nullptr;
    signature.result = *std::move(result);
    NameOutputs(module, f.body.result, signature.result, routine);
  }
  signature.id = program.routines.Add(std::move(routine));
  worklist.emplace_back(id, &signature);
  return &signature;
}

std::optional<ir::KernelId> Lowering::KernelOf(ir::GlobalId id, const Location& loc) {
  if (const auto it = kernels_.find(id); it != kernels_.end()) return it->second;
  const ir::Global& global = module.globals[id];
  ir::PrimFunc func = ir::CanonicalizePrimFunc(ir, *global.prim_func());
  if (const std::string left = ir::FindUnloweredScopeId(func.body); !left.empty()) {
    Unsupported(loc)
        << "'" << global.name << "' cannot be lowered to C: T." << left
        << " does not specify the launch dimensions; supported: T.launch_thread, and T.cta_id, "
           "T.thread_id, T.warp_id and T.lane_id with constant extents in one statement";
    return std::nullopt;
  }
  const auto* made_of = ir::FindAttr<std::string>(func.attrs, transform::kOperatorName);
  if (made_of == nullptr) analysis::FindSignedVars(ir, func);
  auto kernel =
      MakeKernel(global.name, func,
                 made_of != nullptr ? *made_of : absl::StrCat("R.call_tir of ", global.name));
  if (!kernel.ok()) {
    Unsupported(loc) << "'" << global.name
                     << "' cannot be lowered to C: " << kernel.status().message();
    return std::nullopt;
  }
  if (const absl::Status calls = AddCallees(ir, module, func, program.callees); !calls.ok()) {
    Unsupported(loc) << "'" << global.name << "' cannot be lowered to C: " << calls.message();
    return std::nullopt;
  }
  return kernels_[id] = program.kernels.Add(*std::move(kernel));
}

}  // namespace lathe::lower
