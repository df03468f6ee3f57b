// Decodes AVR instructions, as far as control flow and the stack pointer are concerned.
#ifndef LATHE_MACHINE_DECODE_AVR_H_
#define LATHE_MACHINE_DECODE_AVR_H_

#include "generator/machine/instruction.h"

namespace lathe::machine {

// Returns the instruction at address `at`. Its size is 0 if the section ends there. Instructions
// that neither change the control flow nor the stack pointer, and unknown ones, continue with the
// next one.
Instruction DecodeAvr(const Code& code, uint64_t at);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_DECODE_AVR_H_
