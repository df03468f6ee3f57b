// Infers the types of calls.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/infer/inference.h"
#include "generator/reader/relay_text/infer/info_of_type.h"
#include "generator/reader/relay_text/ops/resolve_attrs.h"
#include "generator/reader/relay_text/ops/solve_arguments.h"

namespace lathe::relay {

TypeRef Inference::ConstructorType(const Constructor& constructor) {
  const Data& data = m_.data[constructor.data];
  FuncType type{data.type_params, constructor.fields, nullptr};
  std::vector<TypeRef> args;
  for (const TypeParamId param : data.type_params) args.push_back(types_.Make(ParamType{param}));
  type.ret = types_.Make(DataType{constructor.data, std::move(args)});
  return types_.Make(std::move(type));
}

TypeRef Inference::InferCall(ExprId id, const CallTree& call) {
  if (const auto* name = At(call.callee).As<NameRef>()) {
    if (const Constructor* constructor = m_.FindConstructor(name->name)) {
      return InferConstructorCall(id, call, *constructor);
    }
  }
  TypeRef callee = types_.Resolve(Infer(call.callee));
  // A literal with type parameters that is called where it stands.
  callee = Mention(call.callee, callee);
  if (const auto* op = callee->As<OpType>()) return InferOperatorCall(id, call, *op->row);
  if (callee->As<FuncType>() != nullptr) return InferFunctionCall(id, call, callee);
  std::vector<TypeRef> args;
  for (const ExprId arg : call.args) args.push_back(Infer(arg));
  if (callee->As<HoleType>() != nullptr) {
    const TypeRef ret = types_.NewHole();
    const TypeRef wanted = types_.Make(FuncType{{}, std::move(args), ret});
    if (types_.Unify(callee, wanted) == nullptr) {
      Error(At(call.callee).loc, "relay-type-mismatch")
          << "the callee would have type " << types_.ToString(wanted) << ", which contains itself";
    }
    return ret;
  }
  Error(At(call.callee).loc, "relay-type-mismatch")
      << "the callee is not a function; it has type " << types_.ToString(callee);
  return types_.NewHole();
}

TypeRef Inference::InferConstructorCall(ExprId id, const CallTree& call,
                                        const Constructor& constructor) {
  const TypeRef type = Mention(call.callee, ConstructorType(constructor));
  m_.expr_types[call.callee] = type;
  if (call.args.size() != constructor.fields.size()) {
    Error(At(id).loc, "relay-arity").Note(constructor.loc, "declared here")
        << "constructor '" << constructor.name << "' takes " << constructor.fields.size()
        << " fields, not " << call.args.size();
    for (const ExprId arg : call.args) Infer(arg);
    return types_.Resolve(type)->As<FuncType>()->ret;
  }
  return InferFunctionCall(id, call, type);
}

const TextSpan* Inference::DeclarationOf(ExprId callee, size_t param) const {
  const FunctionTree* function = nullptr;
  if (const auto* global = At(callee).As<GlobalRef>()) {
    const auto found = m_.definitions.find(global->name);
    if (found == m_.definitions.end()) return nullptr;
    function = m_.tree.definitions[static_cast<size_t>(found->second)].function.get();
  } else if (const auto* local = At(callee).As<LocalRef>()) {
    const auto found = m_.let_values.find(local->var);
    if (found == m_.let_values.end()) return nullptr;
    if (const auto* fn = At(found->second).As<Fn>()) function = fn->function.get();
  }
  if (function == nullptr || param >= function->params.size()) return nullptr;
  return &m_.tree.vars[function->params[param]].loc;
}

TypeRef Inference::InferFunctionCall(ExprId id, const CallTree& call, TypeRef callee) {
  const FuncType func = *types_.Resolve(callee)->As<FuncType>();
  if (func.params.size() != call.args.size()) {
    Error(At(id).loc, "relay-arity").Note(At(call.callee).loc, "the callee")
        << "the function takes " << func.params.size() << " arguments, not " << call.args.size()
        << ": " << types_.ToString(callee);
    for (const ExprId arg : call.args) Infer(arg);
    return func.ret;
  }
  for (size_t i = 0; i < call.args.size(); ++i) {
    Expect(call.args[i], func.params[i], absl::StrCat("argument ", i + 1),
           DeclarationOf(call.callee, i));
  }
  return func.ret;
}

TypeRef Inference::InferOperatorCall(ExprId id, const CallTree& call, const OpRow& row) {
  for (const ExprId arg : call.args) Infer(arg);
  const TypeRef result = types_.NewHole();
  if (row.args != kAnyArgs && row.args != std::ssize(call.args)) {
    Error(At(id).loc, "relay-arity")
        << row.name << " takes " << row.args << " arguments, not " << call.args.size();
    return result;
  }
  absl::StatusOr<ir::AttrMap> attrs = ResolveAttrs(row, call.attrs, At(id).loc, diags_);
  if (!attrs.ok()) return result;
  m_.call_attrs[id] = *std::move(attrs);
  const auto solve = [this, id, &row, result] { return TryRelation(id, row, result); };
  if (!solve()) {
    pending_.push_back({At(id).loc, absl::StrCat("the arguments of ", row.name), solve});
  }
  return result;
}

std::optional<ir::Constant> Inference::ConstantOf(ExprId id) const {
  while (true) {
    const Expr& e = At(id);
    if (const auto* literal = e.As<Literal>()) return literal->value;
    if (const auto* shared = e.As<SharedRef>()) {
      id = shared->target;
    } else if (const auto* local = e.As<LocalRef>()) {
      const auto found = m_.let_values.find(local->var);
      if (found == m_.let_values.end()) return std::nullopt;
      id = found->second;
    } else {
      return std::nullopt;
    }
  }
}

RelationArg Inference::RelationArgOf(ExprId id) {
  RelationArg arg{types_.ResolveAll(m_.expr_types[id]), ConstantOf(id), {}};
  const Expr* e = &At(id);
  while (const auto* shared = e->As<SharedRef>()) e = &At(shared->target);
  if (const auto* tuple = e->As<Tuple>()) {
    for (const ExprId field : tuple->fields) arg.fields.push_back(RelationArgOf(field));
  }
  return arg;
}

// Finds the types of arguments that the relation determines from the others. Returns false while
// types are missing.
bool Inference::SolveHoles(ExprId id, const OpRow& row) {
  const auto& call = *At(id).As<CallTree>();
  const auto is_open = [&](ExprId arg) { return types_.HasHoles(m_.expr_types[arg]); };
  if (std::none_of(call.args.begin(), call.args.end(), is_open)) return true;
  std::vector<ir::StructInfoRef> infos;
  for (const ExprId arg : call.args) {
    infos.push_back(is_open(arg)
                        ? nullptr
                        : InfoOfType(context_, types_, types_.ResolveAll(m_.expr_types[arg]),
                                     AnyDims::kNewVars));
  }
  const std::vector<ir::StructInfoRef> solved =
      SolveArguments(context_, row, m_.call_attrs[id], infos);
  for (size_t i = 0; i < solved.size(); ++i) {
    if (solved[i] == nullptr || !is_open(call.args[i])) continue;
    const TypeRef type = TypeOfInfo(types_, solved[i]);
    if (type != nullptr) types_.Unify(m_.expr_types[call.args[i]], type);
  }
  return std::none_of(call.args.begin(), call.args.end(), is_open);
}

// Returns false while types of arguments are missing.
bool Inference::TryRelation(ExprId id, const OpRow& row, TypeRef result) {
  const auto& call = *At(id).As<CallTree>();
  if (!SolveHoles(id, row)) return false;
  std::vector<RelationArg> args;
  for (const ExprId arg : call.args) args.push_back(RelationArgOf(arg));
  const std::optional<std::string> key = RelationKey(types_, row, m_.call_attrs[id], args);
  const auto known = key ? related_.find(*key) : related_.end();
  const absl::StatusOr<TypeRef> type =
      known != related_.end()
          ? known->second
          : Relate(context_, types_, row, m_.call_attrs[id], args, At(id).loc, diags_);
  if (!type.ok()) return true;
  if (key) related_[*key] = *type;
  if (types_.Unify(result, *type) == nullptr) {
    Error(At(id).loc, "relay-type-mismatch")
        << row.name << " returns " << types_.ToString(*type) << ", expected "
        << types_.ToString(result) << types_.ClashWithin(*type, result);
  }
  return true;
}

}  // namespace lathe::relay
