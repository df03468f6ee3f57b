#include "generator/reader/relax_text/relax/elaborate_function.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/decorators.h"
#include "generator/reader/relax_text/elaboration/oldest_dialect.h"
#include "generator/reader/relax_text/relax/elaborate_statements.h"
#include "generator/reader/relax_text/relax/elaborate_struct_info.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

// def f[M, N: int](...). The module's type variables, M = TypeVar("M"), become variables of the
// functions whose signatures mention them, as any other name of a dimension does.
void ReadTypeParams(Frame& frame, const ast::FunctionDef& def) {
  for (const ast::TypeParam& param : def.type_params) {
    if (param.stars != 0) {
      frame.el.diags().Unsupported(param.name_span, "host-python")
          << "a function cannot have the parameter '*" << param.name << "'";
      continue;
    }
    frame.scopes.BindShapeVar(param.name, frame.el.context().NewVar(param.name), param.name_span);
  }
}

void ReadParam(Frame& frame, const ast::Param& param, ir::Function& function) {
  Elaboration& el = frame.el;
  if (param.kind != ast::ParamKind::kPlain || param.default_value != nullptr) {
    el.diags().Unsupported(param.name_span, "host-python")
        << "'" << param.name << "' must be a plain parameter, without default value, '*' or '/'";
  }
  ir::Value value;
  value.name = std::string(param.name);
  value.loc = param.name_span;
  NameEntry entry;
  entry.span = param.name_span;
  if (param.annotation != nullptr) {
    value.annotation_loc = param.annotation->span();
    absl::StatusOr<ir::StructInfoRef> info =
        ElaborateStructInfo(frame, *param.annotation, DimPlace::kDefine);
    entry.failed = !info.ok();
    if (info.ok()) value.annotation = *info;
  }
  // A scalar parameter of the name of a dimension is that dimension: x: R.Tensor(("n",)), n:
  // T.int64
  const NameEntry* dimension = frame.scopes.Find(param.name);
  if (dimension != nullptr && frame.scopes.IsInnermost(*dimension) && value.annotation != nullptr) {
    const auto* prim = value.annotation->As<ir::PrimInfo>();
    if (prim != nullptr && prim->value == nullptr && dimension->scalar != nullptr &&
        dimension->scalar->dtype() == prim->dtype) {
      value.annotation = el.context().Prim(prim->dtype, dimension->scalar);
    }
  }
  const ir::StructInfoRef annotation = value.annotation;
  entry.value = el.module().values.Add(std::move(value));
  function.params.push_back(entry.value);
  frame.AddParameter(entry.value);
  if (annotation != nullptr) frame.SetShape(entry.value, ShapeOfInfo(annotation));
  frame.scopes.Bind(param.name, entry);
}

void ReadSignature(Frame& frame, const ast::FunctionDef& def, ir::Function& function) {
  ReadTypeParams(frame, def);
  absl::flat_hash_set<absl::string_view> seen;
  for (const ast::Param& param : def.params) {
    if (!seen.insert(param.name).second) {
      frame.el.diags().Error(param.name_span, "duplicate-parameter")
          << "'" << def.name << "' has more than one parameter '" << param.name << "'";
    }
    ReadParam(frame, param, function);
  }
  if (def.return_annotation == nullptr || IsNone(*def.return_annotation)) return;
  function.ret_loc = def.return_annotation->span();
  absl::StatusOr<ir::StructInfoRef> info =
      ElaborateStructInfo(frame, *def.return_annotation, DimPlace::kDefine);
  if (info.ok()) function.ret = *info;
}

// Returns an unbound variable.
ir::Operand UnknownResult(ir::Module& module) {
  ir::Value value;
  value.name = "_";
  return ir::Operand{module.values.Add(std::move(value))};
}

}  // namespace

absl::StatusOr<ir::Function> ElaborateFunction(Frame& frame, const ast::FunctionDef& def,
                                               ir::Function* remains) {
  Elaboration& el = frame.el;
  const int errors_before = el.diags().error_count();
  const Decoration decoration = FindDecoration(el, def.decorators);
  CheckDecoratorOptions(el, decoration);
  ir::Function function;
  function.pure = DecoratorFlag(el, decoration, "pure", true);

  BodyBuilder builder(el.module());
  BodyBuilder* const outer = std::exchange(frame.body, &builder);
  frame.scopes.Push(ScopeKind::kFunction);
  ReadSignature(frame, def, function);
  const bool knows_signature = el.diags().error_count() == errors_before;
  const absl::Status body = ElaborateFunctionBody(frame, def, function);
  frame.scopes.Pop();
  frame.body = outer;
  const bool failed = !body.ok() || el.diags().error_count() != errors_before;
  if (failed && remains == nullptr) return AlreadyDiagnosed();
  if (!body.ok()) function.body = builder.Finish(UnknownResult(el.module()), def.name_span);
  if (!knows_signature) {
    function.ret = nullptr;
    function.body.result = UnknownResult(el.module());
  }
  // The oldest dialect has no purity option, so purity is derived from the body.
  if (function.pure && el.oldest_dialect(def.name_span) &&
      !HasDecoratorOption(decoration, "pure")) {
    function.pure = !HasEffects(el.module(), function.body);
  }
  if (!failed) return function;
  *remains = std::move(function);
  return AlreadyDiagnosed();
}

ir::Function UnknownFunction(ir::Module& module, size_t params) {
  ir::Function function;
  for (size_t i = 0; i < params; ++i) function.params.push_back(module.values.Add(ir::Value()));
  function.body.result = UnknownResult(module);
  return function;
}

void ElaborateNestedFunction(Frame& frame, const ast::Stmt& s, const ast::FunctionDef& def) {
  Elaboration& el = frame.el;
  const Decoration decoration = FindDecoration(el, def.decorators);
  if (decoration.definition != Definition::kRelax) {
    el.diags().Unsupported(def.name_span, "host-python")
        << (decoration.definition == Definition::kPrimFunc
                ? "a PrimFunc must be defined in the module, not inside a function"
                : "a nested function needs the decorator @R.function");
    frame.DefineFailed(def.name, def.name_span);
    return;
  }
  ir::Value value;
  value.name = std::string(def.name);
  value.loc = def.name_span;
  value.dataflow = frame.body->in_dataflow();
  NameEntry entry;
  entry.value = el.module().values.Add(std::move(value));
  entry.span = def.name_span;
  frame.SetShape(entry.value, ValueShape::kFunction);
  frame.scopes.Bind(def.name, entry);
  frame.BeginDefinition(entry.value);
  absl::StatusOr<ir::Function> function = ElaborateFunction(frame, def);
  frame.EndDefinition();
  if (function.ok()) {
    frame.body->BindTo(entry.value, *std::move(function), s.span());
  } else {
    frame.DefineFailed(def.name, def.name_span);
  }
}

}  // namespace lathe::relax_text
