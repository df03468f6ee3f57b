// Implements steps that call other functions or access memory through bare pointers.
#ifndef LATHE_INTERP_KERNEL_CALL_STEPS_H_
#define LATHE_INTERP_KERNEL_CALL_STEPS_H_

#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// dst <- the result of call a of the code, as dtype `to`.
const Instr* CallStep(Thread& t, const Instr* i);

// dst <- the element of dtype `type` at pointer a; then adds register b to the element.
const Instr* AtomicAddStep(Thread& t, const Instr* i);

// dst <- the element of dtype `type` at pointer a; then stores register b if the element equals
// register c.
const Instr* AtomicCasStep(Thread& t, const Instr* i);

// dst <- the element of dtype `type` at pointer a.
const Instr* LoadThroughStep(Thread& t, const Instr* i);
// The element of dtype `type` at pointer a <- register b.
const Instr* StoreThroughStep(Thread& t, const Instr* i);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_CALL_STEPS_H_
