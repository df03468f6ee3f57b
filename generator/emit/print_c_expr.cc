#include "generator/emit/print_c_expr.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/analysis/bounds.h"
#include "generator/analysis/simplify.h"
#include "generator/emit/c_types.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/tir.h"
#include "generator/support/status.h"

namespace lathe::emit {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

// C's own precedences, the looser the lower.
enum : int {
  kTernary = 1,
  kOr = 2,
  kAnd = 3,
  kEquality = 7,
  kOrder = 8,
  kSum = 10,
  kProduct = 11,
  kPrefix = 12,
  kPrimary = 13
};

struct Text {
  std::string text;
  int precedence = kPrimary;
  std::string In(int outer) const {
    return precedence < outer ? absl::StrCat("(", text, ")") : text;
  }
};

absl::Status Cannot(absl::string_view what) {
  return absl::UnimplementedError(absl::StrCat(
      what,
      " cannot be printed as C yet; supported: arithmetic, comparisons, min, max, select, "
      "casts, elements of buffers, exp, log, log1p, sqrt, tanh, erf, pow, floor, ceil, fabs"));
}

// The shortest decimal form that reads back as the same number, a float where it reads so.
std::string FloatText(double value, bool single) {
  if (std::isnan(value)) return single ? "(float)NAN" : "(double)NAN";
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  std::string text;
  for (int digits = single ? 6 : 15; digits <= 17; ++digits) {
    text = absl::StrFormat("%.*g", digits, value);
    double back = 0;
    (void)absl::SimpleAtod(text, &back);
    if (single ? static_cast<float>(back) == static_cast<float>(value) : back == value) break;
  }
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single ? text + "f" : text;
}

bool FitsInt32(analysis::Interval range) {
  return range.lo >= std::numeric_limits<int32_t>::min() &&
         range.hi <= std::numeric_limits<int32_t>::max();
}

class Printer {
 public:
  // `index`: inside a subscript whose every part is known to fit 32 bits, where loop variables
  // and numbers need no type of their own.
  Printer(CScope& scope, bool index) : scope_(scope), index_(index) {}

  absl::StatusOr<Text> Print(PrimRef e) {
    return Match(
        e->node(), [&](const ir::IntImm& n) { return Int(e->dtype(), n.value); },
        [&](const ir::FloatImm& n) -> absl::StatusOr<Text> {
          if (CType(e->dtype()).empty()) return Cannot(ir::ToString(e->dtype()));
          if (!std::isfinite(n.value)) scope_.uses_math = true;
          const std::string text = FloatText(n.value, e->dtype().bits == 32);
          return Text{text, text[0] == '-' || text[0] == '(' ? kPrefix : kPrimary};
        },
        [&](const ir::SymVar& n) { return Variable(e, n); },
        [&](const ir::Unary& n) -> absl::StatusOr<Text> {
          LATHE_ASSIGN_OR_RETURN(const Text value, Print(n.value));
          const char* op = n.op == ir::UnaryOp::kNeg ? "-" : n.op == ir::UnaryOp::kNot ? "!" : "~";
          return Typed(e->dtype(), {absl::StrCat(op, value.In(kPrefix + 1)), kPrefix});
        },
        [&](const ir::Binary& n) { return Operation(e, n); },
        [&](const ir::Select& n) { return Choice(n.cond, n.if_true, n.if_false); },
        [&](const ir::Cast& n) -> absl::StatusOr<Text> {
          if (CType(e->dtype()).empty()) return Cannot(ir::ToString(e->dtype()));
          LATHE_ASSIGN_OR_RETURN(const Text value, Print(n.value));
          if (e->dtype().is_bool())
            return Text{absl::StrCat(value.In(kEquality), " != 0"), kEquality};
          if (index_ && e->dtype().is_integer() && n.value->dtype().is_integer()) return value;
          return Text{absl::StrCat("(", CType(e->dtype()), ")", value.In(kPrefix)), kPrefix};
        },
        [&](const ir::Load& n) -> absl::StatusOr<Text> {
          LATHE_ASSIGN_OR_RETURN(std::string element, PrintCElement(scope_, n.buffer, n.indices));
          return Text{std::move(element), kPrimary};
        },
        [&](const ir::Intrinsic& n) { return Call(e, n); },
        [&](const auto&) -> absl::StatusOr<Text> { return Cannot(ir::ToString(e)); });
  }

