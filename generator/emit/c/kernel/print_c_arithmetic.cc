#include "generator/emit/c/kernel/print_c_arithmetic.h"

#include <cmath>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/bounds.h"
#include "generator/emit/c/kernel/c_ranges.h"
#include "generator/emit/c/kernel/print_c_comparison.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/kernel/stored_element.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/ir/packed_elements.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

// Operations that are defined in TIR but not in C, such as signed overflow, are printed with
// unsigned types or with functions of lathe/scalar.h, unless value ranges exclude these cases.

using ir::BinaryOp;
using ir::PrimRef;

CText Infix(const CText& a, const char* op, const CText& b, int precedence) {
  return {absl::StrCat(a.In(precedence), " ", op, " ", b.In(precedence + 1)), precedence};
}

CText As(absl::string_view type, const CText& text) {
  return {absl::StrCat("(", type, ")", text.In(kPrefix)), kPrefix};
}

// Casts `text` between integers and floats. Compilers warn about such a cast of a call unless the
// call is in parentheses.
CText Converted(absl::string_view type, const CText& text) {
  const bool is_literal = absl::StrContains(text.text.substr(0, 5), "INT");  // INT64_C(1)
  const bool is_call = !is_literal && !absl::StartsWith(text.text, "(") &&
                       absl::EndsWith(text.text, ")") && text.In(kPrefix) == text.text;
  return is_call ? CText{absl::StrCat("(", type, ")(", text.text, ")"), kPrefix} : As(type, text);
}

// Converts `text`, the value of the signed `e`, to an unsigned number.
CText Bits(PrimRef e, ir::DType dtype, const CText& text) {
  const bool wide = dtype.bits > 32;
  if (!text.bits.empty()) return {text.bits, text.bits_precedence};
  const auto* number = e->As<ir::IntImm>();
  if (number != nullptr && number->value >= 0) {
    return {wide ? absl::StrCat("UINT64_C(", number->value, ")")
                 : absl::StrCat(number->value, "u")};
  }
  return As(wide ? "uint64_t" : "uint32_t", text);
}

// Prints a op b for +, - and *. The result wraps around in the dtype of `e`.
CText Wrapping(CScope& scope, PrimRef e, CText a, const char* op, const CText& b, int precedence) {
  const ir::DType dtype = e->dtype();
  if (dtype.bits == 32 && a.literal && b.literal) a = As(CType(dtype), a);
  if (dtype.is_int() && dtype.bits >= 32 && NeverOverflows(scope, e)) {
    return Infix(a, op, b, precedence);
  }
  const bool wraps = dtype.is_uint() && (dtype.bits == 32 || dtype.bits == 64);  // in C too
  if (wraps) return Infix(a, op, b, precedence);
  // Results of 8-bit operands fit an int of 16 bits, except for products of unsigned operands.
  const bool fits_int =
      dtype.bits < 8 || (dtype.bits == 8 && (dtype.is_int() || precedence != kProduct));
  if (fits_int) return NarrowedInt(scope.needs, dtype, Infix(a, op, b, precedence), true);
  const auto* sides = e->As<ir::Binary>();
  const CText bits = Infix(Bits(sides->lhs, dtype, a), op, Bits(sides->rhs, dtype, b), precedence);
  CText wrapped = NarrowedInt(scope.needs, dtype, bits);
  if (dtype.bits == 32 || dtype.bits == 64) {
    wrapped.bits = bits.text;
    wrapped.bits_precedence = bits.precedence;
  }
  return wrapped;
}

