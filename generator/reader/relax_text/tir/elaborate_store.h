// Elaborates stores into buffers: A[i, j] = e, A[0:4] = B[0:4], A.vstore([0], v), T.buffer_store(A,
// v, [0]).
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_STORE_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_STORE_H_

#include "absl/status/status.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Returns the value of `e` for storing or binding. Unlike ScalarElaborator::Eval, a slice A[0:4]
// becomes a vector load.
absl::StatusOr<ScalarValue> ElaborateSource(StmtElaborator& s, const ast::Expr& e);

// Emits the store target = value. `target` is a Subscript; `value_at` is the location of `value`.
absl::Status ElaborateStore(StmtElaborator& s, const ast::Expr& target, const ast::Expr& value_at,
                            const ScalarValue& value, const TextSpan& span);

// Emits a store with evaluated operands. Converts `value` to the element type of `buffer` and
// broadcasts it to the lanes of `indices`. `predicate` may be null; `at` locates errors.
absl::Status EmitStore(StmtElaborator& s, const ast::Expr& at, ir::BufferRef buffer,
                       std::vector<ir::PrimRef> indices, const ScalarValue& value,
                       ir::PrimRef predicate, const TextSpan& span);

// Emit the stores T.buffer_store(A, v, [0]) and A.vstore([0], v). `e` is the call in `stmt`.
absl::Status ElaborateBufferStore(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e);
absl::Status ElaborateVectorStore(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_STORE_H_
