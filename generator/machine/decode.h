// Decodes the instructions of whatever processor a file is for.
#ifndef LATHE_MACHINE_DECODE_H_
#define LATHE_MACHINE_DECODE_H_

#include "generator/machine/elf_file.h"
#include "generator/machine/instruction.h"

namespace lathe::machine {

// Whether there is a decoder for its processor: Arm's Thumb, RISC-V and AVR.
bool CanDecode(const ElfFile& file);

// The instruction at `at`; its size is 0 where it is not known.
Instruction Decode(const ElfFile& file, const Code& code, uint64_t at);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_DECODE_H_
