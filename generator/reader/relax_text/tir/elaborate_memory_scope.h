// The memory that a buffer lies in, as text says it: scope="shared".
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_MEMORY_SCOPE_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_MEMORY_SCOPE_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Machines have memory of their own names; one that is nearly a name that all know is a slip.
absl::StatusOr<std::string> ElaborateMemoryScope(StmtElaborator& s, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_MEMORY_SCOPE_H_
