// Implements matrix operations of a warp and asynchronous copies.
#ifndef LATHE_INTERP_KERNEL_MATRIX_STEPS_H_
#define LATHE_INTERP_KERNEL_MATRIX_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// Operands a... of the first two steps are the index of a form in ir::MmaForms(), then for each
// fragment the number of registers that point into it, and these registers.

// Publishes this thread's parts of both factors (the first two fragments) and waits for its warp.
const Instr* PublishFactorsStep(Thread& t, const Instr* i);
// The sums, the third fragment, <- the fourth fragment plus the product of the published factors.
const Instr* MultiplyStep(Thread& t, const Instr* i);

// Loads c matrices, transposed if d is set, from rows of 16 bytes that lanes published pointers to.
// Each lane stores 4 bytes of each matrix where operands b... point: c pointers, or one.
const Instr* LoadMatricesStep(Thread& t, const Instr* i);

// Stores matrices in the same layout.
const Instr* StoreMatricesStep(Thread& t, const Instr* i);

// Fills c elements of dtype `type` at pointer a with zeros.
const Instr* FillFragmentStep(Thread& t, const Instr* i);
// Stores the 8 elements of dtype `type` at pointer a to rows at pointer b, whose stride is in
// register c.
const Instr* StoreFragmentStep(Thread& t, const Instr* i);

// Copies c bytes from pointer b to pointer a; zero-fills when register d is given and false.
const Instr* CopyBytesStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_MATRIX_STEPS_H_
