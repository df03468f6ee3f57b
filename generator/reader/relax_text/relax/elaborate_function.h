// Elaborates a Relax function: its signature, attributes and body.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FUNCTION_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FUNCTION_H_

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Elaborates `def`, including the options of its @R.function decorator. On failure, all errors of
// the function have been reported, and `remains`, if not null, receives the readable part
// (remains.h).
absl::StatusOr<ir::Function> ElaborateFunction(Frame& frame, const ast::FunctionDef& def,
                                               ir::Function* remains = nullptr);

// Returns a placeholder for a function that could not be read: it has `params` parameters and a
// result without annotations.
ir::Function UnknownFunction(ir::Module& module, size_t params);

// Elaborates a function nested in another one and binds it to its name. Its body may refer to that
// name.
void ElaborateNestedFunction(Frame& frame, const ast::Stmt& s, const ast::FunctionDef& def);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_FUNCTION_H_
