// A Relax function: signature, attributes, body.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATE_FUNCTION_H_
#define LATHE_READER_RELAX_TEXT_ELABORATE_FUNCTION_H_

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/frame.h"

namespace lathe::relax_text {

// `def` with the options of its @R.function. Fails after a diagnostic, having said all that is
// wrong with the function.
absl::StatusOr<ir::Function> ElaborateFunction(Frame& frame, const ast::FunctionDef& def);

// A function that is written inside another: bound to its name, which its own body may use.
void ElaborateNestedFunction(Frame& frame, const ast::Stmt& s, const ast::FunctionDef& def);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATE_FUNCTION_H_
