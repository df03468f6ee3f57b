// Implements steps that create views of memory.
#ifndef LATHE_INTERP_KERNEL_VIEW_STEPS_H_
#define LATHE_INTERP_KERNEL_VIEW_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// Binds view a to the pointer in register c. Operands b... are the registers of the element offset
// (kNone: zero), of the dims and, for a strided buffer, of the strides. `dst` is the number of
// dims.
const Instr* BindViewStep(Thread& t, const Instr* i);

// Binds view a of `dst` dims to a region of another view. Operands b... are the source view, its
// number of dims, then the registers of the region's mins and of its extents. The view has the last
// dims of the region; the others must have extent 1.
const Instr* MatchViewStep(Thread& t, const Instr* i);

// dst <- dim c, stride c or the element offset of view a, as b says.
enum class ParamField : uint32_t { kDim, kStride, kOffset };
const Instr* ViewFieldStep(Thread& t, const Instr* i);

// Returns the number of elements of dtype `element` from byte `offset` to the end of `memory`.
uint64_t ElementsFrom(const Storage& memory, uint64_t offset, ir::DType element);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_VIEW_STEPS_H_