// Prints division and modulus. A divisor that may be 0, -1, or of another sign than the dividend
// needs a function of lathe/scalar.h.
CText Divided(CScope& scope, PrimRef e, const ir::Binary& n, const CText& a, const CText& b) {
  const bool quotient = n.op == BinaryOp::kDiv || n.op == BinaryOp::kFloorDiv;
  const bool floors = n.op == BinaryOp::kFloorDiv || n.op == BinaryOp::kFloorMod;
  const ir::DType dtype = e->dtype();
  const auto narrowed = [&](const CText& text) {
    return dtype.bits == 32 || dtype.bits == 64 ? text : NarrowedInt(scope.needs, dtype, text);
  };
  const analysis::Interval by = CertainRangeOf(scope, n.rhs);
  const auto* imm = n.rhs->As<ir::IntImm>();
  const bool plain_unsigned = dtype.is_uint() && imm != nullptr && imm->value != 0;
  const bool positive =
      dtype.is_int() && by.lo > 0 && (!floors || CertainRangeOf(scope, n.lhs).lo >= 0);
  if (plain_unsigned || positive) {
    const CText plain = Infix(a, quotient ? "/" : "%", b, kProduct);
    return narrowed(plain);
  }
  scope.needs.headers.insert("\"lathe/scalar.h\"");
  const char* name = dtype.is_uint() ? (quotient ? "div" : "mod")
                     : floors        ? (quotient ? "floordiv" : "floormod")
                                     : (quotient ? "div" : "mod");
  const CText call = {absl::StrCat("lathe_", name, dtype.is_uint() ? "_u" : "_i",
                                   dtype.bits > 32 ? 64 : 32, "(", a.text, ", ", b.text, ")"),
                      kPrimary};
  return narrowed(call);
}

CText Shifted(CScope& scope, PrimRef e, const ir::Binary& n, const CText& a, const CText& b) {
  const ir::DType dtype = e->dtype();
  const bool left = n.op == BinaryOp::kShl;
  const auto* count = n.rhs->As<ir::IntImm>();
  const bool in_range = count != nullptr && count->value >= 0 && count->value < dtype.bits;
  const char* u = dtype.bits > 32 ? "uint64_t" : "uint32_t";
  if (in_range) {
    const CText by = {absl::StrCat(count->value)};
    if (left) return NarrowedInt(scope.needs, dtype, Infix(As(u, a), "<<", by, kShift));
    // The right shift of a negative number is implementation-defined in C.
    // Compilers warn about sums in shifts without parentheses.
    if (dtype.is_uint()) {
      return As(CScalarType(dtype), {absl::StrCat(a.In(kSum + 1), " >> ", by.text), kShift});
    }
    if (dtype.bits == 32 || dtype.bits == 64) {
      scope.needs.headers.insert("\"lathe/scalar.h\"");
      return {absl::StrCat("lathe_asr_i", static_cast<int>(dtype.bits), "(", a.text, ", ", by.text,
                           "u)"),
              kPrimary};
    }
  }
  scope.needs.headers.insert("\"lathe/scalar.h\"");
  return NarrowedInt(
      scope.needs, dtype,
      {absl::StrCat("lathe_", left ? "shl" : "shr", dtype.is_int() ? "_i" : "_u", "64(", a.text,
                    ", ", As("uint64_t", b).text, ", ", static_cast<int>(dtype.bits), ")")});
}

CText Bitwise(PrimRef e, const CText& a, const char* op, const CText& b, int precedence) {
  const CText text = Infix(a, op, b, precedence);
  const ir::DType dtype = e->dtype();
  const bool promoted = dtype.bits != 32 && dtype.bits != 64 && !dtype.is_bool();
  return promoted ? As(CScalarType(dtype), text) : text;
}

// Returns the value of a constant float expression that is a small integer, such as float(2) - 1.0.
// Returns nullopt otherwise.
std::optional<double> KnownFloat(PrimRef e) {
  const auto small = [](double v) -> std::optional<double> {
    return v == std::floor(v) && std::fabs(v) < 2048 ? std::optional<double>(v) : std::nullopt;
  };
  if (const auto* n = e->As<ir::FloatImm>()) return small(n->value);
  if (const auto* n = e->As<ir::Cast>()) {
    const auto* imm = n->value->As<ir::IntImm>();
    return imm == nullptr ? std::nullopt : small(static_cast<double>(imm->value));
  }
  const auto* n = e->As<ir::Binary>();
  if (n == nullptr || (n->op != BinaryOp::kAdd && n->op != BinaryOp::kSub)) return std::nullopt;
  const std::optional<double> a = KnownFloat(n->lhs), b = KnownFloat(n->rhs);
  if (!a || !b) return std::nullopt;
  return small(n->op == BinaryOp::kAdd ? *a + *b : *a - *b);
}

