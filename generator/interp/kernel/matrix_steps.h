// Steps for what a warp does with small matrices, and for copies that go on while a thread does.
#ifndef LATHE_INTERP_KERNEL_MATRIX_STEPS_H_
#define LATHE_INTERP_KERNEL_MATRIX_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// Operands a... of the first three: the number of a form among ir::MmaForms(), then of each
// fragment how many registers point into it, and these.

// Publishes this thread's parts of both factors (the first two fragments) and waits for its warp.
const Instr* GiveFactorsStep(Thread& t, const Instr* i);
// Its sums, the third fragment, are the fourth and the products of what the warp published.
const Instr* MultiplyStep(Thread& t, const Instr* i);

// What rows of 16 bytes lanes published pointers to: c matrices, d transposed; 4 bytes of each go
// where operands b... point to: as many, or one.
const Instr* LoadMatricesStep(Thread& t, const Instr* i);

// The same the other way round.
const Instr* StoreMatricesStep(Thread& t, const Instr* i);

// Zeros in c elements of dtype `type` behind pointer a.
const Instr* FillFragmentStep(Thread& t, const Instr* i);
// The 8 elements of dtype `type` behind pointer a, to pointer b's rows, register c apart.
const Instr* StoreFragmentStep(Thread& t, const Instr* i);

// c bytes from pointer b to pointer a; zeros where register d is one and false.
const Instr* CopyBytesStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_MATRIX_STEPS_H_
