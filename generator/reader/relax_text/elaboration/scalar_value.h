// Represents the value of a TIR expression before it is converted to a scalar of the IR.
//
// TVMScript is Python: 2 * 64 is a number before it is an int32, A is a buffer until it is indexed,
// and T.float32 is a type or a function. Operations on numbers only yield numbers, since the dtype
// of a number depends on the other operand.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_SCALAR_VALUE_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_SCALAR_VALUE_H_

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/strings/string_view.h"
#include "generator/ir/attrs.h"
#include "generator/ir/dtype.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/tir.h"

namespace lathe::relax_text {

struct NoneValue {};

// One position of A[i, lo:hi:step].
struct SliceIndex {
  ir::PrimRef min;
  ir::PrimRef stop = nullptr;  // null: a plain index
  ir::PrimRef step = nullptr;  // null: no step given
};
struct BufferSlice {
  ir::BufferRef buffer;
  std::vector<SliceIndex> indices;
};
// A type that is not called, as in an annotation or an argument: T.float32.
struct TypeName {
  ir::DType dtype;
};

struct ScalarValue;
using ScalarList = std::vector<ScalarValue>;

struct ScalarValue {
  using Node =
      std::variant<NoneValue, bool, absl::int128, double, std::string, ir::PrimRef, ir::BufferRef,
                   BufferSlice, TypeName, ir::AttrObject, std::shared_ptr<const ScalarList>,
                   std::shared_ptr<const ir::AttrMap>, std::shared_ptr<const ir::IndexMap>>;
  Node node;

  ScalarValue() = default;
  // Takes a Node, not any type: a template would convert pointers to bool.
  ScalarValue(Node n) : node(std::move(n)) {}
  ScalarValue(ir::PrimRef e) : node(e) {}
  ScalarValue(ir::BufferRef b) : node(b) {}

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
  const ScalarList* list() const {
    const auto* list = As<std::shared_ptr<const ScalarList>>();
    return list == nullptr ? nullptr : list->get();
  }
  bool is_none() const { return std::holds_alternative<NoneValue>(node); }
  bool is_number() const { return As<absl::int128>() != nullptr || As<double>() != nullptr; }
};

inline ScalarValue MakeList(ScalarList items) {
  return ScalarValue::Node(std::make_shared<const ScalarList>(std::move(items)));
}

// Returns a description for messages: "a number", "the buffer A", "a slice of A".
std::string Describe(const ScalarValue& value);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_SCALAR_VALUE_H_
