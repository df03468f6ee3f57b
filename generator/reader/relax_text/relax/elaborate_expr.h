// Relax expressions to normal form: what is nested is bound to fresh variables, left to right, the
// innermost first, as the language evaluates it.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_EXPR_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_EXPR_H_

#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// An expression before it is known whether a value or a scalar is wanted of it: n + 1 is a
// dimension or an operand, and x + 1 is an operator, depending on what x is.
struct Term {
  std::optional<ir::Rhs> rhs;         // as a value; nothing: a scalar only
  const ast::Expr* scalar = nullptr;  // can be read as a scalar; null: cannot

  static Term Value(ir::Rhs rhs) { return {std::move(rhs), nullptr}; }
  static Term Scalar(const ast::Expr& e) { return {std::nullopt, &e}; }
};

absl::StatusOr<Term> ElaborateTerm(Frame& frame, const ast::Expr& e);
// As the right-hand side of a binding.
absl::StatusOr<ir::Rhs> ElaborateRhs(Frame& frame, const ast::Expr& e);
// As a leaf; anything else is bound.
absl::StatusOr<ir::Operand> ElaborateOperand(Frame& frame, const ast::Expr& e);
absl::StatusOr<ir::Rhs> TermAsRhs(Frame& frame, Term term);

// Each of `list` as a leaf; all that is wrong in any of them is said.
absl::StatusOr<std::vector<ir::Operand>> ElaborateOperands(Frame& frame, ast::ExprList list);

// The elements of a tuple or list; null for any other expression.
const ast::ExprList* ElementsOf(const ast::Expr& e);

// What is refused because only Python could run it, and what to do about it.
absl::Status HostPython(Elaboration& el, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_EXPR_H_
