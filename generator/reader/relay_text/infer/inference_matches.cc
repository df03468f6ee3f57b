// Infers the types of matches.
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/infer/inference.h"

namespace lathe::relay {

TypeRef Inference::InferMatch(ExprId id, const MatchTree& match) {
  const TypeRef value = Infer(match.value);
  matches_.push_back(id);
  TypeRef result = types_.NewHole();
  for (const Arm& arm : match.arms) {
    InferPattern(arm.pattern, value);
    const TypeRef body = Infer(arm.body);
    const TypeRef unified = types_.Unify(result, body);
    if (unified == nullptr) {
      Error(At(arm.body).loc, "relay-type-mismatch")
              .Note(At(match.arms[0].body).loc, "the first clause")
          << "the clauses of a match have types " << types_.ToString(result) << " and "
          << types_.ToString(body) << types_.ClashWithin(result, body);
      continue;
    }
    result = unified;
  }
  return result;
}

void Inference::InferPattern(const Pattern& pattern, TypeRef type) {
  switch (pattern.kind) {
    case Pattern::Kind::kWildcard:
      return;
    case Pattern::Kind::kVar: {
      const Var& var = m_.tree.vars[pattern.var];
      m_.var_types[pattern.var] = type;
      if (!var.annotation) return;
      const TypeRef annotation = TypeOf(*var.annotation);
      if (types_.Unify(type, annotation) != nullptr) return;
      Error(var.loc, "relay-type-mismatch")
          << "%" << var.name << " is declared as " << types_.ToString(annotation)
          << ", but the value has type " << types_.ToString(type);
      return;
    }
    case Pattern::Kind::kConstructor:
      return InferConstructorPattern(pattern, type);
    case Pattern::Kind::kTuple: {
      std::vector<TypeRef> fields;
      for (size_t i = 0; i < pattern.fields.size(); ++i) fields.push_back(types_.NewHole());
      const TypeRef tuple = types_.Tuple(fields);
      if (types_.Unify(type, tuple) == nullptr) {
        Error(pattern.loc, "relay-type-mismatch")
            << "a pattern for a tuple of " << fields.size() << " fields, but the value has type "
            << types_.ToString(type);
        return;
      }
      for (size_t i = 0; i < fields.size(); ++i) InferPattern(pattern.fields[i], fields[i]);
      return;
    }
  }
}

void Inference::InferConstructorPattern(const Pattern& pattern, TypeRef type) {
  const Constructor* constructor = m_.FindConstructor(pattern.name);
  if (constructor == nullptr) {
    Error(pattern.loc, "relay-unknown-name")
        << "use of undeclared constructor '" << pattern.name << "' in a pattern";
    for (const Pattern& field : pattern.fields) InferPattern(field, types_.NewHole());
    return;
  }
  if (pattern.fields.size() != constructor->fields.size()) {
    Error(pattern.loc, "relay-arity").Note(constructor->loc, "declared here")
        << "the pattern of constructor '" << constructor->name << "' needs "
        << constructor->fields.size() << " fields, not " << pattern.fields.size();
    for (const Pattern& field : pattern.fields) InferPattern(field, types_.NewHole());
    return;
  }
  std::vector<TypeRef> args;
  const TypeRef instance = types_.Instantiate(ConstructorType(*constructor), args);
  const FuncType func = *instance->As<FuncType>();
  if (types_.Unify(type, func.ret) == nullptr) {
    Error(pattern.loc, "relay-type-mismatch").Note(constructor->loc, "declared here")
        << "constructor '" << constructor->name << "' belongs to type "
        << types_.NameOf(constructor->data) << ", but the value has type " << types_.ToString(type);
  }
  for (size_t i = 0; i < func.params.size(); ++i) InferPattern(pattern.fields[i], func.params[i]);
}

}  // namespace lathe::relay
