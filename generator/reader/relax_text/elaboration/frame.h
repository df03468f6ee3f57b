// Holds the state of reading one Relax function: its names, the body under construction, and the
// facts about its variables that need no inference.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_FRAME_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_FRAME_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "generator/reader/relax_text/elaboration/body_builder.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/elaboration/scopes.h"

namespace lathe::relax_text {

// The kind of value of a variable, according to its annotation or its right-hand side.
enum class ValueShape : uint8_t { kUnknown, kTensor, kTuple, kShape, kPrim, kFunction, kObject };

class Frame {
 public:
  // `outermost` is the function of the module that is being read; null outside of functions.
  Frame(Elaboration& el, const ast::FunctionDef* outermost);

  Elaboration& el;
  Scopes scopes;
  BodyBuilder* body = nullptr;  // body of the innermost function or branch; null in signatures
  // True while a quoted dimension such as "K * 2" is read: its names are shape variables, even if a
  // host value has the same name.
  bool in_quotes = false;

  // Returns `rhs` itself if it is a leaf. Otherwise binds it to a fresh variable in `body` and
  // returns the variable.
  ir::Operand Flatten(ir::Rhs rhs, TextSpan span);
  // Returns a name for a variable that has none in the text ("lv3", "gv"). No name in scope equals
  // it.
  std::string FreshName();

  // If `e` is the name of a host number, returns that number as an expression at the span of `e`.
  // Otherwise returns `e`.
  const ast::Expr& Written(const ast::Expr& e);

  // Binds a new variable `name` to `rhs` in `body` and declares the name in the innermost scope.
  // Returns the variable. `target` gives its location; `annotation_at` and `annotation` may be
  // null.
  ir::ValueId Define(const ast::Expr& target, absl::string_view name, ir::Rhs rhs, TextSpan span,
                     const ast::Expr* annotation_at, ir::StructInfoRef annotation);
  // Declares `name` as failed, so that its uses cause no further messages.
  void DefineFailed(absl::string_view name, TextSpan span);

  // Returns the scalar that a variable is known to hold, for use in shapes: a parameter n:
  // R.Prim("int64"), or k = n * 2. Returns null if no scalar is known.
  ir::PrimRef ScalarOf(const NameEntry& entry);
  // Returns true if ScalarOf returns a scalar.
  bool HasScalar(const NameEntry& entry) const;

  // Returns the dimensions of the shape in `var`, known from a shape literal or from its
  // annotation. Returns null if they are unknown.
  const std::vector<ir::PrimRef>* DimsOf(ir::ValueId var) const;

  ValueShape ShapeOf(ir::ValueId var) const;
  void SetShape(ir::ValueId var, ValueShape shape) { shapes_[var.index] = shape; }

  // Reports why `name` is not bound at `e`. Inside functions, also declares it as failed, so that
  // it is reported once.
  absl::Status UnknownName(const ast::Expr& e, absl::string_view name);

  // Records the use of a dataflow variable inside a nested function. CheckCaptures diagnoses those
  // uses whose variable does not leave its dataflow block.
  void NoteUse(const ast::Expr& e, const NameEntry& entry);
  void CheckCaptures();
  // Mark the time in which the body of the function variable `var` is read. Its body may refer to
  // `var`.
  void BeginDefinition(ir::ValueId var) { defining_.push_back(var); }
  void EndDefinition() { defining_.pop_back(); }
  void AddParameter(ir::ValueId var) { parameters_.insert(var.index); }

 private:
  struct Capture {
    ir::ValueId var;
    TextSpan span;
  };

  // Returns the variable that `var` is a copy of, followed through all copies; `var` itself if it
  // is not a copy.
  ir::ValueId OriginOf(ir::ValueId var) const;
  bool IsScalarParameter(ir::ValueId var) const;

  const TextSpan* BoundLater(absl::string_view name, const TextSpan& use);

  const ast::FunctionDef* outermost_;
  absl::flat_hash_map<int32_t, ir::PrimRef> scalars_;
  absl::flat_hash_map<int32_t, ir::ValueId> origins_;
  absl::flat_hash_map<int32_t, std::vector<ir::PrimRef>> dims_;
  absl::flat_hash_map<int32_t, ValueShape> shapes_;
  absl::flat_hash_set<int32_t> parameters_;
  std::vector<Capture> captures_;
  std::vector<ir::ValueId> defining_;
  int next_fresh_[2] = {0, 0};
  bool later_indexed_ = false;
  absl::flat_hash_map<absl::string_view, TextSpan> later_;
};

// Return the kind of value that an annotation or a right-hand side determines, without inference.
ValueShape ShapeOfInfo(ir::StructInfoRef info);
ValueShape ShapeOfRhs(const ir::Rhs& rhs);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_FRAME_H_