CText Pick(const CText& a, const CText& b, const char* op) {
  return {absl::StrCat(a.In(kOrder), " ", op, " ", b.In(kOrder + 1), " ? ", a.In(kTernary + 1),
                       " : ", b.In(kTernary + 1)),
          kTernary, false, a.literal && b.literal};
}

absl::StatusOr<CText> OfFloats(CScope& scope, PrimRef e, const ir::Binary& n, const CText& a,
                               const CText& b) {
  const ir::DType dtype = e->dtype();
  const char* f = dtype.bits == 64 ? "" : "f";
  const auto rounded = [&](CText text) {
    return RoundedFloat(scope.needs, dtype, std::move(text));
  };
  switch (n.op) {
    case BinaryOp::kAdd:
      return rounded(Infix(a, "+", b, kSum));
    case BinaryOp::kSub:
      return rounded(Infix(a, "-", b, kSum));
    case BinaryOp::kMul:
      return rounded(Infix(a, "*", b, kProduct));
    case BinaryOp::kDiv:
      return rounded(Infix(a, "/", b, kProduct));
    case BinaryOp::kMod:
      scope.needs.headers.insert("<math.h>");
      return rounded({absl::StrCat("fmod", f, "(", a.text, ", ", b.text, ")")});
    case BinaryOp::kFloorDiv: {
      scope.needs.headers.insert("<math.h>");
      const CText quotient = rounded(Infix(a, "/", b, kProduct));
      return CText{absl::StrCat("floor", f, "(", quotient.text, ")")};
    }
    case BinaryOp::kFloorMod: {
      scope.needs.headers.insert("<math.h>");
      const CText quotient = rounded(Infix(a, "/", b, kProduct));
      const CText floored = {absl::StrCat("floor", f, "(", quotient.text, ")")};
      return rounded(Infix(a, "-", rounded(Infix(floored, "*", b, kProduct)), kSum));
    }
    default:
      return CannotPrint(ir::ToString(e));
  }
}

}  // namespace

namespace {

CText Truth(const CText& a, const char* op, const CText& b, int precedence) {
  CText text = Infix(a, op, b, precedence);
  text.truth = true;
  return text;
}

absl::StatusOr<CText> Logical(CScope& scope, const ir::Binary& n) {
  LATHE_ASSIGN_OR_RETURN(const CText a, PrintCTruth(scope, n.lhs));
  LATHE_ASSIGN_OR_RETURN(const CText b, PrintCTruth(scope, n.rhs));
  if (n.op == BinaryOp::kAnd) return Truth(a, "&&", b, kAnd);
  return Truth({a.In(kAnd + 1)}, "||", {b.In(kAnd + 1)}, kOr);
}

// Prints the comparison of a number with itself without a comparison, because compilers warn about
// it. For a float it is a test for NaN.
CText WithItself(CScope& scope, const ir::Binary& n, const CText& a) {
  const bool holds = n.op == BinaryOp::kEq || n.op == BinaryOp::kLe || n.op == BinaryOp::kGe;
  const bool strict = n.op == BinaryOp::kLt || n.op == BinaryOp::kGt;
  if (strict || !n.lhs->dtype().is_floating()) return {holds ? "1u" : "0u"};
  scope.needs.headers.insert("<math.h>");
  return {absl::StrCat("isnan(", a.text, holds ? ") == 0" : ") != 0"), kEquality, true};
}

// Prints == and != of floats as a call, because compilers warn about the operators.
CText SameFloats(CScope& scope, const ir::Binary& n, const CText& a, const CText& b) {
  const bool equal = n.op == BinaryOp::kEq;
  scope.needs.headers.insert("\"lathe/scalar.h\"");
  return {absl::StrCat("lathe_equal", n.lhs->dtype().bits == 64 ? "(" : "f(", a.text, ", ", b.text,
                       equal ? ") != 0" : ") == 0"),
          kEquality, true};
}

}  // namespace

