// Finds the store at the end of a sequence of let statements.
#ifndef LATHE_IR_FINAL_STORE_H_
#define LATHE_IR_FINAL_STORE_H_

#include <vector>

#include "generator/ir/tir.h"

namespace lathe::ir {

// Returns the final store after all lets; null if the statements do anything else.
const StoreStmt* FinalStore(const std::vector<StmtRef>& stmts);

}  // namespace lathe::ir

#endif  // LATHE_IR_FINAL_STORE_H_
