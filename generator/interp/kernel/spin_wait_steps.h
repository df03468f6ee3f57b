// Implements loads and tests in spin waits, where a thread reads memory until another thread
// changes it.
#ifndef LATHE_INTERP_KERNEL_SPIN_WAIT_STEPS_H_
#define LATHE_INTERP_KERNEL_SPIN_WAIT_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// Records that a thread read `value` at the pointer in register a. Returns true when the thread
// continues. When the value is unchanged, the other threads run once and the step is repeated
// before the thread continues. After too many repetitions the run stops with an error.
bool ContinuesAfterRead(Thread& t, const Instr* i, Bits value);

// dst <- the element at pointer a. When it is unchanged, the other threads run first.
const Instr* SpinLoadStep(Thread& t, const Instr* i);
// dst <- 1 if the last phase of the parity in register b has ended at the barrier at pointer a,
// else 0; the other threads run as for SpinLoadStep.
const Instr* MbarrierTestStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_SPIN_WAIT_STEPS_H_
