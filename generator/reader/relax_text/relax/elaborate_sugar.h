// Operators and members of values, which stand for calls: x + y, -x, x < y, x.astype("float16"),
// x.shape.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_SUGAR_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_SUGAR_H_

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"

namespace lathe::relax_text {

absl::StatusOr<Term> ElaborateUnary(Frame& frame, const ast::Expr& e, const ast::Unary& unary);
absl::StatusOr<Term> ElaborateBinary(Frame& frame, const ast::Expr& e, const ast::Binary& binary);
// x += y, with the same meaning as x + y.
absl::StatusOr<Term> ElaborateBinary(Frame& frame, const ast::Expr& e, ast::BinaryOp op,
                                     const ast::Expr& lhs, const ast::Expr& rhs);
absl::StatusOr<Term> ElaborateCompare(Frame& frame, const ast::Expr& e,
                                      const ast::Compare& compare);

// x.shape, x.ndim and the like: x.shape[0] is asked with `index`, else it is null.
absl::StatusOr<Term> ElaborateMember(Frame& frame, const ast::Attribute& attribute,
                                     const ast::Expr* index);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_SUGAR_H_
