// Steps that lay views over memory.
#ifndef LATHE_INTERP_KERNEL_VIEW_STEPS_H_
#define LATHE_INTERP_KERNEL_VIEW_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// View a over the pointer in register c: operands b... are the registers of the element offset
// (kNone: zero), then of the dims, then, for a strided buffer, of the strides. `dst` counts dims.
const Instr* BindViewStep(Thread& t, const Instr* i);

// View a of `dst` dims over a region of another: operands b... are the source view, its number of
// dims, then the registers of the region's mins and of its extents. The last dims are taken; those
// before them must be one long.
const Instr* MatchViewStep(Thread& t, const Instr* i);

// dst <- dim c, stride c or the element offset of view a, as b says.
enum class ParamField : uint32_t { kDim, kStride, kOffset };
const Instr* ViewFieldStep(Thread& t, const Instr* i);

// Elements of dtype `element` between `offset` bytes and the end of `memory`.
uint64_t ElementsFrom(const Storage& memory, uint64_t offset, ir::DType element);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_VIEW_STEPS_H_
