// Defines structural information: the static types of Relax values.
//
// Immutable and interned by a Context like PrimExpr: equal structure is the same pointer
// (expressions are compared structurally; analysis/ proves further equalities).
#ifndef LATHE_IR_STRUCT_INFO_H_
#define LATHE_IR_STRUCT_INFO_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/dtype.h"
#include "generator/ir/prim_expr.h"
#include "generator/support/ids.h"

namespace lathe::ir {

// A Relax variable. Ids are unique in a module, so they remain valid when code moves.
using ValueId = Id<struct ValueTag>;

class StructInfo;
using StructInfoRef = const StructInfo*;  // never null, unless a field says so

inline constexpr int kUnknownRank = -1;

// A device of the module's global infos: "cuda:1:global". Interned.
struct VDevice {
  std::string target;  // the kind, or the target's JSON text if it was given as a dictionary
  int index = 0;
  std::string scope = "global";
  bool operator==(const VDevice&) const = default;
};
using VDeviceRef = const VDevice*;

// The placement of a distributed tensor on a mesh: R.DTensor(..., device_mesh="mesh[0]",
// placement="R").
struct Sharding {
  std::string mesh;
  std::string placement;
  bool operator==(const Sharding&) const = default;
};

struct ObjectInfo {
  bool operator==(const ObjectInfo&) const = default;
};
struct PrimInfo {
  DType dtype;
  PrimRef value = nullptr;  // null: any
  bool operator==(const PrimInfo&) const = default;
};
struct ShapeInfo {
  int ndim = kUnknownRank;
  std::optional<std::vector<PrimRef>> values;
  bool operator==(const ShapeInfo&) const = default;
};
struct TensorInfo {
  // Unknown; the dimensions; or a variable with ShapeInfo.
  using ShapeOrVar = std::variant<std::monostate, std::vector<PrimRef>, ValueId>;

  ShapeOrVar shape;
  DType dtype = DType::Void();
  VDeviceRef vdevice = nullptr;  // null: unspecified
  int ndim = kUnknownRank;
  std::optional<Sharding> sharding;

  // The dimensions, or null if they are not written out.
  const std::vector<PrimRef>* dims() const { return std::get_if<std::vector<PrimRef>>(&shape); }
  const ValueId* shape_var() const { return std::get_if<ValueId>(&shape); }
  bool operator==(const TensorInfo&) const = default;
};
struct TupleInfo {
  std::vector<StructInfoRef> fields;
  bool operator==(const TupleInfo&) const = default;
};
// How the result info of an external function is derived from a call.
enum class Derive {
  kNone,     // a closure: given by params and ret
  kDefault,  // the specification's default_derive: from the call's sinfo_args
  kEmpty,    // empty_derive: ObjectInfo, whatever the call
};
struct FuncInfo {
  // Both set, or neither, only in annotations that violate well-formedness rule 17.
  std::optional<std::vector<StructInfoRef>> params;
  StructInfoRef ret = nullptr;
  bool pure = true;
  Derive derive = Derive::kNone;
  bool operator==(const FuncInfo&) const = default;
};

class StructInfo {
 public:
  using Node = std::variant<ObjectInfo, PrimInfo, ShapeInfo, TensorInfo, TupleInfo, FuncInfo>;

  explicit StructInfo(Node node) : node_(std::move(node)) {}

  const Node& node() const { return node_; }
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node_);
  }
  bool operator==(const StructInfo&) const = default;

 private:
  Node node_;
};

// Formats `info` for messages: R.Tensor((n, 4), dtype="float32"). `name_of` prints Relax variables
// used as shapes; without it they print as %3.
using NameOf = std::function<std::string(ValueId)>;
std::string ToString(StructInfoRef info, const NameOf& name_of = nullptr);

// "cuda:1:global"
std::string ToString(const VDevice& device);

}  // namespace lathe::ir

#endif  // LATHE_IR_STRUCT_INFO_H_
