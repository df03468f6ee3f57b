// Where the text of a statement begins.
#ifndef LATHE_IR_FIRST_PLACE_H_
#define LATHE_IR_FIRST_PLACE_H_

#include "generator/ir/tir.h"

namespace lathe::ir {

// The place of the statement, or of the first one inside that has one; empty where none has.
Location FirstPlace(StmtRef stmt);

}  // namespace lathe::ir

#endif  // LATHE_IR_FIRST_PLACE_H_
