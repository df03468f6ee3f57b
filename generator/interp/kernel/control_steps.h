// Steps that decide what comes next.
#ifndef LATHE_INTERP_KERNEL_CONTROL_STEPS_H_
#define LATHE_INTERP_KERNEL_CONTROL_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

const Instr* JumpStep(Thread& t, const Instr* i);         // to instruction a
const Instr* BackJumpStep(Thread& t, const Instr* i);     // the same, counted: closes a while
const Instr* JumpIfFalseStep(Thread& t, const Instr* i);  // to instruction b when a is false

// A loop counts in three registers of its own, 64 bits wide: a the counter, a+1 its end, a+2 its
// step, so that no dtype of the variable `dst` can overflow. Entering reads min from b and extent
// from c, skips the next instruction (a jump past the loop) when there is a first round.
const Instr* LoopEnterStep(Thread& t, const Instr* i);
const Instr* LoopNextStep(Thread& t, const Instr* i);  // the next round at b, or on

const Instr* TrapStep(Thread& t, const Instr* i);         // stops with trap a
const Instr* TrapIfFalseStep(Thread& t, const Instr* i);  // stops with trap b when a is false
const Instr* EndStep(Thread& t, const Instr* i);          // the thread is done

// A parameter's dimension, stride or offset (a) is not what was passed (b): trap c says which.
const Instr* CheckEqualStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_CONTROL_STEPS_H_
