// Decodes Thumb and Thumb-2 instructions, as far as control flow and the stack pointer are
// concerned.
#ifndef LATHE_MACHINE_DECODE_THUMB_H_
#define LATHE_MACHINE_DECODE_THUMB_H_

#include "generator/machine/instruction.h"

namespace lathe::machine {

// Returns the instruction at address `at`. Its size is 0 if the section ends before it.
// Instructions that neither change the control flow nor the stack pointer, and unknown ones,
// continue with the next one.
Instruction DecodeThumb(const Code& code, uint64_t at);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_DECODE_THUMB_H_
