// Elaborates the memory scope of a buffer: scope="shared".
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_MEMORY_SCOPE_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_MEMORY_SCOPE_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Returns the string `e`. Unknown scopes are accepted, since targets define their own; a name that
// is nearly a known one is reported as a misspelling.
absl::StatusOr<std::string> ElaborateMemoryScope(StmtElaborator& s, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_MEMORY_SCOPE_H_
