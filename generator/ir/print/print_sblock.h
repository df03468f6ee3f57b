// Prints blocks as TVMScript: T.sblock("update") with axes, predicate, regions, memory, init, body.
#ifndef LATHE_IR_PRINT_PRINT_SBLOCK_H_
#define LATHE_IR_PRINT_PRINT_SBLOCK_H_

#include "generator/ir/print/tir_text.h"

namespace lathe::ir {

void PrintSBlock(TirText& text, const BlockStmt& block);

// Prints the allocations of a block, B = T.sblock_alloc_buffer(...).
void PrintBlockMemory(TirText& text, const BlockStmt& block);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_SBLOCK_H_
