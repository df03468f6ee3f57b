// Prints loops as TVMScript: range, T.grid, T.parallel, T.thread_binding.
#ifndef LATHE_IR_PRINT_PRINT_LOOP_H_
#define LATHE_IR_PRINT_PRINT_LOOP_H_

#include "generator/ir/print/tir_text.h"

namespace lathe::ir {

// Prints `loop` with its body to `text`. Prints the serial loops directly inside a serial loop in
// the same T.grid if their extents do not depend on its variables.
void PrintLoop(TirText& text, const ForStmt& loop);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_LOOP_H_
