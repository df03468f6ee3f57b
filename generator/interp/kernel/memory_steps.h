// Implements memory steps: loads, stores, allocations, pointers, parameters.
#ifndef LATHE_INTERP_KERNEL_MEMORY_STEPS_H_
#define LATHE_INTERP_KERNEL_MEMORY_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// dst <- lane c of the d-lane element of view a at the indices in operands b...; `type` is the
// dtype of the element.
Step LoadStep(ir::DType element);
// Stores dst to that element.
Step StoreStep(ir::DType element);

// dst <- a pointer to new memory in slot a, with c dims in operands b..., each in a register.
const Instr* AllocateStep(Thread& t, const Instr* i);
// The same for memory that all concurrent threads share.
const Instr* AllocateSharedStep(Thread& t, const Instr* i);
// Gives this thread a private copy of the memory of slot a and of the views over it.
const Instr* OwnMemoryStep(Thread& t, const Instr* i);
// Fills the memory of slot a with constants b, of dtype `type`.
const Instr* FillConstantStep(Thread& t, const Instr* i);

// dst <- a pointer to the element (d lanes) of view a at the indices in operands b...
const Instr* AddressOfStep(Thread& t, const Instr* i);
// dst <- pointer a plus register b elements of dtype `type` (bytes for void).
const Instr* MovePointerStep(Thread& t, const Instr* i);

// dst <- the scalar of parameter a, or a pointer to its data.
const Instr* ParamStep(Thread& t, const Instr* i);
// dst <- dim c, stride c or the element offset of parameter a, as b says. Continues at instruction
// `i + 2` when the argument is a bare pointer, which has none of them.
const Instr* ParamFieldStep(Thread& t, const Instr* i);

// Returns the memory and offset of `pointer`, the contents of a register. Returns the null pointer
// when it points outside the memories of `t`.
Pointer PointerIn(const Thread& t, Bits pointer);

inline int64_t RegAsInt(const Thread& t, uint32_t reg) { return static_cast<int64_t>(t.regs[reg]); }

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_MEMORY_STEPS_H_
