// Infers the types of expressions.
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/infer/inference.h"
#include "generator/reader/relay_text/ops/op_rows.h"
#include "generator/support/closest_name.h"
#include "generator/support/match.h"

namespace lathe::relay {

TypeRef Inference::Infer(ExprId id) {
  TypeRef& known = m_.expr_types[id];
  if (known != nullptr) return known;
  const TypeRef type = InferNode(id);
  m_.expr_types[id] = type;
  return type;
}

TypeRef Inference::InferNode(ExprId id) {
  const Expr& e = At(id);
  return Match(
      e.node, [&](const Literal& l) { return types_.Tensor(l.value.shape, l.value.dtype); },
      [&](const LocalRef& l) { return InferLocal(id, l.var); },
      [&](const SharedRef& s) { return Mention(id, Infer(s.target)); },
      [&](const GlobalRef& g) { return InferGlobal(id, g.name); },
      [&](const NameRef& n) { return InferName(id, n.name); },
      [&](const Tuple& t) {
        std::vector<TypeRef> fields;
        for (const ExprId field : t.fields) fields.push_back(Infer(field));
        return types_.Tuple(std::move(fields));
      },
      [&](const Project& p) { return InferProject(id, p); },
      [&](const CallTree& c) { return InferCall(id, c); },
      [&](const Fn& f) {
        const TypeRef type = Declare(*f.function);
        InferBody(*f.function);
        return Mention(id, type);
      },
      [&](const IfTree& i) { return InferIf(i); },
      [&](const MatchTree& m) { return InferMatch(id, m); },
      [&](const NewRef& r) { return types_.Make(RefType{Infer(r.value)}); },
      [&](const ReadRef& r) {
        const TypeRef value = types_.NewHole();
        Expect(r.ref, types_.Make(RefType{value}), "the argument of ref_read", nullptr);
        return value;
      },
      [&](const WriteRef& w) {
        const TypeRef value = types_.NewHole();
        Expect(w.ref, types_.Make(RefType{value}), "the first argument of ref_write", nullptr);
        Expect(w.value, value, "the value that ref_write stores", nullptr);
        return types_.Unit();
      },
      [&](const BlockTree& b) { return InferBlock(b); });
}

TypeRef Inference::Expect(ExprId id, TypeRef expected, absl::string_view what,
                          const TextSpan* declared) {
  const TypeRef type = Infer(id);
  if (const TypeRef unified = types_.Unify(type, expected)) return unified;
  const std::string clash = types_.ClashWithin(type, expected);
  DiagnosticBuilder error = Error(At(id).loc, "relay-type-mismatch");
  error << what << " has type " << types_.ToString(type) << ", expected "
        << types_.ToString(expected) << clash;
  if (declared != nullptr) std::move(error).Note(*declared, "declared here");
  return expected;
}

TypeRef Inference::Mention(ExprId id, TypeRef type) {
  type = types_.Resolve(type);
  const auto* func = type->As<FuncType>();
  if (func == nullptr || func->type_params.empty()) return type;
  return types_.Instantiate(type, m_.type_args[id]);
}

TypeRef Inference::InferLocal(ExprId id, VarId var) {
  if (m_.var_types[var] == nullptr) m_.var_types[var] = types_.NewHole();
  return Mention(id, m_.var_types[var]);
}

TypeRef Inference::InferGlobal(ExprId id, const std::string& name) {
  const auto found = m_.definitions.find(name);
  if (found == m_.definitions.end()) {
    std::vector<absl::string_view> names;
    for (const Definition& d : m_.tree.definitions) names.push_back(d.name.text);
    DiagnosticBuilder error = Error(At(id).loc, "relay-unknown-name");
    error << "use of undeclared function @" << name;
    if (const auto close = ClosestName(name, names); !close.empty()) {
      std::move(error).Help(absl::StrCat("did you mean @", close, "?"));
    }
    return types_.NewHole();
  }
  const auto& function = m_.tree.definitions[static_cast<size_t>(found->second)].function;
  return Mention(id, m_.signatures[function.get()].type);
}

TypeRef Inference::InferName(ExprId id, const std::string& name) {
  if (const Constructor* constructor = m_.FindConstructor(name)) {
    const TypeRef type = Mention(id, ConstructorType(*constructor));
    // A constructor without fields is its value.
    return constructor->fields.empty() ? types_.Resolve(type)->As<FuncType>()->ret : type;
  }
  const OpRow* row = FindOpRow(name);
  if (row != nullptr && row->import != nullptr) return types_.Make(OpType{row, row->name});
  if (row != nullptr) {
    diags_.Unsupported(At(id).loc, "relay-unsupported")
        << "operator '" << name << "' is not supported: " << row->reason;
    return types_.NewHole();
  }
  std::vector<absl::string_view> names;
  for (const OpRow& r : AllOpRows()) names.emplace_back(r.name);
  for (const auto& [constructor, where] : m_.constructors) names.push_back(constructor);
  DiagnosticBuilder error = Error(At(id).loc, "relay-unknown-name");
  error << "'" << name << "' is neither an operator nor a constructor";
  if (const auto close = ClosestName(name, names); !close.empty()) {
    std::move(error).Help(absl::StrCat("did you mean '", close, "'?"));
  }
  return types_.NewHole();
}

TypeRef Inference::InferProject(ExprId id, const Project& project) {
  Infer(project.tuple);
  const TypeRef result = types_.NewHole();
  const auto solve = [this, id, project, result] {
    const TypeRef type = types_.Resolve(m_.expr_types[project.tuple]);
    if (type->As<HoleType>() != nullptr) return false;
    const auto* tuple = type->As<TupleType>();
    if (tuple == nullptr) {
      Error(At(id).loc, "relay-type-mismatch")
          << "'." << project.index << "' selects a field of a tuple, but the value has type "
          << types_.ToString(type);
    } else if (project.index >= std::ssize(tuple->fields)) {
      Error(At(id).loc, "relay-type-mismatch")
          << "field " << project.index << " of a tuple of " << tuple->fields.size()
          << " fields: " << types_.ToString(type);
    } else if (const TypeRef field = tuple->fields[static_cast<size_t>(project.index)];
               types_.Unify(result, field) == nullptr) {
      Error(At(id).loc, "relay-type-mismatch") << "the field has type " << types_.ToString(field)
                                               << ", expected " << types_.ToString(result);
    }
    return true;
  };
  if (!solve()) pending_.push_back({At(id).loc, "the tuple", solve});
  return result;
}

TypeRef Inference::InferIf(const IfTree& branch) {
  const TypeRef condition = types_.Tensor({}, ir::DType::Bool());
  Expect(branch.cond, condition, "the condition of an 'if'", nullptr);
  const TypeRef then_type = Infer(branch.then_body);
  const TypeRef else_type = Infer(branch.else_body);
  if (const TypeRef unified = types_.Unify(then_type, else_type)) return unified;
  Error(At(branch.else_body).loc, "relay-type-mismatch")
          .Note(At(branch.then_body).loc, "the first branch")
      << "the branches of an 'if' have types " << types_.ToString(then_type) << " and "
      << types_.ToString(else_type) << types_.ClashWithin(then_type, else_type);
  return then_type;
}

TypeRef Inference::InferBlock(const BlockTree& block) {
  for (const Item& item : block.items) {
    if (item.kind == Item::Kind::kLet) {
      InferLet(item);
    } else {
      Infer(item.value);
    }
  }
  return Infer(block.result);
}

void Inference::InferLet(const Item& item) {
  const Var& var = m_.tree.vars[item.var];
  m_.let_values[item.var] = item.value;
  TypeRef annotation = nullptr;
  if (var.annotation) annotation = TypeOf(*var.annotation);
  if (const auto* fn = At(item.value).As<Fn>()) {
    // The function sees its own name.
    const TypeRef type = Declare(*fn->function);
    m_.var_types[item.var] = type;
    m_.expr_types[item.value] = type;
    if (annotation != nullptr) Expect(item.value, annotation, "the function", &var.loc);
    InferBody(*fn->function);
    return;
  }
  TypeRef type = Infer(item.value);
  if (annotation != nullptr) {
    type = Expect(item.value, annotation, absl::StrCat("the value of %", var.name), &var.loc);
  }
  if (m_.var_types[item.var] == nullptr) m_.var_types[item.var] = type;
}

TypeRef Inference::Declare(const FunctionTree& function) {
  Signature& signature = m_.signatures[&function];
  FuncType type;
  PushTypeParams(function.type_params, type.type_params);
  for (const VarId param : function.params) {
    const auto& annotation = m_.tree.vars[param].annotation;
    m_.var_types[param] = annotation ? TypeOf(*annotation) : types_.NewHole();
    type.params.push_back(m_.var_types[param]);
  }
  type.ret = function.ret ? TypeOf(*function.ret) : types_.NewHole();
  PopTypeParams();
  signature.type_params = type.type_params;
  signature.type = types_.Make(std::move(type));
  return signature.type;
}

void Inference::InferBody(const FunctionTree& function) {
  const Signature signature = m_.signatures[&function];
  auto& scope = type_scopes_.emplace_back();
  for (size_t i = 0; i < function.type_params.size(); ++i) {
    scope[function.type_params[i].text] = signature.type_params[i];
  }
  const TextSpan* declared = function.ret ? &function.ret->loc : nullptr;
  Expect(function.body, signature.type->As<FuncType>()->ret, "the result", declared);
  PopTypeParams();
}

}  // namespace lathe::relay
