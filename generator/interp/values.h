// Defines the run-time values of Relax.
//
// A Value is a reference: copies alias, as the specification's evaluation rules require. Only
// tensors are mutable, through their memory.
#ifndef LATHE_INTERP_VALUES_H_
#define LATHE_INTERP_VALUES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/interp/data/memory_budget.h"
#include "generator/interp/data/scalar.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/dtype.h"
#include "generator/ir/module.h"

namespace lathe::interp {

class Value;

struct Null {};
struct Tuple;
struct Shape {
  std::vector<int64_t> dims;
};
struct String {
  std::string text;
};
struct Closure;
struct PackedFunction;

// A PrimFunc of the module.
struct PrimFuncValue {
  const ir::Global* global;
};

// An object that only packed functions interpret.
struct OpaqueObject {
  std::string kind;  // the creator's name for it, for messages
  std::shared_ptr<void> object;
};

class Value {
 public:
  using Node =
      std::variant<Null, TensorRef, std::shared_ptr<const Tuple>, std::shared_ptr<const Shape>,
                   Scalar, std::shared_ptr<const String>, ir::DType, std::shared_ptr<const Closure>,
                   std::shared_ptr<const PackedFunction>, PrimFuncValue, std::shared_ptr<Storage>,
                   std::shared_ptr<const OpaqueObject>>;

  Value() = default;  // the null object
  Value(Node node) : node_(std::move(node)) {}
  Value(TensorRef tensor) : node_(std::move(tensor)) {}
  Value(Scalar scalar) : node_(scalar) {}
  static Value OfShape(std::vector<int64_t> dims);
  static Value OfString(std::string text);
  // Tuples count towards the budget, so that a program that only nests tuples ends.
  static absl::StatusOr<Value> OfTuple(std::vector<Value> fields,
                                       const std::shared_ptr<MemoryBudget>& budget);
  static Value Unit();  // the empty tuple

  const Node& node() const { return node_; }

  // Returns null if the value has another kind.
  const Tensor* AsTensor() const;
  const std::vector<Value>* AsTuple() const;
  const std::vector<int64_t>* AsShape() const;
  const Scalar* AsScalar() const { return std::get_if<Scalar>(&node_); }
  const std::string* AsString() const;
  const Closure* AsClosure() const;
  const PackedFunction* AsPacked() const;
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node_);
  }
  bool is_null() const { return std::holds_alternative<Null>(node_); }

 private:
  Node node_;
};

// Programs may nest tuples without bound, so the destructor does not recurse.
struct Tuple {
  std::vector<Value> fields;
  BudgetShare share;
  ~Tuple();
};

// Orders shape variables deterministically.
struct ShapeVarOrder {
  bool operator()(ir::PrimRef a, ir::PrimRef b) const {
    return a->As<ir::SymVar>()->id < b->As<ir::SymVar>()->id;
  }
};
using ShapeVars = std::map<ir::PrimRef, Scalar, ShapeVarOrder>;

// A function with its captured values. Values are captured by reference. The variable that the
// closure is bound to is not captured but stored in `self`; otherwise the closure would own itself.
struct Closure {
  const ir::Function* function = nullptr;
  std::string name;  // for messages
  std::optional<ir::ValueId> self;
  std::vector<std::pair<ir::ValueId, Value>> captured;
  ShapeVars shape_vars;
  std::vector<Value> last_args;  // R.make_closure binds the last parameters
  BudgetShare share;
  ~Closure();
};

// The arguments and resources of a call of a packed function.
struct PackedCall {
  absl::Span<const Value> args;
  const ir::AttrMap& attrs;
  const std::shared_ptr<MemoryBudget>& budget;
};
using PackedBody = std::function<absl::StatusOr<Value>(const PackedCall&)>;

struct PackedFunction {
  std::string name;
  PackedBody body;
};

// Describes the kind and known structure of `value` for messages: "a tensor of shape (2, 3) and
// dtype float32", "a tuple of 2 fields", "the null object".
std::string Describe(const Value& value);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_VALUES_H_
