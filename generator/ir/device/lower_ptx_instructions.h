// Lowers PTX instructions with an equivalent in TIR: T.ptx.add.s32(d, a, b) becomes d = a + b.
#ifndef LATHE_IR_DEVICE_LOWER_PTX_INSTRUCTIONS_H_
#define LATHE_IR_DEVICE_LOWER_PTX_INSTRUCTIONS_H_

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// Replaces arithmetic, comparisons, bit operations, moves, loads and stores, atomic additions and
// block barriers by stores, conditions and the intrinsics of older dialects. Loads and stores with
// a memory order become the corresponding intrinsics. Instructions with another rounding are
// unchanged.
PrimFunc LowerPtxInstructions(Context& context, const PrimFunc& func);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_LOWER_PTX_INSTRUCTIONS_H_
