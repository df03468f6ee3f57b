#include "generator/interp/kernel/intrinsic_steps.h"

#include <algorithm>
#include <bit>

#include "generator/interp/data/math_functions.h"

namespace lathe::interp {
namespace {

Bits Arg(const Thread& t, const Instr* i, int n) { return t.regs[t.operands[i->a + n]]; }
int64_t IntOperand(const Thread& t, const Instr* i, int n) {
  return static_cast<int64_t>(Arg(t, i, n));
}

const Instr* UnaryMathStep(Thread& t, const Instr* i) {
  const double x = ToDouble(i->type, Arg(t, i, 0));
  t.regs[i->dst] = FromDouble(i->to, UnaryMathAt(static_cast<int>(i->b))(x));
  return i + 1;
}

const Instr* BinaryMathStep(Thread& t, const Instr* i) {
  const double x = ToDouble(i->type, Arg(t, i, 0));
  const double y = ToDouble(i->type, Arg(t, i, 1));
  t.regs[i->dst] = FromDouble(i->to, BinaryMathAt(static_cast<int>(i->b))(x, y));
  return i + 1;
}

const Instr* LdexpStep(Thread& t, const Instr* i) {
  const int64_t exponent = std::clamp<int64_t>(IntOperand(t, i, 1), -100'000, 100'000);
  const double x = ToDouble(i->type, Arg(t, i, 0));
  t.regs[i->dst] = FromDouble(i->to, std::ldexp(x, static_cast<int>(exponent)));
  return i + 1;
}

const Instr* FmaStep(Thread& t, const Instr* i) {
  t.regs[i->dst] = FusedMultiplyAdd(i->type, Arg(t, i, 0), Arg(t, i, 1), Arg(t, i, 2));
  return i + 1;
}

// The neighbour of x towards y, found by counting codes, which are ordered like their numbers.
const Instr* NextAfterStep(Thread& t, const Instr* i) {
  const Bits a = Arg(t, i, 0);
  const double x = ToDouble(i->type, a);
  const double y = ToDouble(i->type, Arg(t, i, 1));
  Bits& out = t.regs[i->dst];
  if (std::isnan(x) || std::isnan(y)) {
    out = FromDouble(i->to, std::nan(""));
  } else if (x == y) {
    out = Arg(t, i, 1);
  } else if (x == 0) {
    out = y > 0 ? 1 : (Bits{1} << (i->type.bits - 1)) + 1;
  } else {
    out = (x < y) == (x > 0) ? a + 1 : a - 1;
  }
  return i + 1;
}

const Instr* IntAbsStep(Thread& t, const Instr* i) {
  const Bits x = Arg(t, i, 0);
  const bool negative = i->type.is_int() && static_cast<int64_t>(x) < 0;
  t.regs[i->dst] = negative ? WrapSigned(uint64_t{0} - x, i->type.bits) : x;
  return i + 1;
}

const Instr* SameStep(Thread& t, const Instr* i) {
  t.regs[i->dst] = CastBits(i->type, Arg(t, i, 0), i->to);
  return i + 1;
}

const Instr* PopcountStep(Thread& t, const Instr* i) {
  const Bits x = WrapUnsigned(Arg(t, i, 0), i->type.bits);
  t.regs[i->dst] = static_cast<Bits>(std::popcount(x));
  return i + 1;
}

const Instr* ClzStep(Thread& t, const Instr* i) {
  const Bits x = WrapUnsigned(Arg(t, i, 0), i->type.bits);
  t.regs[i->dst] = static_cast<Bits>(std::countl_zero(x) - (64 - i->type.bits));
  return i + 1;
}

// x^n with integers, wrapping; a negative power of anything but 1 and -1 truncates to 0.
const Instr* IntPowStep(Thread& t, const Instr* i) {
  const Bits x = Arg(t, i, 0);
  const int64_t n = IntOperand(t, i, 1);
  const bool is_negative = i->type.is_int() && n < 0;
  uint64_t power = is_negative ? uint64_t{0} - static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
  uint64_t base = x;
  uint64_t result = 1;
  for (; power != 0; power >>= 1, base *= base) {
    if ((power & 1) != 0) result *= base;
  }
  if (is_negative && x != 1 && static_cast<int64_t>(x) != -1) result = 0;
  t.regs[i->dst] = CastBits(ir::DType::UInt(64), result, i->to);
  return i + 1;
}

template <typename Test>
const Instr* TestFloat(Thread& t, const Instr* i, Test test) {
  t.regs[i->dst] = test(ToDouble(i->type, Arg(t, i, 0)));
  return i + 1;
}
const Instr* IsNanStep(Thread& t, const Instr* i) {
  return TestFloat(t, i, [](double x) { return std::isnan(x); });
}
const Instr* IsInfStep(Thread& t, const Instr* i) {
  return TestFloat(t, i, [](double x) { return std::isinf(x); });
}
const Instr* IsFiniteStep(Thread& t, const Instr* i) {
  return TestFloat(t, i, [](double x) { return std::isfinite(x); });
}
const Instr* IsNullStep(Thread& t, const Instr* i) {
  t.regs[i->dst] = Arg(t, i, 0) == 0;
  return i + 1;
}

const Instr* LargeUintStep(Thread& t, const Instr* i) {
  t.regs[i->dst] = (Arg(t, i, 1) << 32) + (Arg(t, i, 0) & 0xffffffff);
  return i + 1;
}

// x * y * 2^-right, rounded to nearest with halves up, in 64 bits; then cut to the result's dtype.
Bits ScaledProduct(ir::DType to, uint64_t x, int64_t y, int64_t left, int64_t right) {
  left = std::clamp<int64_t>(left, 0, 63);
  right = std::clamp<int64_t>(right, 0, 63);
  const uint64_t product = (x << left) * static_cast<uint64_t>(y);
  const uint64_t half = right == 0 ? 0 : uint64_t{1} << (right - 1);
  return CastBits(ir::DType::Int(64),
                  static_cast<Bits>(static_cast<int64_t>(product + half) >> right), to);
}

// q_multiply_shift(x, y, q, s): x * (y * 2^-q) * 2^s.
const Instr* QMultiplyShiftStep(Thread& t, const Instr* i) {
  const int64_t s = IntOperand(t, i, 3);
  const int64_t right = IntOperand(t, i, 2) + std::max<int64_t>(0, -std::max<int64_t>(s, -64));
  t.regs[i->dst] = ScaledProduct(i->to, Arg(t, i, 0), IntOperand(t, i, 1), s, right);
  return i + 1;
}

// Operands: (x, y, left, right, q, is_left_required, is_right_required), the parameters of one
// channel.
const Instr* QMultiplyShiftPerAxisStep(Thread& t, const Instr* i) {
  const int64_t left = Arg(t, i, 5) != 0 ? IntOperand(t, i, 2) : 0;
  const int64_t right = Arg(t, i, 6) != 0 ? std::clamp<int64_t>(IntOperand(t, i, 3), -64, 64) : 0;
  t.regs[i->dst] = ScaledProduct(i->to, Arg(t, i, 0), IntOperand(t, i, 1), left,
                                 std::clamp<int64_t>(IntOperand(t, i, 4), 0, 64) + right);
  return i + 1;
}

// The arithmetic of runtime-c/fixed_point.h. Shifts beyond 31 bits shift everything out.
int64_t HighProduct(int64_t a, int64_t b) { return (a * b + (int64_t{1} << 30)) >> 31; }
int64_t RoundedShift(int64_t x, int64_t n) {
  if (n <= 0) return x;
  if (n > 31) return 0;
  return (x + (int64_t{1} << (n - 1)) - (x < 0 ? 1 : 0)) >> n;
}
const Instr* SetInt32(Thread& t, const Instr* i, int64_t value) {
  t.regs[i->dst] = CastBits(ir::DType::Int(64), static_cast<Bits>(value), i->to);
  return i + 1;
}
const Instr* HighProductStep(Thread& t, const Instr* i) {
  return SetInt32(t, i, HighProduct(IntOperand(t, i, 0), IntOperand(t, i, 1)));
}
const Instr* RoundedShiftStep(Thread& t, const Instr* i) {
  return SetInt32(t, i, RoundedShift(IntOperand(t, i, 0), IntOperand(t, i, 1)));
}
const Instr* ScaledTwiceStep(Thread& t, const Instr* i) {
  const int64_t x = IntOperand(t, i, 0), shift = std::clamp<int64_t>(IntOperand(t, i, 2), -64, 31);
  const auto lifted = static_cast<int32_t>(static_cast<uint64_t>(x) << std::max<int64_t>(shift, 0));
  return SetInt32(t, i, RoundedShift(HighProduct(lifted, IntOperand(t, i, 1)), -shift));
}
const Instr* ScaledRightStep(Thread& t, const Instr* i) {
  const int64_t high = HighProduct(IntOperand(t, i, 0), IntOperand(t, i, 1));
  return SetInt32(t, i, RoundedShift(high, IntOperand(t, i, 2)));
}
const Instr* ScaledOnceStep(Thread& t, const Instr* i) {
  const int64_t mantissa = IntOperand(t, i, 1);
  const int64_t shorter = mantissa < 0x7FFF0000 ? (mantissa + (1 << 15)) >> 16 : 0x7FFF;
  const int64_t down = 15 - std::clamp<int64_t>(IntOperand(t, i, 2), -47, 14);
  const uint64_t product = Arg(t, i, 0) * static_cast<uint64_t>(shorter);
  const uint64_t rounded = product + (uint64_t{1} << (down - 1));
  return SetInt32(t, i, static_cast<int64_t>(rounded) >> down);
}

enum class Domain { kInteger, kFloat, kAny };
struct IntrinsicRow {
  absl::string_view name;
  int arity;
  Domain domain;
  Step step;
};
constexpr IntrinsicRow kIntrinsicRows[] = {
    {"abs", 1, Domain::kInteger, IntAbsStep},
    {"fabs", 1, Domain::kInteger, IntAbsStep},
    {"floor", 1, Domain::kInteger, SameStep},
    {"ceil", 1, Domain::kInteger, SameStep},
    {"trunc", 1, Domain::kInteger, SameStep},
    {"round", 1, Domain::kInteger, SameStep},
    {"nearbyint", 1, Domain::kInteger, SameStep},
    {"pow", 2, Domain::kInteger, IntPowStep},
    {"popcount", 1, Domain::kInteger, PopcountStep},
    {"clz", 1, Domain::kInteger, ClzStep},
    {"high_product", 2, Domain::kInteger, HighProductStep},
    {"rounded_shift", 2, Domain::kInteger, RoundedShiftStep},
    {"scaled_right", 3, Domain::kInteger, ScaledRightStep},
    {"scaled_twice", 3, Domain::kInteger, ScaledTwiceStep},
    {"scaled_once", 3, Domain::kInteger, ScaledOnceStep},
    {"q_multiply_shift", 4, Domain::kInteger, QMultiplyShiftStep},
    {"q_multiply_shift_per_axis", 7, Domain::kInteger, QMultiplyShiftPerAxisStep},
    {"large_uint_imm", 2, Domain::kInteger, LargeUintStep},
    {"nextafter", 2, Domain::kFloat, NextAfterStep},
    {"nextafterf", 2, Domain::kFloat, NextAfterStep},
    {"ldexp", 2, Domain::kFloat, LdexpStep},
    {"ldexpf", 2, Domain::kFloat, LdexpStep},
    {"fma", 3, Domain::kAny, FmaStep},
    {"fmaf", 3, Domain::kFloat, FmaStep},
    {"isnan", 1, Domain::kAny, IsNanStep},
    {"isinf", 1, Domain::kAny, IsInfStep},
    {"isfinite", 1, Domain::kAny, IsFiniteStep},
    {"isnullptr", 1, Domain::kAny, IsNullStep},
    {"likely", 1, Domain::kAny, SameStep},
    {"unlikely", 1, Domain::kAny, SameStep},
    {"ignore_loop_partition", 1, Domain::kAny, SameStep},
    {"tvm_thread_invariant", 1, Domain::kAny, SameStep},
};

}  // namespace

std::optional<IntrinsicStep> FindIntrinsicStep(absl::string_view name, ir::DType t) {
  for (const IntrinsicRow& row : kIntrinsicRows) {
    const bool fits =
        row.domain == Domain::kAny || (row.domain == Domain::kFloat) == t.is_floating();
    if (row.name == name && fits) return IntrinsicStep{row.step, row.arity, 0};
  }
  if (!t.is_floating()) return std::nullopt;
  if (const int n = FindUnaryMath(name); n >= 0) {
    return IntrinsicStep{UnaryMathStep, 1, static_cast<uint32_t>(n)};
  }
  if (const int n = FindBinaryMath(name); n >= 0) {
    return IntrinsicStep{BinaryMathStep, 2, static_cast<uint32_t>(n)};
  }
  return std::nullopt;
}

const Instr* ReinterpretStep(Thread& t, const Instr* i) {
  const uint32_t from = i->type.is_bool() ? 8 : i->type.bits;
  const uint32_t width = i->to.is_bool() ? 8 : i->to.bits;
  Bits value = 0;
  for (uint32_t n = 0; n < width; ++n) {
    const uint32_t bit = i->d * width + n;
    if (bit / from >= i->c) break;
    value |= (t.regs[t.operands[i->a + bit / from]] >> (bit % from) & 1) << n;
  }
  t.regs[i->dst] =
      CastBits(ir::DType::UInt(64), value, i->to.is_int() ? i->to : ir::DType::UInt(64));
  if (i->to.is_bool()) t.regs[i->dst] = value != 0;
  return i + 1;
}

}  // namespace lathe::interp
