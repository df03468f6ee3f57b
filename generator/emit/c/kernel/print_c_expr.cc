#include "generator/emit/c/kernel/print_c_expr.h"

#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/negated.h"
#include "generator/emit/c/kernel/print_c_arithmetic.h"
#include "generator/emit/c/kernel/print_c_comparison.h"
#include "generator/emit/c/kernel/print_c_element.h"
#include "generator/emit/c/kernel/print_c_intrinsic.h"
#include "generator/emit/c/kernel/stored_element.h"
#include "generator/emit/c/names/c_number.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/ir/map_operands.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::PrimRef;

CText Int(ir::DType dtype, int64_t value) {
  const std::string text = CIntegerNumber(dtype, value);
  if (dtype.is_bool()) return {text, kPrimary};
  if (dtype.is_uint()) {
    if (dtype.bits > 32) return {text};
    return {text, kPrimary, false, true};
  }
  if (dtype.bits <= 32 && value != std::numeric_limits<int32_t>::min()) {
    return {text, value < 0 ? kPrefix : kPrimary, false, true};
  }
  return {text, kPrimary};
}

absl::StatusOr<CText> Variable(CScope& scope, PrimRef e, const ir::SymVar& n) {
  if (const auto it = scope.axes.find(e); it != scope.axes.end()) {
    return PrintCValue(scope, it->second);
  }
  const auto it = scope.vars.find(e);
  if (it == scope.vars.end()) return CannotPrint(absl::StrCat("variable '", n.name, "'"));
  if (it->second.declared == e->dtype()) return CText{it->second.name, kPrimary};
  return CText{absl::StrCat("(", CScalarType(e->dtype()), ")", it->second.name), kPrefix};
}

absl::StatusOr<CText> Negated(CScope& scope, PrimRef e, const ir::Unary& n) {
  if (n.op == ir::UnaryOp::kNot) {
    LATHE_ASSIGN_OR_RETURN(const CText truth, PrintCTruth(scope, n.value));
    return CText{absl::StrCat("!", truth.In(kPrefix)), kPrefix, true};
  }
  LATHE_ASSIGN_OR_RETURN(const CText value, PrintCValue(scope, n.value));
  if (e->dtype().is_floating()) return CText{absl::StrCat("-", value.In(kPrefix + 1)), kPrefix};
  const char* u = e->dtype().bits > 32 ? "uint64_t" : "uint32_t";
  const std::string as_unsigned = absl::StrCat("(", u, ")", value.In(kPrefix));
  if (n.op == ir::UnaryOp::kNeg) {
    return NarrowedInt(scope.needs, e->dtype(), {absl::StrCat("0u - ", as_unsigned), kSum});
  }
  return NarrowedInt(scope.needs, e->dtype(), {absl::StrCat("~", as_unsigned), kPrefix});
}

// Returns the value of a condition that is constant: a literal, a comparison of literals, a strict
// comparison of a value with itself, or one decided by its type. Returns nullopt otherwise.
std::optional<bool> Decided(PrimRef e) {
  const auto* n = e->As<ir::Binary>();
  if (const auto* imm = e->As<ir::IntImm>()) return imm->value != 0;
  const bool strict = n != nullptr && (n->op == ir::BinaryOp::kLt || n->op == ir::BinaryOp::kGt);
  if (strict && n->lhs == n->rhs) return false;  // also for NaN
  if (n != nullptr && n->op != ir::BinaryOp::kMin && n->op != ir::BinaryOp::kMax) {
    if (const std::optional<bool> holds = DecidedByType(*n)) return holds;
  }
  const auto* a = n == nullptr ? nullptr : n->lhs->As<ir::IntImm>();
  const auto* b = n == nullptr ? nullptr : n->rhs->As<ir::IntImm>();
  if (a == nullptr || b == nullptr || !n->lhs->dtype().is_int()) return std::nullopt;
  switch (n->op) {
    case ir::BinaryOp::kEq:
      return a->value == b->value;
    case ir::BinaryOp::kNe:
      return a->value != b->value;
    case ir::BinaryOp::kLt:
      return a->value < b->value;
    case ir::BinaryOp::kLe:
      return a->value <= b->value;
    case ir::BinaryOp::kGt:
      return a->value > b->value;
    case ir::BinaryOp::kGe:
      return a->value >= b->value;
    default:
      return std::nullopt;
  }
}

absl::StatusOr<CText> Choice(CScope& scope, const ir::Select& n) {
  // The unreachable operand is omitted, because compilers warn about it.
  if (const std::optional<bool> decided = Decided(n.cond)) {
    return PrintCValue(scope, *decided ? n.if_true : n.if_false);
  }
  LATHE_ASSIGN_OR_RETURN(const CText c, PrintCTruth(scope, n.cond));
  LATHE_ASSIGN_OR_RETURN(const CText a, PrintCNumber(scope, n.if_true));
  LATHE_ASSIGN_OR_RETURN(const CText b, PrintCNumber(scope, n.if_false));
  return CText{absl::StrCat(c.In(kTernary + 1), " ? ", a.In(kTernary + 1), " : ", b.In(kTernary)),
               kTernary, false, a.literal && b.literal};
}

}  // namespace

std::string CText::In(int outer) const {
  return precedence < outer ? absl::StrCat("(", text, ")") : text;
}

