// Elaborates the declarations of thread index variables: bx, by = T.cta_id([2, 3]).
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCOPE_ID_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCOPE_ID_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Emits the statement of the call `e` of `function`, for which ir::IsScopeId holds. Returns the
// variable, or a tuple of variables. `target`, which may be null, names them.
absl::StatusOr<ScalarValue> ElaborateScopeId(StmtElaborator& s, const ast::Expr& e,
                                             absl::string_view function, const ast::Expr* target);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCOPE_ID_H_
