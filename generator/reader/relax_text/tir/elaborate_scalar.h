// Scalar expressions of the text: dimensions of shapes, bounds of loops, attributes.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCALAR_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCALAR_H_

#include "absl/status/statusor.h"
#include "generator/ir/attrs.h"
#include "generator/ir/prim_expr.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

// n * 4 + 1 -> Binary. A bare whole number is `int_dtype` where nothing else says what it is: int64
// in the shapes of Relax, int32 in PrimFuncs. Fails after a diagnostic.
absl::StatusOr<ir::PrimRef> ElaborateScalar(Elaboration& el, const ast::Expr& e, ScalarScope& scope,
                                            ir::DType int_dtype = ir::DType::Int(64));

// The value of an attribute: numbers, strings, types, lists, dictionaries, T.index_map(...),
// T.target(...), scalars.
absl::StatusOr<ir::AttrValue> ElaborateAttr(Elaboration& el, const ast::Expr& e, ScalarScope& scope,
                                            ir::DType int_dtype = ir::DType::Int(64));

// lambda i, j: (j, i) where T.index_map(lambda i, j: (j, i)) is meant.
absl::StatusOr<ir::AttrValue> ElaborateIndexMap(Elaboration& el, const ast::Expr& e,
                                                ScalarScope& scope);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCALAR_H_
