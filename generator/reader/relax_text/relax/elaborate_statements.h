// Elaborates the statements of functions, branches and dataflow blocks. Elaboration continues after
// an erroneous statement, so that all errors are reported.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_STATEMENTS_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_STATEMENTS_H_

#include "absl/status/status.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Sets the body and the attributes of `function` from the statements of `def`. Fails if the final
// return is missing or has an error.
absl::Status ElaborateFunctionBody(Frame& frame, const ast::FunctionDef& def,
                                   ir::Function& function);

// Elaborates the statements of a branch of an if, which has no return.
void ElaborateBranch(Frame& frame, ast::Block block);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_STATEMENTS_H_
