// Lowers PTX instructions with an equivalent in TIR: T.ptx.add.s32(d, a, b) becomes d = a + b.
#ifndef LATHE_IR_DEVICE_LOWER_PTX_INSTRUCTIONS_H_
#define LATHE_IR_DEVICE_LOWER_PTX_INSTRUCTIONS_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// Returns `func` with stores, conditions and the intrinsics of older dialects in place of
// arithmetic, comparisons, bit operations, moves, loads and stores, atomic additions and exchanges,
// tests of mbarriers, and block barriers. Loads and stores with a memory order become the
// corresponding intrinsics. All other instructions are unchanged, such as those with another
// rounding.
PrimFunc LowerPtxInstructions(Context& context, const PrimFunc& func);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_LOWER_PTX_INSTRUCTIONS_H_
