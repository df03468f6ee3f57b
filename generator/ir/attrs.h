// Defines attribute values: entries of R.func_attr({...}), keyword arguments of operators, loop
// annotations.
#ifndef LATHE_IR_ATTRS_H_
#define LATHE_IR_ATTRS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generator/ir/dtype.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/struct_info.h"

namespace lathe::ir {

// A layout transformation: lambda i, j: (j, i // 4).
struct IndexMap {
  std::vector<PrimRef> inputs;
  std::vector<PrimRef> outputs;
  std::vector<int> separators;  // positions of IndexMap.AXIS_SEPARATOR among the outputs
  std::shared_ptr<const IndexMap> inverse;  // null: none
};

struct AttrValue;
using AttrList = std::vector<AttrValue>;
using AttrMap = std::map<std::string, AttrValue>;  // sorted, so that printing is deterministic

// An object without a type of its own in the IR.
struct AttrObject {
  std::string kind;  // "target", "range", "iter_var", "device_mesh", "dummy_global_info", ...
  std::shared_ptr<const AttrMap> fields;
};

struct AttrValue {
  using Node =
      std::variant<std::monostate,  // None
                   bool, int64_t, double, std::string, DType, PrimRef, StructInfoRef, VDeviceRef,
                   AttrList, AttrMap, AttrObject, std::shared_ptr<const IndexMap>>;
  Node node;

  AttrValue() = default;
  AttrValue(Node n) : node(std::move(n)) {}
  AttrValue(bool v) : node(v) {}
  AttrValue(int64_t v) : node(v) {}
  AttrValue(int v) : node(int64_t{v}) {}
  AttrValue(double v) : node(v) {}
  AttrValue(std::string v) : node(std::move(v)) {}
  AttrValue(const char* v) : node(std::string(v)) {}
  AttrValue(DType v) : node(v) {}
  AttrValue(PrimRef v) : node(v) {}
  AttrValue(StructInfoRef v) : node(v) {}
  AttrValue(VDeviceRef v) : node(v) {}
  AttrValue(AttrList v) : node(std::move(v)) {}
  AttrValue(AttrMap v) : node(std::move(v)) {}
  AttrValue(AttrObject v) : node(std::move(v)) {}

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
  bool is_none() const { return std::holds_alternative<std::monostate>(node); }
};

// Calls `visit` for every scalar expression inside `value`: in lists, maps, objects and IndexMaps
// (inputs and outputs), but not in StructInfos.
void ForEachExpr(const AttrValue& value, const std::function<void(PrimRef)>& visit);

// Returns the attribute `key` of `attrs` if it exists and has type T, else null.
template <typename T>
const T* FindAttr(const AttrMap& attrs, const std::string& key) {
  const auto it = attrs.find(key);
  return it == attrs.end() ? nullptr : it->second.As<T>();
}

}  // namespace lathe::ir

#endif  // LATHE_IR_ATTRS_H_
