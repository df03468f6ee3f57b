// Finds the source location of a statement.
#ifndef LATHE_IR_FIRST_LOCATION_H_
#define LATHE_IR_FIRST_LOCATION_H_

#include "generator/ir/tir.h"

namespace lathe::ir {

// Returns the location of `stmt`, or of the first nested statement that has one; empty if none has.
Location FirstLocation(StmtRef stmt);

}  // namespace lathe::ir

#endif  // LATHE_IR_FIRST_LOCATION_H_