absl::StatusOr<CText> PrintCBinary(CScope& scope, PrimRef e, const ir::Binary& n) {
  if (n.op == BinaryOp::kAnd || n.op == BinaryOp::kOr) return Logical(scope, n);
  LATHE_ASSIGN_OR_RETURN(std::optional<CText> places, PrintCComparison(scope, n));
  if (places) return *std::move(places);
  LATHE_ASSIGN_OR_RETURN(const CText a, PrintCNumber(scope, n.lhs));
  LATHE_ASSIGN_OR_RETURN(const CText b, PrintCNumber(scope, n.rhs));
  if (const std::optional<bool> holds = DecidedByType(n)) {
    if (n.op == BinaryOp::kMin || n.op == BinaryOp::kMax) return *holds ? a : b;
    return CText{*holds ? "1u" : "0u"};
  }
  if (n.lhs == n.rhs && ir::IsComparison(n.op)) return WithItself(scope, n, a);
  if (n.lhs == n.rhs && (n.op == BinaryOp::kMin || n.op == BinaryOp::kMax)) return a;
  if (n.lhs->dtype().is_floating() && (n.op == BinaryOp::kEq || n.op == BinaryOp::kNe)) {
    return SameFloats(scope, n, a, b);
  }
  if ((n.op == BinaryOp::kMin || n.op == BinaryOp::kMax) && e->dtype().is_floating()) {
    // The minimum or maximum of constants is decided at compile time.
    const std::optional<double> x = KnownFloat(n.lhs), y = KnownFloat(n.rhs);
    if (x && y) return (n.op == BinaryOp::kMin ? *x < *y : *x > *y) ? a : b;
  }
  switch (n.op) {
    case BinaryOp::kMin:
      return Pick(a, b, "<");
    case BinaryOp::kMax:
      return Pick(a, b, ">");
    case BinaryOp::kEq:
      return Truth(a, "==", b, kEquality);
    case BinaryOp::kNe:
      return Truth(a, "!=", b, kEquality);
    case BinaryOp::kLt:
      return Truth(a, "<", b, kOrder);
    case BinaryOp::kLe:
      return Truth(a, "<=", b, kOrder);
    case BinaryOp::kGt:
      return Truth(a, ">", b, kOrder);
    case BinaryOp::kGe:
      return Truth(a, ">=", b, kOrder);
    default:
      break;
  }
  if (e->dtype().is_floating()) return OfFloats(scope, e, n, a, b);
  // One bit holds what two of them add up to, but for what is carried.
  const bool is_bit = e->dtype().is_bool();
  switch (n.op) {
    case BinaryOp::kAdd:
      if (is_bit) return Bitwise(e, {a.In(kEquality + 1)}, "^", {b.In(kEquality + 1)}, kBitXor);
      return Wrapping(scope, e, a, "+", b, kSum);
    case BinaryOp::kSub:
      if (is_bit) return Bitwise(e, {a.In(kEquality + 1)}, "^", {b.In(kEquality + 1)}, kBitXor);
      return Wrapping(scope, e, a, "-", b, kSum);
    case BinaryOp::kMul:
      if (is_bit) return Bitwise(e, {a.In(kEquality + 1)}, "&", {b.In(kEquality + 1)}, kBitAnd);
      return Wrapping(scope, e, a, "*", b, kProduct);
    case BinaryOp::kBitAnd:
      return Bitwise(e, {a.In(kEquality + 1)}, "&", {b.In(kEquality + 1)}, kBitAnd);
    case BinaryOp::kBitOr:
      return Bitwise(e, {a.In(kEquality + 1)}, "|", {b.In(kEquality + 1)}, kBitOr);
    case BinaryOp::kBitXor:
      return Bitwise(e, {a.In(kEquality + 1)}, "^", {b.In(kEquality + 1)}, kBitXor);
    case BinaryOp::kShl:
    case BinaryOp::kShr:
      return Shifted(scope, e, n, a, b);
    default:
      return Divided(scope, e, n, a, b);
  }
}

