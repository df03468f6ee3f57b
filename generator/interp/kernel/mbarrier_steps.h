// Implements mbarriers, which a program keeps in shared memory, and bulk copies that arrive at
// them.
#ifndef LATHE_INTERP_KERNEL_MBARRIER_STEPS_H_
#define LATHE_INTERP_KERNEL_MBARRIER_STEPS_H_

#include "generator/interp/kernel/thread_group.h"
#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// Returns the initialized barrier at `pointer`. Null, after reporting an error, when there is none.
Mbarrier* FindMbarrier(Thread& t, const Instr* i, Bits pointer);
// Returns true if the last phase of that parity has ended.
bool HasEnded(const Mbarrier& barrier, Bits parity);

// Initializes the barrier at pointer a for register b arrivals.
const Instr* MbarrierBeginStep(Thread& t, const Instr* i);
// Adds register b arrivals at the barrier at pointer a, and register c (kNone: no) expected bytes.
const Instr* MbarrierArriveStep(Thread& t, const Instr* i);
// Waits until the last phase of the parity in register b has ended.
const Instr* MbarrierWaitStep(Thread& t, const Instr* i);
// Copies register c bytes from pointer b to pointer a; they arrive at the barrier at pointer d
// (kNone: at none).
const Instr* BulkCopyStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_MBARRIER_STEPS_H_
