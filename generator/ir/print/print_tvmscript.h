// Prints a module as TVMScript in the requested dialect. Reading the text yields the same module.
//
//   # from tvm.script import ir as I
//   ...
//   @I.ir_module
//   class Module:
//       @R.function
//       def main(x: R.Tensor((4,), dtype="float32")) -> ...:
#ifndef LATHE_IR_PRINT_PRINT_TVMSCRIPT_H_
#define LATHE_IR_PRINT_PRINT_TVMSCRIPT_H_

#include <string>

#include "generator/ir/module.h"
#include "generator/ir/print_options.h"

namespace lathe::ir {

std::string PrintTvmScript(const Module& module, const PrintOptions& options);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_TVMSCRIPT_H_
