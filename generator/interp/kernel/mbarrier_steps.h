// Steps for barriers that a program keeps in shared memory, and for copies that arrive at them.
#ifndef LATHE_INTERP_KERNEL_MBARRIER_STEPS_H_
#define LATHE_INTERP_KERNEL_MBARRIER_STEPS_H_

#include "generator/interp/kernel/thread_group.h"
#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// The barrier behind a pointer, which was begun; null, and a message, where there is none.
Mbarrier* FindMbarrier(Thread& t, const Instr* i, Bits pointer);
// Whether the last phase of that parity has ended.
bool HasEnded(const Mbarrier& barrier, Bits parity);

// The barrier behind pointer a is one of register b arrivals.
const Instr* MbarrierBeginStep(Thread& t, const Instr* i);
// Register b arrive at the barrier behind pointer a, and register c (kNone: no) bytes are expected.
const Instr* MbarrierArriveStep(Thread& t, const Instr* i);
// Until the last phase of the parity in register b has ended.
const Instr* MbarrierWaitStep(Thread& t, const Instr* i);
// Register c bytes from pointer b to pointer a; they arrive at the barrier behind pointer d (kNone:
// at none).
const Instr* BulkCopyStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_MBARRIER_STEPS_H_
