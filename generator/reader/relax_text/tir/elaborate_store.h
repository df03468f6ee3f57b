// Stores into buffers: A[i, j] = e, A[0:4] = B[0:4], A.vstore([0], v), T.buffer_store(A, v, [0]).
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_STORE_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_STORE_H_

#include "absl/status/status.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// The value of `e` to be stored or bound: A[0:4] itself is a vector load here.
absl::StatusOr<ScalarValue> ElaborateSource(StmtElaborator& s, const ast::Expr& e);

// target = value, where `target` is a Subscript.
absl::Status ElaborateStore(StmtElaborator& s, const ast::Expr& target, const ast::Expr& value_at,
                            const ScalarValue& value, const TextSpan& span);

// The same with everything evaluated. The value is converted to what the buffer holds, and
// broadcast to the lanes of the indices.
absl::Status EmitStore(StmtElaborator& s, const ast::Expr& at, ir::BufferRef buffer,
                       std::vector<ir::PrimRef> indices, const ScalarValue& value,
                       ir::PrimRef predicate, const TextSpan& span);

absl::Status ElaborateBufferStore(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e);
absl::Status ElaborateVectorStore(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_STORE_H_
