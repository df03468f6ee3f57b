// Decodes instructions with the decoder of the file's processor.
#ifndef LATHE_MACHINE_DECODE_H_
#define LATHE_MACHINE_DECODE_H_

#include "generator/machine/elf_file.h"
#include "generator/machine/instruction.h"

namespace lathe::machine {

// Returns whether there is a decoder: for Arm's Thumb, RISC-V and AVR.
bool CanDecode(const ElfFile& file);

// Returns the instruction at address `at`. Its size is 0 if there is no decoder, if the section
// ends before it, or if the decoder does not know its length.
Instruction Decode(const ElfFile& file, const Code& code, uint64_t at);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_DECODE_H_
