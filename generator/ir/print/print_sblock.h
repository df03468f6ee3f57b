// Blocks as TVMScript: with T.sblock("update"): axes, predicate, regions, memory, init, body.
#ifndef LATHE_IR_PRINT_PRINT_SBLOCK_H_
#define LATHE_IR_PRINT_PRINT_SBLOCK_H_

#include "generator/ir/print/tir_text.h"

namespace lathe::ir {

void PrintSBlock(TirText& text, const BlockStmt& block);

// The memory that belongs to a block, B = T.sblock_alloc_buffer(...).
void PrintBlockMemory(TirText& text, const BlockStmt& block);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_SBLOCK_H_
