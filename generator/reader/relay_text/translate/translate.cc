#include "generator/reader/relay_text/translate/translate.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/syntax/each_expr.h"
#include "generator/reader/relay_text/translate/translation.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// Instances of polymorphic functions of a module after the first one of each. Real modules have far
// fewer.
constexpr size_t kMaxInstances = 2000;

// Type arguments of polymorphic recursion grow with each call. Deeper ones are erased: their values
// are objects, which such a function only moves.
constexpr int kMaxTypeDepth = 4;

bool HasReferences(const ModuleTree& tree) {
  for (size_t i = 0; i < tree.exprs.size(); ++i) {
    if (tree.exprs[ExprId{static_cast<int32_t>(i)}].As<NewRef>() != nullptr) return true;
  }
  return false;
}

int DepthOf(const Types& types, TypeRef type) {
  type = types.Resolve(type);
  int depth = 0;
  const auto add = [&](TypeRef part) { depth = std::max(depth, DepthOf(types, part)); };
  if (const auto* tuple = type->As<TupleType>()) {
    std::for_each(tuple->fields.begin(), tuple->fields.end(), add);
  } else if (const auto* data = type->As<DataType>()) {
    std::for_each(data->args.begin(), data->args.end(), add);
  } else if (const auto* func = type->As<FuncType>()) {
    std::for_each(func->params.begin(), func->params.end(), add);
    add(func->ret);
  }
  return depth + 1;
}

}  // namespace

ir::StructInfoRef Translation::InfoOf(TypeRef type, AnyDims any_dims, const TextSpan& loc,
                                      absl::string_view name) {
  const ir::StructInfoRef info = InfoOfType(context_, types_, type, any_dims, name,
                                            stored_ ? RefForm::kStored : RefForm::kVariables);
  if (info != nullptr) return info;
  diags_.Unsupported(loc, "relay-unsupported")
      << "a value of type " << types_.ToString(type)
      << " here; supported are tensors, tuples, functions and data types";
  return context_.Object();
}

std::vector<TypeRef> Translation::TypeArgsAt(ExprId id) {
  std::vector<TypeRef> args;
  const auto found = m_.type_args.find(id);
  if (found == m_.type_args.end()) return args;
  for (TypeRef arg : found->second) {
    const TypeRef type = TypeIn(arg);
    args.push_back(DepthOf(types_, type) > kMaxTypeDepth ? Erased() : type);
  }
  return args;
}

TypeRef Translation::Erased() {
  if (erased_ == nullptr) erased_ = types_.Make(ParamType{types_.NewParam("Erased")});
  return erased_;
}

std::vector<Translation::Param> Translation::ParamsOf(const FunctionTree& function) {
  std::vector<Param> params;
  for (const VarId var : function.params) {
    const Var& v = m_.tree.vars[var];
    params.push_back({v.name, InfoOf(TypeIn(m_.var_types[var]), AnyDims::kNewVars, v.loc, v.name)});
  }
  return params;
}

ir::GlobalId Translation::InstanceOf(const Definition& definition,
                                     const std::vector<TypeRef>& type_args) {
  std::string key = definition.name.text;
  for (TypeRef arg : type_args) absl::StrAppend(&key, "|", types_.ToString(arg));
  const auto known = instances_.find(key);
  if (known != instances_.end()) return known->second;
  const bool again = !type_args.empty() && !instantiated_.insert(&definition).second;
  if (again && ++polymorphic_instances_ > kMaxInstances) {
    if (!diags_.has_errors()) {
      diags_.LimitExceeded(definition.name.loc, "relay-limit")
          << "more than " << kMaxInstances << " instances of polymorphic functions";
    }
    return instances_.begin()->second;
  }
  const FunctionTree& function = *definition.function;
  const Signature& signature = m_.signatures[&function];
  TypeArgs args;
  for (size_t i = 0; i < type_args.size(); ++i) args[signature.type_params[i]] = type_args[i];
  std::swap(args, type_args_);
  const auto* type = TypeIn(signature.type)->As<FuncType>();
  transform::BlockBuilder::FunctionOptions options;
  const bool has_main = m_.definitions.contains("main");
  options.exported = stored_    ? false
                     : has_main ? definition.name.text == "main" && instances_.empty()
                                : type_args.empty();
  options.ret = InfoOf(type->ret, AnyDims::kUnknown, definition.name.loc);
  const Location outer = builder_.At(definition.name.loc);
  std::vector<Param> params = ParamsOf(function);
  if (stored_) {
    params.push_back({"store", StoreInfo(context_)});
    options.ret = context_.Tuple({options.ret, StoreInfo(context_)});
  }
  const ir::GlobalId id = builder_.Declare(definition.name.text, params, options);
  builder_.At(outer);
  std::swap(args, type_args_);
  instances_[key] = id;
  open_.push_back({&definition, std::move(args), id});
  return id;
}

