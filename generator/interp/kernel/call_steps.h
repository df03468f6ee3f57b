// Steps that leave the PrimFunc: calls of other functions, and reads through bare pointers.
#ifndef LATHE_INTERP_KERNEL_CALL_STEPS_H_
#define LATHE_INTERP_KERNEL_CALL_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// dst <- the result of call a of the code, as dtype `to`.
const Instr* CallStep(Thread& t, const Instr* i);

// dst <- what pointer a leads to, an element of dtype `type`, and register b is added to it there.
const Instr* AtomicAddStep(Thread& t, const Instr* i);

// The same, and register b comes there where it was register c.
const Instr* AtomicCasStep(Thread& t, const Instr* i);

// dst <- what pointer a leads to, an element of dtype `type`.
const Instr* LoadThroughStep(Thread& t, const Instr* i);
// What pointer a leads to, an element of dtype `type`, <- register b.
const Instr* StoreThroughStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_CALL_STEPS_H_
