// Represents a module of Relay whose types are known.
#ifndef LATHE_READER_RELAY_TEXT_TYPES_TYPED_MODULE_H_
#define LATHE_READER_RELAY_TEXT_TYPES_TYPED_MODULE_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/reader/relay_text/syntax/tree.h"
#include "generator/reader/relay_text/types/types.h"

namespace lathe::relay {

struct Constructor {
  std::string name;
  DataId data;
  int tag = 0;                  // position in the declaration
  std::vector<TypeRef> fields;  // in the type parameters of the data type
  TextSpan loc;
};
struct Data {
  std::string name;
  std::vector<TypeParamId> type_params;
  std::vector<Constructor> constructors;
  bool external = false;
  TextSpan loc;
};

// The types of a function, definition or literal.
struct Signature {
  std::vector<TypeParamId> type_params;
  TypeRef type = nullptr;  // a FuncType
};

struct TypedModule {
  ModuleTree tree;
  Types types;
  IdVector<DataId, Data> data;
  struct ConstructorAt {
    DataId data;
    int index = 0;
  };
  absl::flat_hash_map<std::string, ConstructorAt> constructors;
  absl::flat_hash_map<std::string, int> definitions;  // index in the tree
  absl::flat_hash_map<const FunctionTree*, Signature> signatures;
  IdVector<ExprId, TypeRef> expr_types;
  IdVector<VarId, TypeRef> var_types;
  // The values of let-bound variables.
  absl::flat_hash_map<VarId, ExprId> let_values;
  // Type arguments where a polymorphic function or constructor is mentioned.
  absl::flat_hash_map<ExprId, std::vector<TypeRef>> type_args;
  // The attributes of operator calls, completed by defaults.
  absl::flat_hash_map<ExprId, ir::AttrMap> call_attrs;

  const Constructor* FindConstructor(absl::string_view name) const {
    const auto found = constructors.find(name);
    if (found == constructors.end()) return nullptr;
    return &data[found->second.data].constructors[static_cast<size_t>(found->second.index)];
  }
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_TYPES_TYPED_MODULE_H_
