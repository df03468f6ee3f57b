// Implements warp and block collectives on published values.
#ifndef LATHE_INTERP_KERNEL_WARP_STEPS_H_
#define LATHE_INTERP_KERNEL_WARP_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// dst <- a bit for each lane in register a's mask that published a nonzero value.
const Instr* BallotStep(Thread& t, const Instr* i);

// dst <- the value of the next thread in order of creation, or jumps to instruction a at the end.
// ReduceStartStep starts the iteration. Iterates over the lanes in register b's mask (kNone: all),
// in this thread's segment of the width in register c (kNone: the whole block).
const Instr* NextOfGroupStep(Thread& t, const Instr* i);

// dst <- the index of this thread in its block, x fastest.
const Instr* RankStep(Thread& t, const Instr* i);
// dst <- the number of threads of the block along axis a.
const Instr* ThreadExtentStep(Thread& t, const Instr* i);
// dst <- a bit for each lane that exists in this thread's warp.
const Instr* LanesStep(Thread& t, const Instr* i);

// dst <- the position of the lowest set bit of register a, counted from 1; 0: none is set.
const Instr* FirstBitStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_WARP_STEPS_H_
