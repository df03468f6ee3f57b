// Steps for what the threads of a warp or a block make of what they told each other.
#ifndef LATHE_INTERP_KERNEL_WARP_STEPS_H_
#define LATHE_INTERP_KERNEL_WARP_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// dst <- a bit for each lane of the warp, of the lanes in register a's mask, that published
// something else than 0.
const Instr* BallotStep(Thread& t, const Instr* i);

// dst <- what the next thread published, in the order of their indices, or on to instruction a
// where there is none; begun by ReduceStartStep. Of the lanes in register b's mask (kNone: of all),
// of the part of the warp of register c's width that this thread is in (kNone: of the block).
const Instr* NextOfGroupStep(Thread& t, const Instr* i);

// dst <- this thread's number in its block, x fastest.
const Instr* RankStep(Thread& t, const Instr* i);
// dst <- how many threads the block has along axis a.
const Instr* ThreadExtentStep(Thread& t, const Instr* i);
// dst <- a bit for each lane that this thread's warp has.
const Instr* LanesStep(Thread& t, const Instr* i);

// dst <- the number of the lowest bit of register a that is set, counted from 1; 0: none.
const Instr* FirstBitStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_WARP_STEPS_H_
