// Steps that look for what other threads do, and may do so again and again.
#ifndef LATHE_INTERP_KERNEL_LOOK_STEPS_H_
#define LATHE_INTERP_KERNEL_LOOK_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// Whether a thread goes on that found this at the pointer in register a: else the others have their
// turns, and it looks again, or the run has ended.
bool GoesOn(Thread& t, const Instr* i, Bits found);

// dst <- the element behind pointer a. Who finds again what it found lets the others go on first.
const Instr* LookStep(Thread& t, const Instr* i);
// dst <- 1 where the last phase of the parity in register b has ended at the barrier behind pointer
// a, else 0; in the same way.
const Instr* MbarrierTestStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_LOOK_STEPS_H_
