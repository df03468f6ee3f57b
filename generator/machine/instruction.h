// Instructions of small processors, as far as calls and the stack pointer go.
#ifndef LATHE_MACHINE_INSTRUCTION_H_
#define LATHE_MACHINE_INSTRUCTION_H_

#include <cstdint>
#include <optional>

#include "generator/machine/elf_file.h"

namespace lathe::machine {

enum class Flow {
  kNext,
  kSkip,    // of the next or to the one after it (AVR)
  kBranch,  // to `target` or the next
  kJump,    // to `target`
  kCall,    // of `target`, then the next
  kReturn,
  kIndirectCall,
  kIndirectJump,
  kStop,  // nothing follows: undefined, or not known
};

struct Instruction {
  int size = 0;  // in bytes; 0 where there is none, or none that is known
  Flow flow = Flow::kNext;
  uint64_t target = 0;
  // Bytes by which the stack grows, less than 0 where it shrinks; `computed` where it cannot be
  // told, and by register `adds` (times `sign`) where that holds a constant.
  int64_t grows = 0;
  bool computed = false;
  int adds = -1;
  int sign = 1;
  // Register `sets` gets `constant`, or, where `is_shift`, is shifted left, or `is_sum`, added to.
  int sets = -1;
  int64_t constant = 0;
  bool is_shift = false, is_sum = false;
  uint32_t writes = ~uint32_t{0};  // general registers that may change, a bit each
  int conditional = 0;             // so many that follow may not be executed (Arm's IT)
  bool links_beside = false;  // the return address is in the second link register (RISC-V's t0)
};

// The code of one section.
class Code {
 public:
  Code(const Section& section) : section_(section) {}

  bool Has(uint64_t at, uint64_t size) const {
    return at >= section_.address && at - section_.address <= section_.bytes.size() &&
           size <= section_.bytes.size() - (at - section_.address);
  }
  // Little-endian; 0 outside.
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
