// bx, by = T.cta_id([2, 3]): variables for where a thread stands.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCOPE_ID_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCOPE_ID_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Emits the statement for the call at `e` of a function for which ir::IsScopeId holds, and gives
// the variable, or the tuple of them; `target` (which may be null) names them.
absl::StatusOr<ScalarValue> ElaborateScopeId(StmtElaborator& s, const ast::Expr& e,
                                             absl::string_view function, const ast::Expr* target);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SCOPE_ID_H_
