#include "generator/interp/kernel/arithmetic_steps.h"

#include <array>
#include <utility>

namespace lathe::interp {
namespace {

const Instr* FailUndefined(Thread& t, const Instr* i) {
  return t.Stop(t.Error(i, "run-malformed-program")
                << "this operator is not defined for " << ToString(i->type));
}

template <ir::BinaryOp kOp, Kind kKind>
const Instr* BinaryOf(Thread& t, const Instr* i) {
  const Fault fault =
      ComputeBinary<kOp, kKind>(i->type, t.regs[i->a], t.regs[i->b], &t.regs[i->dst]);
  if (fault != Fault::kNone) return FailUndefined(t, i);
  return i + 1;
}

// Arithmetic on sizes: overflow is an error.
template <ir::BinaryOp kOp>
const Instr* SizeOf(Thread& t, const Instr* i) {
  const int64_t a = static_cast<int64_t>(t.regs[i->a]), b = static_cast<int64_t>(t.regs[i->b]);
  constexpr bool kIsProduct = kOp == ir::BinaryOp::kMul, kIsSum = kOp == ir::BinaryOp::kAdd;
  constexpr absl::string_view kWord = kIsProduct ? "times" : kIsSum ? "plus" : "minus";
  int64_t result = 0;
  const bool overflows = kIsProduct ? __builtin_mul_overflow(a, b, &result)
                         : kIsSum   ? __builtin_add_overflow(a, b, &result)
                                    : __builtin_sub_overflow(a, b, &result);
  if (overflows) {
    const bool below = kIsProduct ? (a < 0) != (b < 0) : a < 0;
    return t.Stop(t.Error(i, "run-size-overflow")
                  << a << " " << kWord << " " << b << " is " << (below ? "below" : "above")
                  << " the range of sizes");
  }
  t.regs[i->dst] = static_cast<Bits>(result);
  return i + 1;
}

// Division of sizes, and of the integers of any width in them: division by 0 is an error.
template <ir::BinaryOp kOp>
const Instr* SizeQuotientOf(Thread& t, const Instr* i) {
  if (t.regs[i->b] == 0) {
    const Bits a = t.regs[i->a];
    const absl::string_view sign = i->type.is_int() && static_cast<int64_t>(a) < 0 ? "-" : "";
    return t.Stop(t.Error(i, "run-division-by-zero")
                  << "a size is " << sign << (sign.empty() ? a : 0 - a) << " divided by 0");
  }
  return BinaryStep(kOp, i->type)(t, i);
}

template <ir::UnaryOp kOp, Kind kKind>
const Instr* UnaryOf(Thread& t, const Instr* i) {
  const Fault fault = ComputeUnary<kOp, kKind>(i->type, t.regs[i->a], &t.regs[i->dst]);
  if (fault != Fault::kNone) return FailUndefined(t, i);
  return i + 1;
}

const Instr* CastOf(Thread& t, const Instr* i) {
  t.regs[i->dst] = CastBits(i->type, t.regs[i->a], i->to);
  return i + 1;
}

constexpr size_t kBinaryOps = static_cast<size_t>(ir::BinaryOp::kShr) + 1;
constexpr size_t kUnaryOps = static_cast<size_t>(ir::UnaryOp::kBitNot) + 1;

// One row per operator, one column per Kind.
template <size_t... kCells>
constexpr std::array<Step, sizeof...(kCells)> BinaryTable(std::index_sequence<kCells...>) {
  return {
      &BinaryOf<static_cast<ir::BinaryOp>(kCells / kKinds), static_cast<Kind>(kCells % kKinds)>...};
}
template <size_t... kCells>
constexpr std::array<Step, sizeof...(kCells)> UnaryTable(std::index_sequence<kCells...>) {
  return {
      &UnaryOf<static_cast<ir::UnaryOp>(kCells / kKinds), static_cast<Kind>(kCells % kKinds)>...};
}

constexpr auto kBinarySteps = BinaryTable(std::make_index_sequence<kBinaryOps * kKinds>());
constexpr auto kUnarySteps = UnaryTable(std::make_index_sequence<kUnaryOps * kKinds>());

}  // namespace

Step BinaryStep(ir::BinaryOp op, ir::DType t) {
  return kBinarySteps[static_cast<size_t>(op) * kKinds + static_cast<size_t>(KindOf(t))];
}

Step SizeStep(ir::BinaryOp op, ir::DType t) {
  const bool wide = t == ir::DType::Int(64);
  switch (op) {
    case ir::BinaryOp::kAdd:
      return wide ? &SizeOf<ir::BinaryOp::kAdd> : BinaryStep(op, t);
    case ir::BinaryOp::kSub:
      return wide ? &SizeOf<ir::BinaryOp::kSub> : BinaryStep(op, t);
    case ir::BinaryOp::kMul:
      return wide ? &SizeOf<ir::BinaryOp::kMul> : BinaryStep(op, t);
    case ir::BinaryOp::kDiv:
      return t.is_integer() ? &SizeQuotientOf<ir::BinaryOp::kDiv> : BinaryStep(op, t);
    case ir::BinaryOp::kMod:
      return t.is_integer() ? &SizeQuotientOf<ir::BinaryOp::kMod> : BinaryStep(op, t);
    case ir::BinaryOp::kFloorDiv:
      return t.is_integer() ? &SizeQuotientOf<ir::BinaryOp::kFloorDiv> : BinaryStep(op, t);
    case ir::BinaryOp::kFloorMod:
      return t.is_integer() ? &SizeQuotientOf<ir::BinaryOp::kFloorMod> : BinaryStep(op, t);
    default:
      return BinaryStep(op, t);
  }
}

Step UnaryStep(ir::UnaryOp op, ir::DType t) {
  return kUnarySteps[static_cast<size_t>(op) * kKinds + static_cast<size_t>(KindOf(t))];
}

Step CastStep(ir::DType from, ir::DType to) {
  // Registers hold integers extended to 64 bits, so widening with the same sign changes nothing.
  const bool widens = (from.is_int() && to.is_int() && to.bits >= from.bits) ||
                      (from.is_uint() && to.is_integer() && to.bits > from.bits);
  return widens || from.element() == to.element() ? MoveStep : CastOf;
}

const Instr* MoveStep(Thread& t, const Instr* i) {
  t.regs[i->dst] = t.regs[i->a];
  return i + 1;
}

const Instr* SelectStep(Thread& t, const Instr* i) {
  t.regs[i->dst] = t.regs[t.regs[i->a] != 0 ? i->b : i->c];
  return i + 1;
}

}  // namespace lathe::interp
