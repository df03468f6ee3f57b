// Declares data types and resolves the names in types.
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/infer/inference.h"

namespace lathe::relay {

void Inference::PushTypeParams(const std::vector<Name>& names, std::vector<TypeParamId>& ids) {
  auto& scope = type_scopes_.emplace_back();
  for (const Name& name : names) {
    ids.push_back(types_.NewParam(name.text));
    scope[name.text] = ids.back();
  }
}

// Types may name types that are declared later.
void Inference::DeclareDataTypes() {
  std::vector<DataId> ids;
  for (const DataTree& tree : m_.tree.types) {
    const DataId id = types_.NewData(tree.name.text);
    ids.push_back(id);
    Data data;
    data.name = tree.name.text;
    data.external = tree.external;
    data.loc = tree.name.loc;
    PushTypeParams(tree.type_params, data.type_params);
    PopTypeParams();
    const auto [it, inserted] = data_names_.try_emplace(tree.name.text, id);
    if (!inserted) {
      Error(tree.name.loc, "relay-duplicate").Note(m_.data[it->second].loc, "first declared here")
          << "type '" << tree.name.text << "' is declared twice";
    }
    m_.data.Add(std::move(data));
  }
  for (size_t i = 0; i < ids.size(); ++i) DeclareConstructors(ids[i], m_.tree.types[i]);
}

void Inference::DeclareConstructors(DataId id, const DataTree& tree) {
  auto& scope = type_scopes_.emplace_back();
  for (size_t i = 0; i < tree.type_params.size(); ++i) {
    scope[tree.type_params[i].text] = m_.data[id].type_params[i];
  }
  for (const ConstructorTree& c : tree.constructors) {
    Constructor constructor{
        c.name.text, id, static_cast<int>(m_.data[id].constructors.size()), {}, c.name.loc};
    for (const TypeTree& field : c.fields) constructor.fields.push_back(TypeOf(field));
    const auto [it, inserted] =
        m_.constructors.try_emplace(c.name.text, TypedModule::ConstructorAt{id, constructor.tag});
    if (!inserted) {
      const Constructor* first = m_.FindConstructor(c.name.text);
      Error(c.name.loc, "relay-duplicate").Note(first->loc, "first declared here")
          << "constructor '" << c.name.text << "' is declared twice";
    }
    m_.data[id].constructors.push_back(std::move(constructor));
  }
  PopTypeParams();
}

TypeRef Inference::TypeOfName(const TypeTree& tree) {
  for (auto scope = type_scopes_.rbegin(); scope != type_scopes_.rend(); ++scope) {
    const auto found = scope->find(tree.name);
    if (found == scope->end()) continue;
    if (!tree.args.empty()) {
      Error(tree.loc, "relay-type-mismatch")
          << "type parameter '" << tree.name << "' takes no type arguments";
    }
    return types_.Make(ParamType{found->second});
  }
  const auto found = data_names_.find(tree.name);
  if (found == data_names_.end()) {
    Error(tree.loc, "relay-unknown-name")
        << "use of undeclared type '" << tree.name
        << "'; declare it by 'type', or as a type parameter of the function";
    return types_.NewHole();
  }
  const Data& data = m_.data[found->second];
  if (tree.args.size() != data.type_params.size()) {
    Error(tree.loc, "relay-arity").Note(data.loc, "declared here")
        << "type '" << data.name << "' takes " << data.type_params.size() << " type arguments, not "
        << tree.args.size();
    return types_.NewHole();
  }
  std::vector<TypeRef> args;
  for (const TypeTree& arg : tree.args) args.push_back(TypeOf(arg));
  return types_.Make(DataType{found->second, std::move(args)});
}

TypeRef Inference::TypeOf(const TypeTree& tree) {
  const auto all = [&](const std::vector<TypeTree>& trees) {
    std::vector<TypeRef> types;
    for (const TypeTree& t : trees) types.push_back(TypeOf(t));
    return types;
  };
  switch (tree.kind) {
    case TypeTree::Kind::kTensor:
      return types_.Tensor(tree.dims, tree.dtype);
    case TypeTree::Kind::kTuple:
      return types_.Tuple(all(tree.args));
    case TypeTree::Kind::kRef:
      return types_.Make(RefType{TypeOf(tree.args[0])});
    case TypeTree::Kind::kName:
      return TypeOfName(tree);
    case TypeTree::Kind::kHole:
      return types_.NewHole();
    case TypeTree::Kind::kFunction: {
      FuncType func;
      PushTypeParams(tree.type_params, func.type_params);
      func.params = all(tree.args);
      PopTypeParams();
      func.ret = func.params.back();
      func.params.pop_back();
      return types_.Make(std::move(func));
    }
  }
  return types_.NewHole();
}

}  // namespace lathe::relay
