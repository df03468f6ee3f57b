// Assignments: stores into buffers, immutable scalars, mutable ones, and names for other things.
//
//   A[i, j] = e     x: T.int32 = e     x = T.alloc_buffer(...)     n, m = T.int64(), T.int64()
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_TIR_ASSIGN_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_TIR_ASSIGN_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

void ElaborateTirAssign(StmtElaborator& s, const ast::Stmt& stmt, const ast::Assign& assign);
void ElaborateTirAnnAssign(StmtElaborator& s, const ast::Stmt& stmt, const ast::AnnAssign& assign);
void ElaborateTirAugAssign(StmtElaborator& s, const ast::Stmt& stmt, const ast::AugAssign& assign);

// The value that `e` gives the immutable `var`, a bare number in its type; `var` may be null.
absl::StatusOr<ir::PrimRef> LetValue(StmtElaborator& s, const ast::Expr& e, ir::PrimRef var);

// A variable that can hold `value`.
ir::PrimRef VariableFor(ir::Context& context, absl::string_view name, ir::PrimRef value);

// The names that the statements of `body` assign more than once, or change in place.
absl::flat_hash_set<absl::string_view> ReassignedNames(ast::Block body);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_TIR_ASSIGN_H_
