// Elaborates Relax expressions to normal form. Nested expressions are bound to fresh variables in
// the order of evaluation: left to right, the innermost first.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_EXPR_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_EXPR_H_

#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// An expression that may be a value, a scalar, or both, depending on its use: n + 1 is a dimension
// or an operand. x + 1 is an operator call if x is a tensor.
struct Term {
  std::optional<ir::Rhs> rhs;         // as a value; nullopt: a scalar only
  const ast::Expr* scalar = nullptr;  // the expression to read as a scalar; null: not a scalar

  static Term Value(ir::Rhs rhs) { return {std::move(rhs), nullptr}; }
  static Term Scalar(const ast::Expr& e) { return {std::nullopt, &e}; }
};

// Returns `e` as a Term, before its use as a value or a scalar is known.
absl::StatusOr<Term> ElaborateTerm(Frame& frame, const ast::Expr& e);
// Returns `e` as the right-hand side of a binding.
absl::StatusOr<ir::Rhs> ElaborateRhs(Frame& frame, const ast::Expr& e);
// Returns `e` as a leaf. Any other expression is bound to a fresh variable.
absl::StatusOr<ir::Operand> ElaborateOperand(Frame& frame, const ast::Expr& e);
// Returns the value of `term`. A term that is only a scalar becomes a PrimValue.
absl::StatusOr<ir::Rhs> TermAsRhs(Frame& frame, Term term);

// Returns the elements of `list` as leaves. Reports the errors of all elements.
absl::StatusOr<std::vector<ir::Operand>> ElaborateOperands(Frame& frame, ast::ExprList list);

// Returns the elements of a tuple or list, or null for any other expression.
const ast::ExprList* ElementsOf(const ast::Expr& e);

// Reports that `e` is Python code that only an interpreter could run, and returns the error status.
absl::Status HostPython(Elaboration& el, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_EXPR_H_
