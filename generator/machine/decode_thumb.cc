// Follows Arm's manuals for ARMv6-M to ARMv8.1-M, as implemented by Cortex-M.
#include "generator/machine/decode_thumb.h"

#include "generator/machine/sign_extend.h"

namespace lathe::machine {
namespace {

constexpr uint32_t kStackPointer = 13, kLinkRegister = 14, kProgramCounter = 15;

int64_t CountBits(uint32_t bits) { return __builtin_popcount(bits); }

// A jump to a register; through the link register it is a return.
Flow ToRegister(uint32_t reg) { return reg == kLinkRegister ? Flow::kReturn : Flow::kIndirectJump; }

// The high registers: add, cmp, mov, bx, blx.
void DecodeHigh(uint32_t half, Instruction& out) {
  const uint32_t to = (half & 7) | (half >> 4 & 8), from = half >> 3 & 15;
  switch (half >> 8 & 3) {
    case 0:
      if (to == kStackPointer) out.adds = static_cast<int>(from);
      if (to == kProgramCounter) out.flow = Flow::kIndirectJump;
      break;
    case 2:
      if (to == kStackPointer) out.computed = true;
      if (to == kProgramCounter) out.flow = ToRegister(from);
      break;
    case 3:
      out.flow = (half & 0x80) != 0 ? Flow::kIndirectCall : ToRegister(from);
      break;
    default:
      break;
  }
}

// Registers that a 16-bit instruction may write; an overapproximation.
uint32_t WrittenByShort(uint32_t half) {
  const uint32_t first = uint32_t{1} << (half & 7), second = uint32_t{1} << (half >> 8 & 7);
  switch (half >> 12) {
    case 11:
      return (half & 0xfe00) == 0xbc00 ? half & 0xff : (half & 0xfe00) == 0xb400 ? 0 : first;
    case 12:
      return (half & 0xff) | second;
    case 13:
    case 14:
      return 0;
    default:
      break;
  }
  if ((half & 0xfc00) != 0x4400) return first | second;
  const bool calls = (half & 0xff80) == 0x4780;
  return calls ? ~uint32_t{0} : uint32_t{1} << ((half & 7) | (half >> 4 & 8));
}

Instruction DecodeShort(const Code& code, uint64_t at, uint32_t half) {
  Instruction out;
  out.size = 2;
  out.writes = WrittenByShort(half);
  const uint64_t pc = at + 4;
  if ((half & 0xfe00) == 0xb400) {  // push
    out.grows = 4 * CountBits(half & 0x1ff);
  } else if ((half & 0xfe00) == 0xbc00) {  // pop
    out.grows = -4 * CountBits(half & 0x1ff);
    if ((half & 0x100) != 0) out.flow = Flow::kReturn;
  } else if ((half & 0xff80) == 0xb080) {  // sub sp
    out.grows = 4 * static_cast<int64_t>(half & 0x7f);
  } else if ((half & 0xff80) == 0xb000) {  // add sp
    out.grows = -4 * static_cast<int64_t>(half & 0x7f);
  } else if ((half & 0xfc00) == 0x4400) {
    DecodeHigh(half, out);
  } else if ((half & 0xf000) == 0xd000) {  // b<condition>
    const uint32_t condition = half >> 8 & 15;
    if (condition < 14) {
      out.flow = Flow::kBranch;
      out.target = pc + static_cast<uint64_t>(SignExtend(half & 0xff, 8) * 2);
    } else if (condition == 14) {
      out.flow = Flow::kStop;
    }
  } else if ((half & 0xf800) == 0xe000) {  // b
    out.flow = Flow::kJump;
    out.target = pc + static_cast<uint64_t>(SignExtend(half & 0x7ff, 11) * 2);
  } else if ((half & 0xf500) == 0xb100) {  // cbz, cbnz
    out.flow = Flow::kBranch;
    out.target = pc + ((half >> 3 & 0x40) | (half >> 2 & 0x3e));
  } else if ((half & 0xff00) == 0xbf00 && (half & 15) != 0) {  // it
    out.conditional = 4 - __builtin_ctz(half & 15);
  } else if ((half & 0xf800) == 0x4800) {  // ldr of a constant from a literal pool
    out.sets = static_cast<int>(half >> 8 & 7);
    out.constant = static_cast<int32_t>(code.Word((pc & ~uint64_t{3}) + (half & 0xff) * 4));
  } else if ((half & 0xf800) == 0x2000) {  // movs
    out.sets = static_cast<int>(half >> 8 & 7);
    out.constant = half & 0xff;
  } else if ((half & 0xf800) == 0 && (half & 7) == (half >> 3 & 7)) {  // lsls
    out.sets = static_cast<int>(half & 7);
    out.constant = half >> 6 & 31;
    out.is_shift = true;
  }
  return out;
}

// Expands the twelve-bit constant of a data processing instruction; nothing for patterns that
// repeat a byte.
std::optional<int64_t> Expand(uint32_t first, uint32_t second) {
  const uint32_t bits = (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | (second & 0xff);
  if (bits >> 8 == 0) return bits;
  if (bits >> 10 == 0) return std::nullopt;
  const uint32_t value = 0x80 | (bits & 0x7f), by = bits >> 7;
  return static_cast<int64_t>(value >> by | value << (32 - by));
}

// Loads and stores of one register with base writeback.
void DecodeIndexed(uint32_t first, uint32_t second, Instruction& out) {
  const bool load = (first & 0x10) != 0, word = (first & 0x60) == 0x40;
  const uint32_t base = first & 15, reg = second >> 12;
  const bool small_offset = (first & 0x80) == 0 && base != kProgramCounter;
  if (small_offset && (second & 0x900) == 0x900 && base == kStackPointer) {
    const int64_t by = static_cast<int64_t>(second & 0xff);
    out.grows = (second & 0x200) != 0 ? -by : by;
  }
  if (!load || !word) return;
  if (reg == kStackPointer) out.computed = true;
  if (reg == kProgramCounter)
    out.flow = base == kStackPointer ? Flow::kReturn : Flow::kIndirectJump;
}

// Load and store multiple, pairs, exclusive accesses and table jumps.
void DecodeMultiple(uint32_t first, uint32_t second, Instruction& out) {
  const uint32_t base = first & 15;
  const bool load = (first & 0x10) != 0, writes_back = (first & 0x20) != 0;
  if ((first & 0x40) != 0) {
    if ((first & 0xfff0) == 0xe8d0 && (second & 0xffe0) == 0xf000) {
      out.flow = Flow::kIndirectJump;  // tbb, tbh
    } else if (writes_back && base == kStackPointer) {
      const int64_t by = 4 * static_cast<int64_t>(second & 0xff);
      out.grows = (first & 0x80) != 0 ? -by : by;
    }
    return;
  }
  const bool returns = load && (second & 0x8000) != 0;
  if (first == 0xe92d) {
    out.grows = 4 * CountBits(second);
  } else if (first == 0xe8bd) {
    out.grows = -4 * CountBits(second);
  } else if (base == kStackPointer && writes_back) {
    out.computed = true;
  }
  if (load && (second & 0x2000) != 0) out.computed = true;
  if (returns) out.flow = base == kStackPointer ? Flow::kReturn : Flow::kIndirectJump;
}

void DecodeBranch(uint32_t first, uint32_t second, uint64_t pc, Instruction& out) {
  const uint64_t s = first >> 10 & 1, j1 = second >> 13 & 1, j2 = second >> 11 & 1;
  if ((second & 0x5000) == 0) {
    const uint32_t condition = first >> 6 & 15;
    if (condition < 14) {
      out.flow = Flow::kBranch;
      const uint64_t offset =
          s << 20 | j2 << 19 | j1 << 18 | uint64_t{first & 0x3f} << 12 | (second & 0x7ff) << 1;
      out.target = pc + static_cast<uint64_t>(SignExtend(offset, 21));
    } else if ((first & 0xfff0) == 0xf380 && ((second & 0xff) == 8 || (second & 0xff) == 9)) {
      out.computed = true;  // msr to one of the stack pointers
    } else if ((first & 0xfff0) == 0xf7f0 && (second & 0xf000) == 0xa000) {
      out.flow = Flow::kStop;  // udf
    }
    return;
  }
  const uint64_t i1 = (j1 ^ s) ^ 1, i2 = (j2 ^ s) ^ 1;
  const uint64_t offset =
      s << 24 | i1 << 23 | i2 << 22 | uint64_t{first & 0x3ff} << 12 | (second & 0x7ff) << 1;
  out.target = pc + static_cast<uint64_t>(SignExtend(offset, 25));
  if ((second & 0xd001) == 0xc001) {
    out.target = 0;  // dls, wls, le: hardware loops, whose bodies are visited anyway
  } else if ((second & 0xd000) == 0xc000) {
    out.flow = Flow::kIndirectCall;  // blx to Arm mode, which Cortex-M does not have
  } else {
    out.flow = (second & 0x4000) != 0 ? Flow::kCall : Flow::kJump;
  }
}

// Data processing with an immediate.
void DecodeConstant(uint32_t first, uint32_t second, Instruction& out) {
  const uint32_t to = second >> 8 & 15, from = first & 15;
  if (to != kStackPointer) return;
  const bool plain = (first & 0x200) != 0;
  const uint32_t op = plain ? first >> 4 & 31 : first >> 5 & 15;
  const int64_t wide = (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | (second & 0xff);
  const auto by = plain ? std::optional<int64_t>(wide) : Expand(first, second);
  const bool adds = plain ? op == 0 : op == 8;
  const bool subtracts = plain ? op == 10 : op == 13;
  if (from != kStackPointer || !by || (!adds && !subtracts)) {
    out.computed = true;
  } else {
    out.grows = adds ? -*by : *by;
  }
}

}  // namespace

Instruction DecodeThumb(const Code& code, uint64_t at) {
  if (!code.Has(at, 2)) return {};
  const uint32_t first = code.Half(at);
  if (first >> 11 < 0x1d) return DecodeShort(code, at, first);
  if (!code.Has(at, 4)) return {};
  const uint32_t second = code.Half(at + 2);
  Instruction out;
  out.size = 4;
  if ((first & 0xf800) == 0xf000 && (second & 0x8000) != 0) {
    DecodeBranch(first, second, at + 4, out);
  } else if ((first & 0xf800) == 0xf000) {
    DecodeConstant(first, second, out);
  } else if ((first & 0xfe00) == 0xe800) {
    DecodeMultiple(first, second, out);
  } else if ((first & 0xfe00) == 0xf800) {
    DecodeIndexed(first, second, out);
  } else if ((first & 0xfe00) == 0xea00) {
    if ((second >> 8 & 15) == kStackPointer) out.computed = true;
  } else if ((first & 0xff00) == 0xfa00) {
    if ((second >> 8 & 15) == kStackPointer) out.computed = true;
  } else if ((first & 0xffbf) == 0xed2d && (second & 0xe00) == 0xa00) {  // vpush
    out.grows = 4 * static_cast<int64_t>(second & 0xff);
  } else if ((first & 0xffbf) == 0xecbd && (second & 0xe00) == 0xa00) {  // vpop
    out.grows = -4 * static_cast<int64_t>(second & 0xff);
  } else if ((first & 0xee2f) ==
             0xec2d) {  // other vector instructions that change the stack pointer
    out.computed = true;
  }
  return out;
}

}  // namespace lathe::machine
