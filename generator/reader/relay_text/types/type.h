// Defines the types of Relay.
#ifndef LATHE_READER_RELAY_TEXT_TYPES_TYPE_H_
#define LATHE_READER_RELAY_TEXT_TYPES_TYPE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "generator/ir/dtype.h"
#include "generator/support/ids.h"

namespace lathe::relay {

struct Type;
using TypeRef = const Type*;  // owned by a Types
using DataId = Id<struct DataTag>;
using TypeParamId = Id<struct TypeParamTag>;

struct OpRow;

struct TensorType {
  std::vector<int64_t> dims;  // kAnyDim: any size
  ir::DType dtype;
};
struct TupleType {
  std::vector<TypeRef> fields;
};
struct FuncType {
  std::vector<TypeParamId> type_params;
  std::vector<TypeRef> params;
  TypeRef ret = nullptr;
};
struct RefType {
  TypeRef value = nullptr;
};
// A data type with its arguments: List[int32].
struct DataType {
  DataId data;
  std::vector<TypeRef> args;
};
// A type parameter inside the function or data type that declares it.
struct ParamType {
  TypeParamId id;
};
// An operator as a value. Each call has types of its own.
struct OpType {
  const OpRow* row = nullptr;
  const char* name = "";
};
// A type that inference has to find.
struct HoleType {
  int index = 0;
};

struct Type {
  using Node =
      std::variant<TensorType, TupleType, FuncType, RefType, DataType, ParamType, OpType, HoleType>;
  Node node;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_TYPES_TYPE_H_
