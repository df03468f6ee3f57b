// Implements arithmetic steps: they read registers and write a register.
#ifndef LATHE_INTERP_KERNEL_ARITHMETIC_STEPS_H_
#define LATHE_INTERP_KERNEL_ARITHMETIC_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// dst <- a op b, for operands of dtype `t` (the instruction's `type`).
Step BinaryStep(ir::BinaryOp op, ir::DType t);
// Returns the step for sizes: overflow of int64 and division by zero stop the run with an error.
Step SizeStep(ir::BinaryOp op, ir::DType t);
Step UnaryStep(ir::UnaryOp op, ir::DType t);

// dst <- a, from `type` to `to`.
Step CastStep(ir::DType from, ir::DType to);

const Instr* MoveStep(Thread& t, const Instr* i);    // dst <- a
const Instr* SelectStep(Thread& t, const Instr* i);  // dst <- a is true ? b : c

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_ARITHMETIC_STEPS_H_
