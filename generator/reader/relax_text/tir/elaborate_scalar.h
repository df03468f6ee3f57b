// Elaborates scalar expressions: dimensions of shapes, bounds of loops, attributes.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCALAR_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCALAR_H_

#include "absl/status/statusor.h"
#include "generator/ir/attrs.h"
#include "generator/ir/prim_expr.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

// Returns the scalar that `e` denotes: n * 4 + 1 becomes a Binary. An integer literal whose type is
// not determined otherwise gets `int_dtype`: int64 in Relax shapes, int32 in PrimFuncs. Reports a
// diagnostic on failure.
absl::StatusOr<ir::PrimRef> ElaborateScalar(Elaboration& el, const ast::Expr& e, ScalarScope& scope,
                                            ir::DType int_dtype = ir::DType::Int(64));

// Returns the attribute value that `e` denotes: a number, string, type, list, dictionary,
// T.index_map(...), T.target(...) or scalar.
absl::StatusOr<ir::AttrValue> ElaborateAttr(Elaboration& el, const ast::Expr& e, ScalarScope& scope,
                                            ir::DType int_dtype = ir::DType::Int(64));

// Elaborates a bare lambda as an index map: lambda i, j: (j, i) means T.index_map(lambda i, j: (j,
// i)).
absl::StatusOr<ir::AttrValue> ElaborateIndexMap(Elaboration& el, const ast::Expr& e,
                                                ScalarScope& scope);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCALAR_H_
