// Where we stand while reading a Relax function of the module: its names, the body that grows, and
// what is known of its variables without inferring anything.
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

// What a variable holds, as far as its annotation or its right-hand side says so.
enum class ValueShape : uint8_t { kUnknown, kTensor, kTuple, kShape, kPrim, kFunction, kObject };

class Frame {
 public:
  // `outermost` is the function of the module that is read; null outside of any.
  Frame(Elaboration& el, const ast::FunctionDef* outermost);

  Elaboration& el;
  Scopes scopes;
  BodyBuilder* body = nullptr;  // the innermost function's or branch's; null in signatures
  // In "K * 2" a name is a shape variable, whatever the file has above the module.
  bool in_quotes = false;

  // The variable that `rhs` is bound to in the growing body: `rhs` itself when it is a leaf.
  ir::Operand Flatten(ir::Rhs rhs, TextSpan span);
  // A name for a variable the text has none for; no name in scope is like it.
  std::string FreshName();

  // The number that is meant where `e` is the name of one of the file's; else `e`.
  const ast::Expr& Written(const ast::Expr& e);

  // Binds `name` to `rhs` and makes it known in the innermost scope.
  ir::ValueId Define(const ast::Expr& target, absl::string_view name, ir::Rhs rhs, TextSpan span,
                     const ast::Expr* annotation_at, ir::StructInfoRef annotation);
  // Makes `name` known as something that has an error.
  void DefineFailed(absl::string_view name, TextSpan span);

  // The scalar that a variable is known to hold, for shapes: a parameter n: R.Prim("int64"), or
  // k = n * 2. Null when it is none.
  ir::PrimRef ScalarOf(const NameEntry& entry);
  // Whether ScalarOf would give something.
  bool HasScalar(const NameEntry& entry) const;

  // The dimensions that a variable is known to hold, as a literal or by its annotation; null when
  // they are not written.
  const std::vector<ir::PrimRef>* DimsOf(ir::ValueId var) const;

  ValueShape ShapeOf(ir::ValueId var) const;
  void SetShape(ir::ValueId var, ValueShape shape) { shapes_[var.index] = shape; }

  // Says why `name` means nothing at `e`, and makes it known so that it is said once.
  absl::Status UnknownName(const ast::Expr& e, absl::string_view name);

  // A variable used inside a function that was written in its scope; checked by CheckCaptures
  // once it is known which variables leave their dataflow blocks.
  void NoteUse(const ast::Expr& e, const NameEntry& entry);
  void CheckCaptures();
  // Between the two, `var` is the function whose body is read: it may call itself.
  void BeginDefinition(ir::ValueId var) { defining_.push_back(var); }
  void EndDefinition() { defining_.pop_back(); }
  void AddParameter(ir::ValueId var) { parameters_.insert(var.index); }

 private:
  struct Capture {
    ir::ValueId var;
    TextSpan span;
  };

  // The variable that `var` is a copy of, through all copies; `var` itself when it is none.
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

// What an annotation or a right-hand side says of a value at sight.
ValueShape ShapeOfInfo(ir::StructInfoRef info);
ValueShape ShapeOfRhs(const ir::Rhs& rhs);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_FRAME_H_
