// State of a program under construction: the builder, the values in scope, and the run-time sizes.
#ifndef LATHE_TESTS_RANDOM_SKETCH_H_
#define LATHE_TESTS_RANDOM_SKETCH_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/transform/block_builder.h"
#include "tests/random/dice.h"
#include "tests/random/tally.h"

namespace lathe::random {

using ir::AttrMap;
using ir::AttrValue;
using ir::DType;
using ir::Operand;
using ir::PrimRef;
using ir::StructInfoRef;
using transform::Operands;
using Dims = std::vector<PrimRef>;
using Sizes = std::vector<int64_t>;

enum class Kind { kFloat, kInt, kBool, kNumber, kAny };

// A tensor that can be an operand, with what is known of it.
struct Tensor {
  Operand value;
  DType dtype;
  Dims dims;
  int ndim() const { return static_cast<int>(dims.size()); }
};

// A function that can be called here.
struct Callable {
  std::optional<ir::GlobalId> global;  // else a variable:
  Operand value;
  std::vector<StructInfoRef> params;
  Dims own;              // the shape variables that its parameters bind
  bool generic = false;  // works for other sizes too
  bool pure = true;
  bool soft = false;
  bool flow = false;  // a variable of the dataflow block that is open
};

// A function of the module that counts its first argument down to 0, from a tensor to one of the
// same type.
struct Counted {
  ir::GlobalId global;
  StructInfoRef info;
  PrimRef own;
};

class Sketch {
 public:
  Sketch(ir::Context& context, uint64_t seed, Tally& tally);

  ir::Context& context;
  Dice dice;
  transform::BlockBuilder builder;

  // What stands in shapes.
  PrimRef Int(int64_t value) { return context.Int(value); }
  PrimRef NewVar(absl::string_view name, int64_t size);
  PrimRef NewNumber(absl::string_view name, int64_t value);  // not a size: it may be negative
  PrimRef Dim();                                             // a number, or a variable in scope
  // A size of `low` to `high`; one of `size_choices` where there are any.
  int64_t Size(int64_t low, int64_t high);
  std::vector<int64_t> size_choices;
  Dims SomeDims(int ndim);
  PrimRef DimOfSize(PrimRef dim);  // one that is as large
  // How large they are when the program runs. A function that asks this of its own variables works
  // for no other sizes.
  int64_t SizeOf(PrimRef dim);
  Sizes SizesOf(const Dims& dims);
  static Dims DimsOf(ir::Context& context, const Sizes& sizes);
  Dims DimsOf(const Sizes& sizes) { return DimsOf(context, sizes); }
  // The sizes of all variables, for the run.
  const std::map<std::string, int64_t>& sizes() const { return sizes_by_name_; }

  // Operands. Each finds one that is in scope, or makes one.
  DType SomeDType(Kind kind);
  Tensor Any(Kind kind, int least_ndim = 0, int most_ndim = 4);
  Tensor AnyOf(DType dtype, int least_ndim, int most_ndim);
  Tensor Static(Tensor tensor);  // the same, with numbers for dimensions
  Operand Like(DType dtype, const Dims& dims);
  Operand Fresh(DType dtype, const Dims& dims);  // made now
  Operand Constant(DType dtype, const Sizes& sizes);
  Operand Constant(DType dtype, const Sizes& sizes, const std::vector<double>& elements) {
    return builder.Constant(dtype, sizes, elements);
  }
  // `dims`, made empty where indices below `limit` have nothing to choose from.
  Dims IndexDims(Dims dims, int64_t limit);
  // Integers of 0 to limit - 1.
  Operand Index(const Dims& dims, int64_t limit, DType dtype);
  Operand Number(double value, DType dtype) {
    return {ir::PrimValue{dtype.is_floating() ? context.Float(value, dtype)
                                              : context.Int(static_cast<int64_t>(value), dtype)}};
  }
  Operand SomeNumber(int64_t value);  // that number, or a dynamic scalar of that value
  std::optional<Tensor> AsTensor(const Operand& operand);
  std::optional<Operand> Find(const std::function<bool(StructInfoRef)>& wanted);
  // A value for a parameter.
  Operand Argument(StructInfoRef info);

  // Bindings. What they bind is in scope from then on.
  Operand Op(absl::string_view name, Operands args, AttrMap attrs = {});
  Operand Emit(ir::Rhs rhs);
  // A call of an operator that says what its result is.
  Operand Invoke(absl::string_view op, Operands args, StructInfoRef result, AttrMap attrs = {});
  Operand Keep(Operand value);  // into scope
  void Note(const std::string& form) { ++tally_.forms[form]; }

  // Scopes.
  struct Mark {
    size_t values, vars, callables;
  };
  Mark Enter() const { return {values_.size(), vars_.size(), callables_.size()}; }
  // What was kept since.
  Operands KeptSince(Mark mark) const;
  void Leave(Mark mark);
  // A body of its own: what is bound inside is not in scope afterwards.
  Operand Scoped(const std::function<Operand()>& body);
  void LeaveValues(Mark mark);
  // A function inside a dataflow block does not see the block's own variables.
  void Hidden(const std::function<void()>& body);
  bool SetFlow(bool flow) { return std::exchange(flow_, flow); }
  // What is written for a function of the module: nothing is in scope but such functions.
  void Outer(const std::function<void()>& body);

  const std::vector<Callable>& callables() const { return callables_; }
  void AddCallable(Callable callable) {
    callable.flow = flow_;
    callables_.push_back(std::move(callable));
  }
  std::vector<Counted>& counted() { return counted_; }
  bool relied() const { return relied_; }
  void set_relied(bool relied) { relied_ = relied; }

  // Values that passes may round differently are soft. What depends on them by comparisons and the
  // like would be another value altogether, so only smooth operators take them.
  bool soft_allowed() const { return soft_allowed_; }
  bool AllowSoft(bool allowed) { return std::exchange(soft_allowed_, allowed); }
  bool touched() const { return touched_; }
  bool Touch(bool touched) { return std::exchange(touched_, touched); }

 private:
  struct Known {
    Operand value;
    StructInfoRef info;
    bool soft;
    bool flow;  // a variable of the dataflow block that is open
  };

  Operand Derived(DType dtype, const Sizes& sizes);

  Tally& tally_;
  std::vector<Known> values_;
  Dims vars_;
  std::vector<Callable> callables_;
  std::vector<Counted> counted_;
  analysis::ShapeVarMap size_of_;
  std::map<std::string, int64_t> sizes_by_name_;
  bool flow_ = false;
  bool relied_ = false;
  bool soft_allowed_ = false;
  bool touched_ = false;
};

AttrValue Ints(const std::vector<int64_t>& numbers);
uint64_t Count(const Sizes& sizes);

}  // namespace lathe::random

#endif  // LATHE_TESTS_RANDOM_SKETCH_H_
