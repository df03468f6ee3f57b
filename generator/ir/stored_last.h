// Statements that name values and then store one.
#ifndef LATHE_IR_STORED_LAST_H_
#define LATHE_IR_STORED_LAST_H_

#include <vector>

#include "generator/ir/tir.h"

namespace lathe::ir {

// The store behind all names; null where the statements do anything else.
const StoreStmt* StoredLast(const std::vector<StmtRef>& stmts);

}  // namespace lathe::ir

#endif  // LATHE_IR_STORED_LAST_H_
