// Follows the unprivileged specification, RV32 and RV64 with compressed instructions.
#include "generator/machine/decode_riscv.h"

#include "generator/machine/sign_extend.h"

namespace lathe::machine {
namespace {

constexpr uint32_t kRa = 1, kSp = 2, kT0 = 5;

uint64_t Bits(uint32_t word, int from, int count) {
  return word >> from & ((uint32_t{1} << count) - 1);
}

void JumpTo(uint32_t link, uint64_t target, Instruction& out) {
  out.target = target;
  out.flow = link == 0 ? Flow::kJump : Flow::kCall;
  out.links_beside = link == kT0;
}

void JumpToRegister(uint32_t link, uint32_t reg, int64_t offset, Instruction& out) {
  if (link == 0) {
    const bool returns = (reg == kRa || reg == kT0) && offset == 0;
    out.flow = returns ? Flow::kReturn : Flow::kIndirectJump;
  } else {
    out.flow = Flow::kIndirectCall;
  }
}

uint64_t ShortJump(uint32_t half) {
  return static_cast<uint64_t>(SignExtend(Bits(half, 12, 1) << 11 | Bits(half, 11, 1) << 4 |
                                              Bits(half, 9, 2) << 8 | Bits(half, 8, 1) << 10 |
                                              Bits(half, 7, 1) << 6 | Bits(half, 6, 1) << 7 |
                                              Bits(half, 3, 3) << 1 | Bits(half, 2, 1) << 5,
                                          12));
}

uint64_t ShortBranch(uint32_t half) {
  return static_cast<uint64_t>(SignExtend(Bits(half, 12, 1) << 8 | Bits(half, 10, 2) << 3 |
                                              Bits(half, 5, 2) << 6 | Bits(half, 3, 2) << 1 |
                                              Bits(half, 2, 1) << 5,
                                          9));
}

// Quadrant 1: constants, jumps and branches.
void DecodeQuadrant1(uint32_t half, uint64_t at, bool wide, Instruction& out) {
  const uint32_t to = half >> 7 & 31;
  const int64_t small = SignExtend(Bits(half, 12, 1) << 5 | Bits(half, 2, 5), 6);
  switch (half >> 13) {
    case 0:  // c.addi
      if (to == kSp) out.grows = -small;
      out.sets = static_cast<int>(to);
      out.constant = small;
      out.is_sum = true;
      break;
    case 1:  // c.jal, c.addiw
      if (!wide) {
        JumpTo(kRa, at + ShortJump(half), out);
      } else if (to == kSp) {
        out.computed = true;
      }
      break;
    case 2:  // c.li
      out.sets = static_cast<int>(to);
      out.constant = small;
      out.computed = to == kSp;
      break;
    case 3:  // c.addi16sp, c.lui
      if (to == kSp) {
        out.grows =
            -SignExtend(Bits(half, 12, 1) << 9 | Bits(half, 6, 1) << 4 | Bits(half, 5, 1) << 6 |
                            Bits(half, 3, 2) << 7 | Bits(half, 2, 1) << 5,
                        10);
      } else {
        out.sets = static_cast<int>(to);
        out.constant = small * 4096;
      }
      break;
    case 5:
      JumpTo(0, at + ShortJump(half), out);
      break;
    case 6:
    case 7:
      out.flow = Flow::kBranch;
      out.target = at + ShortBranch(half);
      break;
    default:
      break;
  }
}

// Quadrant 2: c.slli, loads and stores by the stack pointer, jumps to registers.
void DecodeQuadrant2(uint32_t half, Instruction& out) {
  const uint32_t to = half >> 7 & 31, from = half >> 2 & 31, kind = half >> 13;
  const bool loads_integer = kind == 2 || kind == 3;
  if (kind == 0 || loads_integer) {
    out.computed = to == kSp;
  } else if (kind == 4) {
    const bool second = Bits(half, 12, 1) != 0;
    if (from == 0 && to == 0) {
      out.flow = Flow::kStop;  // c.ebreak
    } else if (from == 0) {
      JumpToRegister(second ? kRa : 0, to, 0, out);
    } else if (to == kSp && second) {
      out.adds = static_cast<int>(from);
    } else if (to == kSp) {
      out.computed = true;
    }
  }
}

void DecodeLong(uint32_t word, uint64_t at, Instruction& out) {
  const uint32_t to = word >> 7 & 31, from = word >> 15 & 31, from2 = word >> 20 & 31;
  const uint32_t op = word & 127, function = word >> 12 & 7;
  const int64_t constant = SignExtend(word >> 20, 12);
  switch (op) {
    case 0x6f: {  // jal
      const uint64_t offset = Bits(word, 31, 1) << 20 | Bits(word, 12, 8) << 12 |
                              Bits(word, 20, 1) << 11 | Bits(word, 21, 10) << 1;
      JumpTo(to, at + static_cast<uint64_t>(SignExtend(offset, 21)), out);
      return;
    }
    case 0x67:  // jalr
      JumpToRegister(to, from, constant, out);
      return;
    case 0x63: {  // branches
      const uint64_t offset = Bits(word, 31, 1) << 12 | Bits(word, 7, 1) << 11 |
                              Bits(word, 25, 6) << 5 | Bits(word, 8, 4) << 1;
      out.flow = Flow::kBranch;
      out.target = at + static_cast<uint64_t>(SignExtend(offset, 13));
      return;
    }
    case 0x23:  // stores and fences write no register
    case 0x27:
    case 0x0f:
      return;
    case 0x73:
      if (word == 0x00100073) out.flow = Flow::kStop;  // ebreak
      out.computed = to == kSp && function != 0;
      return;
    case 0x37:  // lui
      out.sets = static_cast<int>(to);
      out.constant = static_cast<int32_t>(word & 0xfffff000);
      out.computed = to == kSp;
      return;
    case 0x07:  // float loads and arithmetic write no general register
    case 0x43:
    case 0x47:
    case 0x4b:
    case 0x4f:
      return;
    case 0x13:
      if (function == 0 && to == kSp && from == kSp) {
        out.grows = -constant;
      } else if (function == 0 && (from == to || from == 0)) {
        out.sets = static_cast<int>(to);
        out.constant = constant;
        out.is_sum = from == to;
        out.computed = to == kSp;
      } else {
        out.computed = to == kSp;
      }
      return;
    case 0x33:
      if (to == kSp && from == kSp && function == 0 && word >> 25 != 1) {
        out.adds = static_cast<int>(from2);
        out.sign = word >> 25 == 0 ? 1 : -1;
      } else {
        out.computed = to == kSp;
      }
      return;
    case 0x53:
      out.computed = to == kSp && (word >> 28 == 0xa || word >> 28 == 0xc || word >> 28 == 0xe);
      return;
    default:
      out.computed = to == kSp;
  }
}

}  // namespace

Instruction DecodeRiscV(const Code& code, uint64_t at, bool wide) {
  if (!code.Has(at, 2)) return {};
  const uint32_t half = code.Half(at);
  Instruction out;
  if ((half & 3) == 3) {
    if ((half & 0x1c) == 0x1c || !code.Has(at, 4)) return {};
    out.size = 4;
    const uint32_t word = code.Word(at);
    out.writes = uint32_t{1} << (word >> 7 & 31);
    DecodeLong(word, at, out);
    // auipc and jalr: a far call or jump.
    if ((word & 127) == 0x17 && code.Has(at, 8)) {
      const uint32_t next = code.Word(at + 4), link = next >> 7 & 31;
      if ((next & 0x707f) == 0x67 && (next >> 15 & 31) == (word >> 7 & 31)) {
        const int64_t high = static_cast<int32_t>(word & 0xfffff000);
        JumpTo(link, at + static_cast<uint64_t>(high + SignExtend(next >> 20, 12)), out);
        out.size = 8;
      } else {
        out.computed = (word >> 7 & 31) == kSp;
      }
    }
    return out;
  }
  if (half == 0) return {};  // defined as illegal
  out.size = 2;
  // The registers that any of the forms may write.
  out.writes = uint32_t{1} << (half >> 7 & 31) | uint32_t{1} << ((half >> 7 & 7) + 8) |
               uint32_t{1} << ((half >> 2 & 7) + 8);
  if ((half & 3) == 1) DecodeQuadrant1(half, at, wide, out);
  if ((half & 3) == 2) DecodeQuadrant2(half, out);
  return out;
}

}  // namespace lathe::machine
