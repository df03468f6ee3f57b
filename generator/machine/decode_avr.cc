// Follows the AVR instruction set manual, for AVR with 16-bit data addresses.
#include "generator/machine/decode_avr.h"

#include "generator/machine/sign_extend.h"

namespace lathe::machine {
Instruction DecodeAvr(const Code& code, uint64_t at) {
  if (!code.Has(at, 2)) return {};
  const uint32_t half = code.Half(at);
  const uint64_t next = at + 2;
  Instruction out;
  out.size = 2;
  const auto near = [&](int bits) {
    return next + static_cast<uint64_t>(SignExtend(half & ((1u << bits) - 1), bits) * 2);
  };
  const uint32_t memory = half & 0xfe0f;
  if (memory == 0x920f) {  // push
    out.grows = 1;
  } else if (memory == 0x900f) {  // pop
    out.grows = -1;
  } else if (memory == 0x9000 || memory == 0x9200) {  // lds, sts
    out.size = 4;
    const uint32_t place = code.Half(next);
    if (memory == 0x9200 && (place == 0x5d || place == 0x5e)) out.computed = true;
  } else if ((half & 0xfe0c) == 0x940c) {  // jmp, call
    out.size = 4;
    const uint64_t high = (half >> 3 & 0x3e) | (half & 1);
    out.target = (high << 16 | code.Half(next)) * 2;
    out.flow = (half & 2) != 0 ? Flow::kCall : Flow::kJump;
  } else if ((half & 0xf000) == 0xc000) {  // rjmp
    out.flow = Flow::kJump;
    out.target = near(12);
  } else if ((half & 0xf000) == 0xd000) {  // rcall
    out.flow = Flow::kCall;
    out.target = near(12);
  } else if ((half & 0xf800) == 0xf000) {  // branches
    out.flow = Flow::kBranch;
    out.target = next + static_cast<uint64_t>(SignExtend(half >> 3 & 0x7f, 7) * 2);
  } else if ((half & 0xfc08) == 0xfc00 || (half & 0xfc00) == 0x1000 ||
             (half & 0xfd00) == 0x9900) {  // sbrc, sbrs, cpse, sbic, sbis
    out.flow = Flow::kSkip;
  } else if (half == 0x9508 || half == 0x9518) {  // ret, reti
    out.flow = Flow::kReturn;
  } else if (half == 0x9409 || half == 0x9419) {  // ijmp, eijmp
    out.flow = Flow::kIndirectJump;
  } else if (half == 0x9509 || half == 0x9519) {  // icall, eicall
    out.flow = Flow::kIndirectCall;
  } else if ((half & 0xfe0f) == 0xbe0d || (half & 0xfe0f) == 0xbe0e) {
    out.computed = true;  // out to SPL or SPH, at 0x3d and 0x3e
  }
  return out;
}

}  // namespace lathe::machine
