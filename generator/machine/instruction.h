// Defines decoded instructions of small processors, as far as control flow and the stack pointer
// are concerned.
#ifndef LATHE_MACHINE_INSTRUCTION_H_
#define LATHE_MACHINE_INSTRUCTION_H_

#include <cstdint>
#include <optional>

#include "generator/machine/elf_file.h"

namespace lathe::machine {

enum class Flow {
  kNext,
  kSkip,    // skips the next instruction or not (AVR)
  kBranch,  // to `target` or the next instruction
  kJump,    // to `target`
  kCall,    // calls `target`, then the next instruction
  kReturn,
  kIndirectCall,
  kIndirectJump,
  kStop,  // does not continue: a breakpoint or an undefined instruction
};

struct Instruction {
  int size = 0;  // in bytes; 0 if there is no instruction of known length
  Flow flow = Flow::kNext;
  uint64_t target = 0;
  // Bytes by which the stack grows, negative if it shrinks. If `adds` is a register, the
  // instruction adds the constant in it, times `sign`, to the stack pointer instead, so the stack
  // shrinks by that. If `computed`, the new stack pointer is unknown.
  int64_t grows = 0;
  bool computed = false;
  int adds = -1;
  int sign = 1;
  // If `sets` is a register, it becomes `constant`. If `is_shift`, it is shifted left by `constant`
  // instead; if `is_sum`, `constant` is added to it.
  int sets = -1;
  int64_t constant = 0;
  bool is_shift = false, is_sum = false;
  uint32_t writes = ~uint32_t{0};  // bit mask of general registers that may change
  int conditional = 0;        // number of following instructions that are conditional (Arm's IT)
  bool links_beside = false;  // the return address is in the alternate link register (RISC-V's t0)
};

// Reads the code of one section.
class Code {
 public:
  Code(const Section& section) : section_(section) {}

  bool Has(uint64_t at, uint64_t size) const {
    return at >= section_.address && at - section_.address <= section_.bytes.size() &&
           size <= section_.bytes.size() - (at - section_.address);
  }
  // Little-endian; 0 out of bounds.
  uint32_t Half(uint64_t at) const { return Has(at, 2) ? Byte(at) | Byte(at + 1) << 8 : 0; }
  uint32_t Word(uint64_t at) const { return Half(at) | Half(at + 2) << 16; }

 private:
  uint32_t Byte(uint64_t at) const {
    return static_cast<unsigned char>(section_.bytes[at - section_.address]);
  }
  const Section& section_;
};

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_INSTRUCTION_H_