 private:
  absl::StatusOr<Text> Int(ir::DType dtype, int64_t value) {
    if (index_ || dtype.bits < 64) {
      if (dtype.is_uint()) return Text{absl::StrCat(static_cast<uint64_t>(value), "u"), kPrimary};
      if (value == std::numeric_limits<int32_t>::min()) return Text{"INT32_MIN", kPrimary};
      return Text{absl::StrCat(value), value < 0 ? kPrefix : kPrimary};
    }
    if (dtype.is_uint()) return Text{absl::StrCat("UINT64_C(", static_cast<uint64_t>(value), ")")};
    if (value == std::numeric_limits<int64_t>::min()) return Text{"INT64_MIN", kPrimary};
    return Text{absl::StrCat("INT64_C(", value, ")"), kPrimary};
  }

  absl::StatusOr<Text> Variable(PrimRef e, const ir::SymVar& n) {
    if (const auto it = scope_.axes.find(e); it != scope_.axes.end()) return Print(it->second);
    const auto it = scope_.vars.find(e);
    if (it == scope_.vars.end()) return Cannot(absl::StrCat("variable '", n.name, "'"));
    // Loop variables are declared int32_t; outside subscripts a 64-bit one gets its type back.
    if (!index_ && e->dtype() == ir::DType::Int(64)) {
      return Text{absl::StrCat("(int64_t)", it->second), kPrefix};
    }
    return Text{it->second, kPrimary};
  }

  // Arithmetic narrower than int happens in int: the result is brought back.
  absl::StatusOr<Text> Typed(ir::DType dtype, Text text) {
    if (index_ || !dtype.is_integer() || dtype.bits >= 32) return text;
    return Text{absl::StrCat("(", CType(dtype), ")", text.In(kPrefix)), kPrefix};
  }

  absl::StatusOr<Text> Choice(PrimRef cond, PrimRef if_true, PrimRef if_false) {
    LATHE_ASSIGN_OR_RETURN(const Text c, Print(cond));
    LATHE_ASSIGN_OR_RETURN(const Text a, Print(if_true));
    LATHE_ASSIGN_OR_RETURN(const Text b, Print(if_false));
    return Text{absl::StrCat(c.In(kTernary + 1), " ? ", a.In(kTernary), " : ", b.In(kTernary)),
                kTernary};
  }

  // Signed overflow wraps in TIR and is undefined in C: value arithmetic goes through unsigned.
  absl::StatusOr<Text> Wrapping(ir::DType dtype, const Text& a, const Text& b, const char* op) {
    const absl::string_view type = CType(dtype);
    const std::string u = absl::StrCat("(u", type, ")");
    return Text{
        absl::StrCat("(", type, ")(", u, a.In(kPrefix), " ", op, " ", u, b.In(kPrefix), ")"),
        kPrefix};
  }

  absl::StatusOr<Text> Operation(PrimRef e, const ir::Binary& n) {
    LATHE_ASSIGN_OR_RETURN(const Text a, Print(n.lhs));
    LATHE_ASSIGN_OR_RETURN(const Text b, Print(n.rhs));
    const auto infix = [&](const char* op, int precedence) {
      return Text{absl::StrCat(a.In(precedence), " ", op, " ", b.In(precedence + 1)), precedence};
    };
    const bool wraps = !index_ && e->dtype().is_int() && e->dtype().bits >= 32;
    switch (n.op) {
      case BinaryOp::kAdd:
        return wraps ? Wrapping(e->dtype(), a, b, "+") : Typed(e->dtype(), infix("+", kSum));
      case BinaryOp::kSub:
        return wraps ? Wrapping(e->dtype(), a, b, "-") : Typed(e->dtype(), infix("-", kSum));
      case BinaryOp::kMul:
        return wraps ? Wrapping(e->dtype(), a, b, "*") : Typed(e->dtype(), infix("*", kProduct));
      case BinaryOp::kDiv:
        if (e->dtype().is_floating()) return infix("/", kProduct);
        return Cannot("integer division");
      case BinaryOp::kFloorDiv:
      case BinaryOp::kFloorMod: {
        const auto range = [&](PrimRef x) {
          return analysis::BoundsOf(scope_.ir, ExpandAxes(scope_, x), scope_.ranges);
        };
        if (!e->dtype().is_integer() || range(n.lhs).lo < 0 || range(n.rhs).lo <= 0) {
          return Cannot("floor division of what may be negative");
        }
        return infix(n.op == BinaryOp::kFloorDiv ? "/" : "%", kProduct);
      }
      case BinaryOp::kMin:
        return Pick(a, b, "<");
      case BinaryOp::kMax:
        return Pick(a, b, ">");
      case BinaryOp::kEq:
        return infix("==", kEquality);
      case BinaryOp::kNe:
        return infix("!=", kEquality);
      case BinaryOp::kLt:
        return infix("<", kOrder);
      case BinaryOp::kLe:
        return infix("<=", kOrder);
      case BinaryOp::kGt:
        return infix(">", kOrder);
      case BinaryOp::kGe:
        return infix(">=", kOrder);
      case BinaryOp::kAnd:
        return infix("&&", kAnd);
      case BinaryOp::kOr:
        return infix("||", kOr);
      default:
        return Cannot(absl::StrCat("'", ir::Spelling(n.op), "'"));
    }
  }

