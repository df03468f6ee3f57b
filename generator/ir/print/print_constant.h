// Prints constants: R.const(1.0, "float32"), R.const([1, 2], "int64").
#ifndef LATHE_IR_PRINT_PRINT_CONSTANT_H_
#define LATHE_IR_PRINT_PRINT_CONSTANT_H_

#include <string>

#include "generator/ir/print/graph_text.h"

namespace lathe::ir {

// Prints a literal if the constant is small and the literal is exact, else a reference to the
// metadata.
std::string PrintConstant(ConstantId id, const GraphText& text);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_CONSTANT_H_