ir::Operand Translation::TranslateBody(const FunctionTree& function, const TypeArgs& args,
                                       const Operands& params, std::optional<Operand> store) {
  type_args_ = args;
  places_ = std::make_unique<SharedPlaces>(m_.tree, function.body);
  values_.clear();
  shared_.clear();
  constructed_.clear();
  cells_.clear();
  if (store) cells_.push_back({*store, StoreType()});
  refs_.clear();
  shared_refs_.clear();
  effects_.clear();
  shared_effects_.clear();
  const auto* type = TypeIn(m_.signatures[&function].type)->As<FuncType>();
  for (size_t i = 0; i < function.params.size(); ++i) values_[function.params[i]] = params[i];
  return Coerce(TranslateScope(function.body), TypeAt(function.body), type->ret,
                At(function.body).loc);
}

void Translation::DefineInstance(const Instance& instance) {
  const FunctionTree& function = *instance.definition->function;
  builder_.At(instance.definition->name.loc);
  builder_.Define(instance.id, [&](const Operands& params) {
    if (!stored_) return TranslateBody(function, instance.args, params, std::nullopt);
    const Operand result = TranslateBody(function, instance.args, params, params.back());
    return transform::BlockBuilder::Tuple({result, cells_[0].value});
  });
}

// A function that no other calls needs no declared result: its sizes follow from the body.
void Translation::DefineRoot(const Definition& definition) {
  const FunctionTree& function = *definition.function;
  TypeArgs args;
  for (const TypeParamId param : m_.signatures[&function].type_params) args[param] = Erased();
  type_args_ = args;
  builder_.At(definition.name.loc);
  if (stored_) CheckExported(definition);
  builder_.Function(definition.name.text, ParamsOf(function), [&](const Operands& params) {
    return TranslateBody(function, args, params,
                         stored_ ? std::optional<Operand>(EmptyStore()) : std::nullopt);
  });
}

// The definitions that an expression mentions.
absl::flat_hash_set<std::string> Translation::MentionedDefinitions() const {
  absl::flat_hash_set<std::string> mentioned;
  for (const Definition& d : m_.tree.definitions) {
    ForEachExpr(m_.tree, d.function->body, [&](ExprId id) {
      if (const auto* global = At(id).As<GlobalRef>()) mentioned.insert(global->name);
    });
  }
  return mentioned;
}

absl::StatusOr<ir::Module> Translation::Run() {
  const auto main = m_.definitions.find("main");
  const absl::flat_hash_set<std::string> mentioned = MentionedDefinitions();
  for (size_t i = 0; i < m_.tree.definitions.size(); ++i) {
    const Definition& d = m_.tree.definitions[i];
    const bool wanted = main == m_.definitions.end() ? d.function->type_params.empty()
                                                     : static_cast<int>(i) == main->second;
    if (!wanted) continue;
    if (mentioned.contains(d.name.text) && !stored_) {
      InstanceOf(d, std::vector<TypeRef>(d.function->type_params.size(), Erased()));
    } else {
      DefineRoot(d);
    }
  }
  while (!open_.empty() && !diags_.has_errors()) {
    const Instance instance = open_.front();
    open_.pop_front();
    DefineInstance(instance);
  }
  if (diags_.has_errors()) return absl::InvalidArgumentError("the module could not be translated");
  DefineStoreFunctions();
  absl::StatusOr<ir::Module> module = builder_.Finish();
  for (const Diagnostic& d : builder_.diags().all()) diags_.Add(d);
  return module;
}

absl::StatusOr<ir::Module> Translate(ir::Context& context, TypedModule& module,
                                     Diagnostics& diags) {
  Diagnostics direct;
  absl::StatusOr<ir::Module> translated =
      Translation(context, module, direct, RefForm::kVariables).Run();
  // References that are parts of values, arguments or results need a store.
  if (!translated.ok() && HasReferences(module.tree)) {
    return Translation(context, module, diags, RefForm::kStored).Run();
  }
  for (const Diagnostic& d : direct.all()) diags.Add(d);
  return translated;
}

}  // namespace lathe::relay
