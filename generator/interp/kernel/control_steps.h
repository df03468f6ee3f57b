// Implements control flow: jumps, loops, traps.
#ifndef LATHE_INTERP_KERNEL_CONTROL_STEPS_H_
#define LATHE_INTERP_KERNEL_CONTROL_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

const Instr* JumpStep(Thread& t, const Instr* i);         // to instruction a
const Instr* BackJumpStep(Thread& t, const Instr* i);     // the same, counted as an iteration
const Instr* JumpIfFalseStep(Thread& t, const Instr* i);  // to instruction b when a is false

// A loop has three 64-bit registers: a the counter, a+1 its end, a+2 its step, so that the dtype of
// the variable `dst` cannot overflow. Entering fails if the step is less than 1. It reads min from
// b and extent from c, and skips the next instruction (a jump past the loop) when there is a first
// iteration.
const Instr* LoopEnterStep(Thread& t, const Instr* i);
const Instr* LoopNextStep(Thread& t, const Instr* i);  // the next iteration at b, or on

const Instr* TrapStep(Thread& t, const Instr* i);         // stops with trap a
const Instr* TrapIfFalseStep(Thread& t, const Instr* i);  // stops with trap b when a is false
const Instr* EndStep(Thread& t, const Instr* i);          // ends the thread

// Stops with trap c when a dimension, stride or offset of a buffer (b) differs from the expected
// value (a).
const Instr* CheckEqualStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_CONTROL_STEPS_H_
