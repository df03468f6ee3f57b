// Decodes RISC-V's instructions, as far as calls and the stack pointer go.
#ifndef LATHE_MACHINE_DECODE_RISCV_H_
#define LATHE_MACHINE_DECODE_RISCV_H_

#include "generator/machine/instruction.h"

namespace lathe::machine {

// The instruction at `at`, of 64 bits where `wide`; its size is 0 where it is not known.
Instruction DecodeRiscV(const Code& code, uint64_t at, bool wide);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_DECODE_RISCV_H_
