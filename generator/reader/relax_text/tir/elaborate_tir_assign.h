// Elaborates assignments in PrimFuncs: stores into buffers, immutable and mutable scalars, and
// names for other values.
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

// Returns the value `e` for the immutable variable `var`; a number is converted to the type of
// `var`. Reports an error for other types. `var` may be null.
absl::StatusOr<ir::PrimRef> LetValue(StmtElaborator& s, const ast::Expr& e, ir::PrimRef var);

// Returns a new variable with the type of `value`.
ir::PrimRef VariableFor(ir::Context& context, absl::string_view name, ir::PrimRef value);

// Returns the names that the statements of `body` assign more than once or modify in place.
absl::flat_hash_set<absl::string_view> ReassignedNames(ast::Block body);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_TIR_ASSIGN_H_
