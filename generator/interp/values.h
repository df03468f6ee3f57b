// The values that Relax computes with, and what each looks like at run time.
//
// A Value is a reference: copying one aliases, as the specification's evaluation rules want. Only
// tensors can be changed, through their memory; everything else is immutable.
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

// A function of the module that is TIR.
struct PrimFuncValue {
  const ir::Global* global;
};

// What packed functions give and take and nobody else looks into.
struct OpaqueObject {
  std::string kind;  // what the maker calls it, for messages
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
  // Tuples count too: a program that only ever nests them has to end.
  static absl::StatusOr<Value> OfTuple(std::vector<Value> fields,
                                       const std::shared_ptr<MemoryBudget>& budget);
  static Value Unit();  // the empty tuple

  const Node& node() const { return node_; }

  // Null when it is something else.
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

// Nested without bound by programs, so destroyed without recursion.
struct Tuple {
  std::vector<Value> fields;
  BudgetShare share;
  ~Tuple();
};

// The values of shape variables, in a deterministic order.
struct ShapeVarOrder {
  bool operator()(ir::PrimRef a, ir::PrimRef b) const {
    return a->As<ir::SymVar>()->id < b->As<ir::SymVar>()->id;
  }
};
using ShapeVars = std::map<ir::PrimRef, Scalar, ShapeVarOrder>;

// A function with what its body needs from outside. Captured are the values themselves, so what
// they refer to is shared. The variable it is bound to is not captured but known by name, or the
// closure would own itself.
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

// What a packed function may use while it runs.
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

// What kind of value it is, with what is known of its structure, as messages show it:
// "a tensor of shape (2, 3) and dtype float32", "a tuple of 2 fields", "the null object".
std::string Describe(const Value& value);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_VALUES_H_
