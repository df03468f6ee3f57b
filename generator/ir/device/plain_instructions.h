// Instructions of PTX that a loop nest can say itself: T.ptx.add.s32(d, a, b) is d = a + b.
#ifndef LATHE_IR_DEVICE_PLAIN_INSTRUCTIONS_H_
#define LATHE_IR_DEVICE_PLAIN_INSTRUCTIONS_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// `func` with stores, conditions and the intrinsics of older dialects in the place of such
// instructions: arithmetic, comparisons, bits, moves, loads and stores, additions to memory,
// barriers of the block. Loads and stores that order memory become intrinsics that say so. What
// rounds otherwise stays as it is.
PrimFunc PlainInstructions(Context& context, const PrimFunc& func);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_PLAIN_INSTRUCTIONS_H_
