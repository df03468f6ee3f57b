// The statements of functions, branches and dataflow blocks. Each goes on after an error in one,
// so that all are listed.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_STATEMENTS_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_STATEMENTS_H_

#include "absl/status/status.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Fills in the body of `function`, and its attributes, from the statements of `def`.
absl::Status ElaborateFunctionBody(Frame& frame, const ast::FunctionDef& def,
                                   ir::Function& function);

// The statements of a branch, which has no return.
void ElaborateBranch(Frame& frame, ast::Block block);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_STATEMENTS_H_
