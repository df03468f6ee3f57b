// A Relax function: signature, attributes, body.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FUNCTION_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FUNCTION_H_

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// `def` with the options of its @R.function. Fails after a diagnostic, having said all that is
// wrong with the function; `remains`, if given, is then what could be read of it (remains.h).
absl::StatusOr<ir::Function> ElaborateFunction(Frame& frame, const ast::FunctionDef& def,
                                               ir::Function* remains = nullptr);

// Takes `params` arguments, and nothing else is known of it: what is left of a function that is not
// understood.
ir::Function UnknownFunction(ir::Module& module, size_t params);

// A function that is written inside another: bound to its name, which its own body may use.
void ElaborateNestedFunction(Frame& frame, const ast::Stmt& s, const ast::FunctionDef& def);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FUNCTION_H_
