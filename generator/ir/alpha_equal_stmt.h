// Compares loop nests up to renaming of variables and buffers.
#ifndef LATHE_IR_ALPHA_EQUAL_STMT_H_
#define LATHE_IR_ALPHA_EQUAL_STMT_H_

#include "generator/ir/alpha_equal.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// Returns whether two PrimFuncs are equal. Records the first difference in `pairs`. Names of blocks
// are compared, names of variables are not.
bool EqualPrimFuncs(AlphaEqual& pairs, const PrimFunc& a, const PrimFunc& b);

}  // namespace lathe::ir

#endif  // LATHE_IR_ALPHA_EQUAL_STMT_H_