namespace {

// Returns true if `to` can represent all values of `from`.
bool Holds(ir::DType to, ir::DType from) {
  if (from.is_bool()) return to.is_uint() || to.bits > 1;
  if (from.is_int() == to.is_int()) return from.bits <= to.bits;
  return to.is_int() && from.bits < to.bits;
}

// Whether the float is one that `to` has when what is behind the point is left out.
bool IsFloatOf(const CScope& scope, PrimRef value, ir::DType to) {
  constexpr int kExact = 24;  // bits: limits of more are not numbers of every float
  if (to.bits > kExact || ir::IsPacked(to)) return false;
  const std::optional<CFloatRange> range = FloatRangeOf(scope, value);
  const double high = std::ldexp(1, to.is_int() ? to.bits - 1 : to.bits);
  return range && range->lo >= (to.is_int() ? -high : 0) && range->hi <= high - 1;
}

// Without what is behind the point, the nearest that `to` has.
CText IntOfFloat(CScope& scope, ir::DType from, ir::DType to, const CText& text) {
  scope.needs.headers.insert("\"lathe/scalar.h\"");
  const int bits = to.bits;
  if (to.is_int() && bits <= 32) {
    const int64_t high = (int64_t{1} << (bits - 1)) - 1;
    const std::string low = bits == 32 ? "INT32_MIN" : absl::StrCat(-high - 1);
    const CText call = {absl::StrCat("lathe_to_i32", from.bits == 64 ? "(" : "f(", text.text, ", ",
                                     low, ", ", high, ")")};
    return bits < 32 ? As(CScalarType(to), call) : call;
  }
  const std::string wide = from.bits == 64 ? text.text : As("double", text).text;
  if (to.is_int()) {
    const CText whole = {absl::StrCat("lathe_to_i64(", wide, ")")};
    if (bits == 64) return whole;
    scope.needs.headers.insert("\"lathe/bits.h\"");
    return {absl::StrCat("lathe_clamp_i64(", whole.text, ", ", bits, "u)")};
  }
  const std::string high =
      bits == 64 ? "UINT64_MAX" : absl::StrCat("UINT64_C(", (uint64_t{1} << bits) - 1, ")");
  return As(CScalarType(to), {absl::StrCat("lathe_to_u64(", wide, ", ", high, ")")});
}

}  // namespace

absl::StatusOr<CText> PrintCCast(CScope& scope, ir::DType to, PrimRef value) {
  const ir::DType from = value->dtype();
  if (CType(to).empty()) return CannotPrint(ToString(to));
  if (to.is_bool() && !from.is_floating()) return PrintCTruth(scope, value);
  LATHE_ASSIGN_OR_RETURN(const CText truth, PrintCValue(scope, value));
  LATHE_ASSIGN_OR_RETURN(const CText text, PrintCNumber(scope, value));
  if (to.is_bool() && from.is_floating()) {
    scope.needs.headers.insert("\"lathe/scalar.h\"");
    const char* zero = from.bits == 64 ? "(" : "f(";
    return CText{
        absl::StrCat("lathe_equal", zero, text.text, ", 0.0", from.bits == 64 ? "" : "f", ") == 0"),
        kEquality, true};
  }
  if (truth.truth && to.is_int() && to.bits > 1) {
    const char* numbers = to.bits > 32 ? " ? INT64_C(1) : INT64_C(0)" : " ? 1 : 0";
    return CText{truth.In(kTernary + 1) + numbers, kTernary, false, true};
  }
  if (!SmallFloatName(to).empty()) {
    if (from == to) return text;
    const bool wide_int = from.is_integer() && from.bits > 32;  // which C leaves open how to round
    return RoundedFloat(scope.needs, to, wide_int ? As("double", text) : text,
                        from.bits == 64 || (from.is_integer() && from.bits > 24));
  }
  if (from.is_floating() && to.is_integer()) {
    return IsFloatOf(scope, value, to) ? Converted(CScalarType(to), text)
                                       : IntOfFloat(scope, from, to, text);
  }
  if (ir::IsPacked(to) && to.is_integer() && !Holds(to, from)) {
    return NarrowedInt(scope.needs, to, text);
  }
  // A variable that is declared in another width is cast directly, without a cast to `from`.
  const auto it = scope.vars.find(value);
  if (it != scope.vars.end() && it->second.declared.is_int() && from.is_int() && to != from &&
      !scope.axes.contains(value)) {
    const CText variable{it->second.name};
    if (CScalarType(it->second.declared) == CScalarType(to)) return variable;
    return to.is_floating() ? Converted(CScalarType(to), variable) : As(CScalarType(to), variable);
  }
  if (CScalarType(from) == CScalarType(to)) return text;
  return to.is_floating() ? Converted(CScalarType(to), text) : As(CScalarType(to), text);
}

}  // namespace lathe::emit
