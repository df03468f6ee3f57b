// Steps that touch memory: loads, stores, allocations, pointers, parameters.
#ifndef LATHE_INTERP_KERNEL_MEMORY_STEPS_H_
#define LATHE_INTERP_KERNEL_MEMORY_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// dst <- element of view a at the indices in operands b..., lane c of its d; `type` is the
// element's.
Step LoadStep(ir::DType element);
// The same, with the value in dst.
Step StoreStep(ir::DType element);

// dst <- a pointer to fresh memory in slot a, for c dims in operands b..., each in a register.
const Instr* AllocateStep(Thread& t, const Instr* i);
// The same, once for all threads that run side by side.
const Instr* AllocateSharedStep(Thread& t, const Instr* i);
// Makes the memory of slot a, and the views over it, this thread's own: a copy.
const Instr* OwnMemoryStep(Thread& t, const Instr* i);
// Fills the memory of slot a with constants b, of dtype `type`.
const Instr* FillConstantStep(Thread& t, const Instr* i);

// dst <- a pointer to the element (d lanes) of view a at the indices in operands b...
const Instr* AddressOfStep(Thread& t, const Instr* i);
// dst <- pointer a moved by register b elements of dtype `type` (bytes for a void one).
const Instr* MovePointerStep(Thread& t, const Instr* i);

// dst <- what parameter a is: its scalar or a pointer to its data.
const Instr* ParamStep(Thread& t, const Instr* i);
// dst <- dim c, stride c or the element offset of parameter a, as b says. Leads on to instruction
// `i + 2` when the parameter came as a bare pointer, which has none of them.
const Instr* ParamFieldStep(Thread& t, const Instr* i);

// The memory and offset a pointer register stands for.
Pointer PointerIn(const Thread& t, Bits pointer);

inline int64_t RegAsInt(const Thread& t, uint32_t reg) { return static_cast<int64_t>(t.regs[reg]); }

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_MEMORY_STEPS_H_
