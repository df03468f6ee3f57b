// Prints allocations and buffer declarations as TVMScript: T.alloc_buffer, T.allocate,
// T.decl_buffer.
#ifndef LATHE_IR_PRINT_PRINT_ALLOCATION_H_
#define LATHE_IR_PRINT_PRINT_ALLOCATION_H_

#include "generator/ir/print/tir_text.h"

namespace lathe::ir {

void PrintAllocation(TirText& text, const AllocStmt& s);
void PrintDeclaration(TirText& text, const DeclBufferStmt& s);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_ALLOCATION_H_
