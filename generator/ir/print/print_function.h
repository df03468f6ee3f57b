// Prints a Relax function as TVMScript: decorator, signature, declarations, body.
#ifndef LATHE_IR_PRINT_PRINT_FUNCTION_H_
#define LATHE_IR_PRINT_PRINT_FUNCTION_H_

#include "generator/ir/module.h"
#include "generator/ir/print/print_metadata.h"
#include "generator/ir/print/type_vars.h"
#include "generator/ir/print_options.h"
#include "generator/support/line_writer.h"

namespace lathe::ir {

// `global` holds a Function.
void PrintFunction(const Module& module, const Global& global, const PrintOptions& options,
                   Metadata& metadata, TypeVars& type_vars, LineWriter& out);

// Returns the name of the printed class of `module`.
std::string ModuleName(const Module& module);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_FUNCTION_H_
