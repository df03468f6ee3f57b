// Evaluates subscripts of buffers: A[i, j] is a load, A[i, lo:hi] a slice, A[i, lo:hi:1] a vector
// load.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_SLICES_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_SLICES_H_

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/tir/scalar_elaborator.h"

namespace lathe::relax_text {

// Returns the indices of `e`, a Subscript of `buffer`, without conversion to a load.
absl::StatusOr<BufferSlice> EvalSlice(ScalarElaborator& s, const ast::Expr& e,
                                      ir::BufferRef buffer);

// Evaluates the subscript of a buffer, a tuple or a list: A[i, j], A.shape[1]. `subscript` is the
// node of `e`.
absl::StatusOr<ScalarValue> EvalSubscript(ScalarElaborator& s, const ast::Expr& e,
                                          const ast::Subscript& subscript);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_SLICES_H_
