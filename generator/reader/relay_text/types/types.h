// Creates types, unifies them, and holds the types that inference found for holes.
#ifndef LATHE_READER_RELAY_TEXT_TYPES_TYPES_H_
#define LATHE_READER_RELAY_TEXT_TYPES_TYPES_H_

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/reader/relay_text/types/type.h"
#include "generator/support/ids.h"

namespace lathe::relay {

using TypeArgs = absl::flat_hash_map<TypeParamId, TypeRef>;

class Types {
 public:
  TypeRef Make(Type::Node node);
  TypeRef Tensor(std::vector<int64_t> dims, ir::DType dtype) {
    return Make(TensorType{std::move(dims), dtype});
  }
  TypeRef Tuple(std::vector<TypeRef> fields) { return Make(TupleType{std::move(fields)}); }
  TypeRef Unit() { return Tuple({}); }
  TypeRef NewHole();
  TypeParamId NewParam(std::string name) { return params_.Add(std::move(name)); }
  DataId NewData(std::string name) { return data_.Add(std::move(name)); }

  // Returns the type that was found for a hole, otherwise `type` itself.
  TypeRef Resolve(TypeRef type) const;
  // Resolves all parts of a type.
  TypeRef ResolveAll(TypeRef type);
  bool HasHoles(TypeRef type) const;

  // Makes two types equal by finding holes. Returns the common type, in which a dimension is any
  // size if it is so on either side, or null if the types differ.
  TypeRef Unify(TypeRef a, TypeRef b);
  // Returns, after Unify failed, the parts of the types that differ, in parentheses; "" if these
  // are the types themselves.
  std::string ClashWithin(TypeRef a, TypeRef b) const;

  // Replaces type parameters.
  TypeRef Substitute(TypeRef type, const TypeArgs& args);
  // Replaces the type parameters of a polymorphic function by new holes, which `args` receives.
  TypeRef Instantiate(TypeRef type, std::vector<TypeRef>& args);

  std::string ToString(TypeRef type) const;
  const std::string& NameOf(DataId data) const { return data_[data]; }

 private:
  TypeRef Fail(TypeRef a, TypeRef b);
  TypeRef Bind(TypeRef hole, TypeRef type);
  bool Occurs(TypeRef hole, TypeRef type) const;
  TypeRef UnifyNodes(TypeRef a, TypeRef b);
  bool UnifyLists(const std::vector<TypeRef>& a, const std::vector<TypeRef>& b,
                  std::vector<TypeRef>& common);
  TypeRef UnifyTensors(TypeRef a, TypeRef b);
  TypeRef UnifyFunctions(TypeRef a, TypeRef b);
  // Rebuilds `type` with `map` applied to its parts.
  TypeRef Map(TypeRef type, const std::function<TypeRef(TypeRef)>& map);

  std::deque<Type> all_;
  std::vector<TypeRef> found_;  // by hole; null: not found
  IdVector<TypeParamId, std::string> params_;
  IdVector<DataId, std::string> data_;
  std::string clash_;
};

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_TYPES_TYPES_H_
