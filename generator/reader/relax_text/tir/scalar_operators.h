// Evaluates the operators of TIR expressions. Operations on numbers follow Python and are folded;
// operations on scalars create IR nodes.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_OPERATORS_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_OPERATORS_H_

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/elaboration/scalar_value.h"

namespace lathe::relax_text {

// Return the value of the operation `e`. A number becomes `int_dtype` if the other operand is a
// scalar.
absl::StatusOr<ScalarValue> ApplyUnary(Elaboration& el, const ast::Expr& e, ast::UnaryOp op,
                                       const ScalarValue& value, ir::DType int_dtype);
absl::StatusOr<ScalarValue> ApplyBinary(Elaboration& el, const ast::Expr& e, ast::BinaryOp op,
                                        const ScalarValue& lhs, const ScalarValue& rhs,
                                        ir::DType int_dtype);
absl::StatusOr<ScalarValue> ApplyCompare(Elaboration& el, const ast::Expr& e, ast::CompareOp op,
                                         const ScalarValue& lhs, const ScalarValue& rhs,
                                         ir::DType int_dtype);
absl::StatusOr<ScalarValue> ApplyBool(Elaboration& el, const ast::Expr& e, ast::BoolOpKind op,
                                      const ScalarValue& lhs, const ScalarValue& rhs,
                                      ir::DType int_dtype);

// Returns the IR node of `lhs op rhs` after conversion of the operands to their common type. `e`
// locates errors.
absl::StatusOr<ir::PrimRef> MakeOperation(Elaboration& el, const ast::Expr& e, ir::BinaryOp op,
                                          ir::PrimRef lhs, ir::PrimRef rhs);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_OPERATORS_H_
