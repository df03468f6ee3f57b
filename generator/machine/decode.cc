#include "generator/machine/decode.h"

#include "generator/machine/decode_avr.h"
#include "generator/machine/decode_riscv.h"
#include "generator/machine/decode_thumb.h"

namespace lathe::machine {

bool CanDecode(const ElfFile& file) {
  return file.cpu == Cpu::kArm || file.cpu == Cpu::kRiscV || file.cpu == Cpu::kAvr;
}

Instruction Decode(const ElfFile& file, const Code& code, uint64_t at) {
  switch (file.cpu) {
    case Cpu::kArm:
      return DecodeThumb(code, at);
    case Cpu::kRiscV:
      return DecodeRiscV(code, at, file.wide);
    case Cpu::kAvr:
      return DecodeAvr(code, at);
    case Cpu::kX86_64:
    case Cpu::kOther:
      break;
  }
  return {};
}

}  // namespace lathe::machine
