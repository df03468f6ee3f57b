// Elaborates Python operators and members of values into operator calls: x + y, -x, x < y, x.shape.
// Operators on scalars only are returned as Term::Scalar.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_SUGAR_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_SUGAR_H_

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"

namespace lathe::relax_text {

absl::StatusOr<Term> ElaborateUnary(Frame& frame, const ast::Expr& e, const ast::Unary& unary);
absl::StatusOr<Term> ElaborateBinary(Frame& frame, const ast::Expr& e, const ast::Binary& binary);
// Elaborates `lhs op rhs`, the operation at `e`.
absl::StatusOr<Term> ElaborateBinary(Frame& frame, const ast::Expr& e, ast::BinaryOp op,
                                     const ast::Expr& lhs, const ast::Expr& rhs);
absl::StatusOr<Term> ElaborateCompare(Frame& frame, const ast::Expr& e,
                                      const ast::Compare& compare);

// Elaborates a member of a tensor such as x.ndim. For x.shape[0] and x.strides[0], `index` is the
// index; otherwise it is null.
absl::StatusOr<Term> ElaborateMember(Frame& frame, const ast::Attribute& attribute,
                                     const ast::Expr* index);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_SUGAR_H_
