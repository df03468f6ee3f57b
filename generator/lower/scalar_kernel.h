// Matches kernels that compute one element from scalars alone.
//
//   more[()] = step < n          # R.call_tir(more, (), tir_vars=[step, n])
//   if more: ...                 # if (step < n) in C
#ifndef LATHE_LOWER_SCALAR_KERNEL_H_
#define LATHE_LOWER_SCALAR_KERNEL_H_

#include "generator/ir/tir.h"

namespace lathe::lower {

// Returns the value that the function stores in its only buffer, a parameter without dimensions, in
// terms of its scalar parameters. Returns null if the function does anything else, or if the value
// contains loads or intrinsics.
ir::PrimRef ScalarOfKernel(const ir::PrimFunc& func);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_SCALAR_KERNEL_H_
