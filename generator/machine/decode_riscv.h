// Decodes RISC-V instructions, as far as control flow and the stack pointer are concerned.
#ifndef LATHE_MACHINE_DECODE_RISCV_H_
#define LATHE_MACHINE_DECODE_RISCV_H_

#include "generator/machine/instruction.h"

namespace lathe::machine {

// Returns the instruction at address `at`, for RV64 if `wide`. Its size is 0 if the section ends
// before it, if it is longer than 32 bits, or if it is the illegal instruction 0. An auipc and the
// jalr that uses its result are returned as one instruction of 8 bytes.
Instruction DecodeRiscV(const Code& code, uint64_t at, bool wide);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_DECODE_RISCV_H_
