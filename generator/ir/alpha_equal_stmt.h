// Equality of loop nests up to the names of variables and buffers.
#ifndef LATHE_IR_ALPHA_EQUAL_STMT_H_
#define LATHE_IR_ALPHA_EQUAL_STMT_H_

#include "generator/ir/alpha_equal.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// Says in `pairs` what differs. Block names are structure, variable names are not.
bool EqualPrimFuncs(AlphaEqual& pairs, const PrimFunc& a, const PrimFunc& b);

}  // namespace lathe::ir

#endif  // LATHE_IR_ALPHA_EQUAL_STMT_H_
