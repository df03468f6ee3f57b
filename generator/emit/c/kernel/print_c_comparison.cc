#include "generator/emit/c/kernel/print_c_comparison.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/emit/c/kernel/c_ranges.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

struct Sign {
  BinaryOp op;
  const char* text;
  BinaryOp swapped;  // the operator with exchanged operands
  int precedence;
};
constexpr Sign kSigns[] = {
    {BinaryOp::kEq, "==", BinaryOp::kEq, kEquality},
    {BinaryOp::kNe, "!=", BinaryOp::kNe, kEquality},
    {BinaryOp::kLt, "<", BinaryOp::kGt, kOrder},
    {BinaryOp::kLe, "<=", BinaryOp::kGe, kOrder},
    {BinaryOp::kGt, ">", BinaryOp::kLt, kOrder},
    {BinaryOp::kGe, ">=", BinaryOp::kLe, kOrder},
};

const Sign* SignOf(BinaryOp op) {
  for (const Sign& sign : kSigns) {
    if (sign.op == op) return &sign;
  }
  return nullptr;
}

// Returns true if every subexpression of `e` can be computed in `bits` bits.
bool Holds(CScope& scope, PrimRef e, int bits) {
  if (bits == 64) return KeepsItsRange(scope, e);
  if (!FitsBits(scope, e, bits)) return false;
  bool holds = true;
  ir::ForEachOperand(e, [&](PrimRef part) { holds = holds && Holds(scope, part, bits); });
  return holds;
}

// Returns the simplified operand `e` of a comparison, or nullopt if it is not an index expression
// or if its arithmetic may overflow.
std::optional<PrimRef> Side(CScope& scope, PrimRef e) {
  if (!e->dtype().is_int() || e->dtype().bits < 32) return std::nullopt;
  const PrimRef whole = ExpandAxes(scope, e);
  if (!IsPlace(whole) || !Holds(scope, whole, e->dtype().bits)) return std::nullopt;
  const PrimRef simple = analysis::Simplify(scope.ir, whole, scope.ranges);
  if (!IsPlace(simple) || !Holds(scope, simple, scope.wide ? 64 : 32)) return std::nullopt;
  return simple;
}

// Moves constants to the right: x + 1 < 3 becomes x < 2.
void MoveNumbers(ir::Context& ir, PrimRef& left, PrimRef& right) {
  while (const auto* limit = right->As<ir::IntImm>()) {
    const auto* sum = left->As<ir::Binary>();
    if (sum == nullptr || (sum->op != BinaryOp::kAdd && sum->op != BinaryOp::kSub)) return;
    const auto* number = sum->rhs->As<ir::IntImm>();
    int64_t moved = 0;
    if (number == nullptr) return;
    if (sum->op == BinaryOp::kAdd ? __builtin_sub_overflow(limit->value, number->value, &moved)
                                  : __builtin_add_overflow(limit->value, number->value, &moved)) {
      return;
    }
    right = ir.Int(moved, right->dtype());
    left = sum->lhs;
  }
}

// Returns whether a comparison of all values of `type` with a number holds for all or for none of
// them, and nullopt for some.
std::optional<bool> DecidedBySource(ir::DType type, BinaryOp op, int64_t number) {
  const int64_t half = int64_t{1} << (type.bits - 1);
  const int64_t least = type.is_int() ? -half : 0,
                largest = type.is_int() ? half - 1 : 2 * half - 1;
  const bool below = largest < number, above = number < least;
  switch (op) {
    case BinaryOp::kLt:
      return below ? std::optional(true) : least >= number ? std::optional(false) : std::nullopt;
    case BinaryOp::kGe:
      return below ? std::optional(false) : least >= number ? std::optional(true) : std::nullopt;
    case BinaryOp::kGt:
      return above ? std::optional(true) : largest <= number ? std::optional(false) : std::nullopt;
    case BinaryOp::kLe:
      return above ? std::optional(false) : largest <= number ? std::optional(true) : std::nullopt;
    case BinaryOp::kEq:
      return below || above ? std::optional(false) : std::nullopt;
    case BinaryOp::kNe:
      return below || above ? std::optional(true) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// The type of the integers that `e` widens without a change of value.
std::optional<ir::DType> WidenedFrom(PrimRef e) {
  const auto* cast = e->As<ir::Cast>();
  if (cast == nullptr) return std::nullopt;
  const ir::DType from = cast->value->dtype(), to = e->dtype();
  const bool integers = from.is_integer() && !from.is_bool() && from.lanes == 1;
  if (!integers || from.bits >= to.bits || from.bits > 32 || (from.is_int() && to.is_uint())) {
    return std::nullopt;
  }
  return from;
}

}  // namespace

std::optional<bool> DecidedByType(const ir::Binary& n) {
  const ir::DType dtype = n.lhs->dtype();
  if ((!dtype.is_int() && !dtype.is_uint()) || dtype.is_bool() || dtype.lanes != 1) {
    return std::nullopt;
  }
  const auto number = [](PrimRef e) { return e->As<ir::IntImm>(); };
  BinaryOp op = n.op == BinaryOp::kMin   ? BinaryOp::kLt
                : n.op == BinaryOp::kMax ? BinaryOp::kGt
                                         : n.op;
  const ir::IntImm *left = number(n.lhs), *right = number(n.rhs);
  const Sign* sign = SignOf(op);
  if (sign == nullptr || (left != nullptr) == (right != nullptr)) return std::nullopt;
  PrimRef other = n.lhs;
  if (right == nullptr) {
    right = left;
    op = sign->swapped;
    other = n.rhs;
  }
  const std::optional<ir::DType> from = WidenedFrom(other);
  if (from && (dtype.is_int() || right->value >= 0)) {
    if (const auto holds = DecidedBySource(*from, op, right->value)) return holds;
  }
  const bool is_signed = dtype.is_int();
  // Values are compared as bit patterns, because a constant uint64 is stored as one.
  const uint64_t ones = ~uint64_t{0} >> (64 - dtype.bits);
  const uint64_t value = static_cast<uint64_t>(right->value) & ones;
  const uint64_t least = is_signed ? ones / 2 + 1 : 0, largest = is_signed ? ones / 2 : ones;
  if (value == least && op == BinaryOp::kLt) return false;
  if (value == least && op == BinaryOp::kGe) return true;
  if (value == largest && op == BinaryOp::kGt) return false;
  if (value == largest && op == BinaryOp::kLe) return true;
  return std::nullopt;
}

absl::StatusOr<std::optional<CText>> PrintCComparison(CScope& scope, const ir::Binary& n) {
  const Sign* sign = SignOf(n.op);
  if (sign == nullptr) return std::nullopt;
  std::optional<PrimRef> left = Side(scope, n.lhs), right = Side(scope, n.rhs);
  if (!left || !right) return std::nullopt;
  if ((*left)->As<ir::IntImm>() != nullptr) {
    std::swap(left, right);
    sign = SignOf(sign->swapped);
  }
  if ((*left)->As<ir::IntImm>() != nullptr) return std::nullopt;
  MoveNumbers(scope.ir, *left, *right);
  if (!Holds(scope, *right, scope.wide ? 64 : 32)) return std::nullopt;
  LATHE_ASSIGN_OR_RETURN(const CText a, PrintCIndexValue(scope, *left));
  LATHE_ASSIGN_OR_RETURN(const CText b, PrintCIndexValue(scope, *right));
  const int in = sign->precedence;
  return CText{absl::StrCat(a.In(in), " ", sign->text, " ", b.In(in + 1)), in, true};
}

}  // namespace lathe::emit