absl::StatusOr<CText> PrintCNumber(CScope& scope, PrimRef e) {
  LATHE_ASSIGN_OR_RETURN(CText text, PrintCValue(scope, e));
  if (!text.truth) return text;
  return CText{absl::StrCat(text.In(kTernary + 1), " ? 1u : 0u"), kTernary};
}

absl::StatusOr<CText> PrintCTruth(CScope& scope, PrimRef e) {
  LATHE_ASSIGN_OR_RETURN(CText text, PrintCValue(scope, e));
  if (text.truth) return text;
  return CText{absl::StrCat(text.In(kEquality), " != ", e->dtype().is_int() ? "0" : "0u"),
               kEquality, true};
}

absl::StatusOr<std::string> PrintCCondition(CScope& scope, PrimRef e) {
  LATHE_ASSIGN_OR_RETURN(CText text, PrintCTruth(scope, e));
  return std::move(text.text);
}

absl::StatusOr<std::string> PrintCViolation(CScope& scope, PrimRef e) {
  // `e` is constant false, so the violation is always true. Compilers do not warn about dead code
  // after a condition on macros.
  const auto* known = e->As<ir::IntImm>();
  if (known != nullptr && known->value == 0) return std::string("LATHE_E_SHAPE != LATHE_OK");
  return PrintCCondition(scope, analysis::Negated(scope.ir, e));
}

absl::Status CannotPrint(absl::string_view what) {
  return absl::UnimplementedError(
      absl::StrCat(what,
                   " cannot be printed as C yet; supported: scalar arithmetic, comparisons, min, "
                   "max, select, casts, elements of buffers, mathematical functions, calls of "
                   "external functions; for bool, integers of 1 to 64 bits, float16, bfloat16, "
                   "float32, float64 and the floats of 8, 6 and 4 bits"));
}

PrimRef ExpandAxes(CScope& scope, PrimRef e) {
  if (const auto it = scope.axes.find(e); it != scope.axes.end()) return it->second;
  return ir::MapOperands(scope.ir, e, [&](PrimRef operand) { return ExpandAxes(scope, operand); });
}

absl::StatusOr<CText> PrintCValue(CScope& scope, PrimRef e) {
  if (e->dtype() == ir::DType::Float(64) && !scope.needs.no_float64.empty()) {
    return absl::UnimplementedError(scope.needs.no_float64);
  }
  if (e->As<ir::StringImm>() == nullptr && CType(e->dtype()).empty()) {
    return CannotPrint(absl::StrCat(ir::ToString(e), " of ", ToString(e->dtype())));
  }
  return Match(
      e->node(),
      [&](const ir::IntImm& n) -> absl::StatusOr<CText> {
        // Compilers warn about a comparison of a 32-bit number with a constant beyond its range.
        if (scope.given_narrow && static_cast<int32_t>(n.value) != n.value) {
          scope.must_be_wide = true;
        }
        return Int(e->dtype(), n.value);
      },
      [&](const ir::FloatImm& n) -> absl::StatusOr<CText> {
        // Constants of small float formats are rounded at compile time.
        const bool small = !SmallFloatName(e->dtype()).empty();
        const double value =
            small ? interp::ToDouble(e->dtype(), interp::FromDouble(e->dtype(), n.value)) : n.value;
        const std::string text = CFloatNumber(value, e->dtype().bits <= 32);
        if (absl::StrContains(text, 'N')) scope.needs.headers.insert("<math.h>");  // NAN, INFINITY
        const bool prefixed = text[0] == '-' || text[0] == '(';
        return CText{text, prefixed ? kPrefix : kPrimary};
      },
      [&](const ir::SymVar& n) { return Variable(scope, e, n); },
      [&](const ir::Unary& n) { return Negated(scope, e, n); },
      [&](const ir::Binary& n) { return PrintCBinary(scope, e, n); },
      [&](const ir::Select& n) { return Choice(scope, n); },
      [&](const ir::Cast& n) { return PrintCCast(scope, e->dtype(), n.value); },
      [&](const ir::Load& n) -> absl::StatusOr<CText> {
        if (n.predicate != nullptr) return CannotPrint(ir::ToString(e));
        LATHE_ASSIGN_OR_RETURN(const StoredPlace place, PrintCPlace(scope, n.buffer, n.indices));
        return ReadElement(scope.needs, e->dtype(), place);
      },
      [&](const ir::Let& n) -> absl::StatusOr<CText> {
        scope.axes[n.var] = ExpandAxes(scope, n.value);
        return PrintCValue(scope, n.body);
      },
      [&](const ir::Intrinsic& n) { return PrintCIntrinsic(scope, e, n); },
      [&](const auto&) -> absl::StatusOr<CText> { return CannotPrint(ir::ToString(e)); });
}

absl::StatusOr<std::string> PrintCExpr(CScope& scope, PrimRef e) {
  LATHE_ASSIGN_OR_RETURN(CText text, PrintCNumber(scope, e));
  return std::move(text.text);
}

absl::StatusOr<std::string> PrintCStore(CScope& scope, ir::BufferRef buffer,
                                        const std::vector<PrimRef>& indices, PrimRef value) {
  LATHE_ASSIGN_OR_RETURN(const StoredPlace place, PrintCPlace(scope, buffer, indices));
  LATHE_ASSIGN_OR_RETURN(const CText text, PrintCNumber(scope, value));
  return WriteElement(scope.needs, buffer->dtype, place, text);
}

}  // namespace lathe::emit
