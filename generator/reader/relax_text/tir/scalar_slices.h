// Buffers with indices: A[i, j] is a load, A[i, lo:hi] a slice, A[i, lo:hi:1] a vector load.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_SLICES_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_SLICES_H_

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/tir/scalar_elaborator.h"

namespace lathe::relax_text {

// The indices as they are written. `e` is a Subscript of `buffer`.
absl::StatusOr<BufferSlice> EvalSlice(ScalarElaborator& s, const ast::Expr& e,
                                      ir::BufferRef buffer);

// Also of tuples: A.shape[1].
absl::StatusOr<ScalarValue> EvalSubscript(ScalarElaborator& s, const ast::Expr& e,
                                          const ast::Subscript& subscript);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_SLICES_H_
