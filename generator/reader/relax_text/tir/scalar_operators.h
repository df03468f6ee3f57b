// Operators of TIR text: on numbers Python's, folded on the spot; on scalars those of the IR.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_OPERATORS_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_OPERATORS_H_

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/elaboration/scalar_value.h"

namespace lathe::relax_text {

// `e` is the whole operation, for messages; bare numbers become `int_dtype` when they meet scalars.
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

// The operation itself, with the operands brought to a common type.
absl::StatusOr<ir::PrimRef> MakeOperation(Elaboration& el, const ast::Expr& e, ir::BinaryOp op,
                                          ir::PrimRef lhs, ir::PrimRef rhs);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_OPERATORS_H_
