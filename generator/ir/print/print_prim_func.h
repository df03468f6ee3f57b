// Prints a PrimFunc as TVMScript: decorator, signature, declarations, statements.
#ifndef LATHE_IR_PRINT_PRINT_PRIM_FUNC_H_
#define LATHE_IR_PRINT_PRINT_PRIM_FUNC_H_

#include "generator/ir/module.h"
#include "generator/ir/print/type_vars.h"
#include "generator/ir/print_options.h"
#include "generator/support/line_writer.h"

namespace lathe::ir {

// `global` holds a PrimFunc.
void PrintPrimFunc(const Module& module, const Global& global, const PrintOptions& options,
                   TypeVars& type_vars, LineWriter& out);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_PRIM_FUNC_H_