  static Text Pick(const Text& a, const Text& b, const char* op) {
    return Text{absl::StrCat(a.In(kOrder), " ", op, " ", b.In(kOrder + 1), " ? ",
                             a.In(kTernary + 1), " : ", b.In(kTernary + 1)),
                kTernary};
  }

  absl::StatusOr<Text> Call(PrimRef e, const ir::Intrinsic& n) {
    if (n.name == "if_then_else" && n.args.size() == 3) {
      return Choice(n.args[0], n.args[1], n.args[2]);
    }
    static constexpr absl::string_view kMath[] = {"exp",   "log",  "sqrt", "tanh", "erf", "pow",
                                                  "floor", "ceil", "fabs", "sin",  "cos", "sinh",
                                                  "cosh",  "tan",  "atan", "log1p"};
    const bool known = std::find(std::begin(kMath), std::end(kMath), n.name) != std::end(kMath);
    if (!known || !e->dtype().is_floating() || CType(e->dtype()).empty()) return Cannot(n.name);
    scope_.uses_math = true;
    std::string text = absl::StrCat(n.name, e->dtype().bits == 32 ? "f(" : "(");
    for (size_t i = 0; i < n.args.size(); ++i) {
      LATHE_ASSIGN_OR_RETURN(const Text arg, Print(n.args[i]));
      absl::StrAppend(&text, i == 0 ? "" : ", ", arg.text);
    }
    return Text{text + ")", kPrimary};
  }

  CScope& scope_;
  bool index_;
};

}  // namespace

ir::PrimRef ExpandAxes(CScope& scope, PrimRef e) {
  if (const auto it = scope.axes.find(e); it != scope.axes.end()) return it->second;
  return ir::MapOperands(scope.ir, e, [&](PrimRef operand) { return ExpandAxes(scope, operand); });
}

absl::StatusOr<std::string> PrintCExpr(CScope& scope, PrimRef e) {
  LATHE_ASSIGN_OR_RETURN(Text text, Printer(scope, /*index=*/false).Print(e));
  return std::move(text.text);
}

absl::StatusOr<std::string> PrintCElement(CScope& scope, ir::BufferRef buffer,
                                          const std::vector<PrimRef>& indices) {
  const auto it = scope.buffers.find(buffer);
  if (it == scope.buffers.end() || !buffer->strides.empty() || buffer->elem_offset != nullptr) {
    return Cannot(absl::StrCat("buffer '", buffer->name, "', which is no compact parameter,"));
  }
  PrimRef offset = scope.ir.Int(0);
  int64_t elements = 1;
  for (size_t i = 0; i < indices.size(); ++i) {
    const auto* extent = buffer->shape[i]->As<ir::IntImm>();
    if (extent == nullptr || !indices[i]->dtype().is_int() || !indices[i]->dtype().is_scalar()) {
      return Cannot(absl::StrCat("this index of '", buffer->name, "'"));
    }
    elements *= extent->value;
    const PrimRef index = scope.ir.MakeCast(ir::DType::Int(64), ExpandAxes(scope, indices[i]));
    offset = scope.ir.Make(
        BinaryOp::kAdd, scope.ir.Make(BinaryOp::kMul, offset, scope.ir.Int(extent->value)), index);
  }
  if (elements > std::numeric_limits<int32_t>::max() ||
      !FitsInt32(analysis::BoundsOf(scope.ir, offset, scope.ranges))) {
    return Cannot(absl::StrCat("an index of '", buffer->name, "' beyond 32 bits"));
  }
  offset = analysis::Simplify(scope.ir, offset, scope.ranges);
  LATHE_ASSIGN_OR_RETURN(const Text text, Printer(scope, /*index=*/true).Print(offset));
  return absl::StrCat(it->second, "[", text.text, "]");
}

}  // namespace lathe::emit
