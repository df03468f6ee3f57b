#include "generator/reader/relax_text/tir/scalar_operators.h"

#include "generator/reader/relax_text/elaboration/python_numbers.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

// Returns the number of `value`; True and False are 1 and 0. Returns nullopt for values that are
// not numbers.
std::optional<PythonNumber> AsNumber(const ScalarValue& value) {
  if (const auto* whole = value.As<absl::int128>()) return PythonNumber(*whole);
  if (const double* real = value.As<double>()) return PythonNumber(*real);
  if (const bool* truth = value.As<bool>()) return PythonNumber(absl::int128(*truth ? 1 : 0));
  return std::nullopt;
}

std::optional<ir::BinaryOp> OperatorOf(ast::BinaryOp op, DType dtype) {
  switch (op) {
    case ast::BinaryOp::kAdd:
      return ir::BinaryOp::kAdd;
    case ast::BinaryOp::kSub:
      return ir::BinaryOp::kSub;
    case ast::BinaryOp::kMul:
      return ir::BinaryOp::kMul;
    case ast::BinaryOp::kDiv:
      if (!dtype.is_floating()) return std::nullopt;
      return ir::BinaryOp::kDiv;
    case ast::BinaryOp::kFloorDiv:
      return ir::BinaryOp::kFloorDiv;
    case ast::BinaryOp::kMod:
      return ir::BinaryOp::kFloorMod;
    case ast::BinaryOp::kShiftLeft:
      return ir::BinaryOp::kShl;
    case ast::BinaryOp::kShiftRight:
      return ir::BinaryOp::kShr;
    case ast::BinaryOp::kBitAnd:
      return ir::BinaryOp::kBitAnd;
    case ast::BinaryOp::kBitOr:
      return ir::BinaryOp::kBitOr;
    case ast::BinaryOp::kBitXor:
      return ir::BinaryOp::kBitXor;
    case ast::BinaryOp::kMatMul:
    case ast::BinaryOp::kPow:
      break;
  }
  return std::nullopt;
}

std::optional<ir::BinaryOp> OperatorOf(ast::CompareOp op) {
  switch (op) {
    case ast::CompareOp::kEq:
      return ir::BinaryOp::kEq;
    case ast::CompareOp::kNe:
      return ir::BinaryOp::kNe;
    case ast::CompareOp::kLt:
      return ir::BinaryOp::kLt;
    case ast::CompareOp::kLe:
      return ir::BinaryOp::kLe;
    case ast::CompareOp::kGt:
      return ir::BinaryOp::kGt;
    case ast::CompareOp::kGe:
      return ir::BinaryOp::kGe;
    default:
      return std::nullopt;
  }
}

// Converts an operand of a comparison to a scalar. A number gets the type of the other operand if
// that type can represent it.
absl::StatusOr<PrimRef> ToComparand(Elaboration& el, const ast::Expr& e, const ScalarValue& value,
                                    const ScalarValue& other, DType int_dtype) {
  const PrimRef* scalar = other.As<PrimRef>();
  if (scalar != nullptr && value.is_number()) {
    const DType dtype = (*scalar)->dtype().element();
    PrimRef made = nullptr;
    if (const auto* whole = value.As<absl::int128>()) {
      made = MakeNumber(el.context(), dtype, *whole);
    } else if (dtype.is_floating()) {
      made = MakeNumber(el.context(), dtype, *value.As<double>());
    }
    if (made != nullptr) return made;
  }
  return ToScalar(el, e, value, int_dtype);
}

absl::Status NotDefined(Elaboration& el, const ast::Expr& e, absl::string_view op,
                        const ScalarValue& lhs, const ScalarValue& rhs) {
  return el.Error(e, "scalar-type-mismatch")
         << "'" << op << "' of " << Describe(lhs) << " and " << Describe(rhs) << " is not defined";
}

}  // namespace

absl::StatusOr<PrimRef> MakeOperation(Elaboration& el, const ast::Expr& e, ir::BinaryOp op,
                                      PrimRef lhs, PrimRef rhs) {
  if (!MatchTypes(el.context(), lhs, rhs)) {
    return el.Error(e, "scalar-type-mismatch")
           << "'" << ir::Spelling(op) << "' of " << ir::ToString(lhs->dtype()) << " and "
           << ir::ToString(rhs->dtype()) << " is not defined";
  }
  return el.context().Make(op, lhs, rhs);
}

absl::StatusOr<ScalarValue> ApplyUnary(Elaboration& el, const ast::Expr& e, ast::UnaryOp op,
                                       const ScalarValue& value, DType int_dtype) {
  if (op == ast::UnaryOp::kNot) {
    if (const bool* truth = value.As<bool>()) return ScalarValue::Node(!*truth);
  } else if (const std::optional<PythonNumber> number = AsNumber(value)) {
    if (const auto* whole = std::get_if<absl::int128>(&*number)) {
      if (op == ast::UnaryOp::kMinus) return ScalarValue::Node(-*whole);
      if (op == ast::UnaryOp::kInvert) return ScalarValue::Node(-*whole - 1);
      return ScalarValue::Node(*whole);
    }
    const double real = std::get<double>(*number);
    if (op == ast::UnaryOp::kMinus) return ScalarValue::Node(-real);
    if (op == ast::UnaryOp::kPlus) return ScalarValue::Node(real);
  }
  LATHE_ASSIGN_OR_RETURN(PrimRef scalar, ToScalar(el, e, value, int_dtype));
  switch (op) {
    case ast::UnaryOp::kPlus:
      return ScalarValue(scalar);
    case ast::UnaryOp::kMinus:
      return ScalarValue(el.context().Make(ir::UnaryOp::kNeg, scalar));
    case ast::UnaryOp::kInvert:
      return ScalarValue(el.context().Make(ir::UnaryOp::kBitNot, scalar));
    case ast::UnaryOp::kNot:
      return ScalarValue(el.context().Make(ir::UnaryOp::kNot, scalar));
  }
  return AlreadyDiagnosed();
}

absl::StatusOr<ScalarValue> ApplyBinary(Elaboration& el, const ast::Expr& e, ast::BinaryOp op,
                                        const ScalarValue& lhs, const ScalarValue& rhs,
                                        DType int_dtype) {
  const std::optional<PythonNumber> a = AsNumber(lhs);
  const std::optional<PythonNumber> b = AsNumber(rhs);
  if (a && b) {
    const auto result = Calculate(op, *a, *b);
    if (const auto* none = std::get_if<NoNumber>(&result)) {
      return el.Error(e, "number-out-of-range") << "the expression has no value: " << none->why;
    }
    return Match(std::get<PythonNumber>(result),
                 [](auto number) { return ScalarValue(ScalarValue::Node(number)); });
  }
  if (lhs.list() != nullptr && rhs.list() != nullptr && op == ast::BinaryOp::kAdd) {
    ScalarList joined = *lhs.list();
    joined.insert(joined.end(), rhs.list()->begin(), rhs.list()->end());
    return MakeList(std::move(joined));
  }
  LATHE_ASSIGN_OR_RETURN(PrimRef left, ToScalar(el, e, lhs, int_dtype));
  LATHE_ASSIGN_OR_RETURN(PrimRef right, ToScalar(el, e, rhs, int_dtype));
  if (!MatchTypes(el.context(), left, right)) {
    return NotDefined(el, e, ast::Spelling(op), lhs, rhs);
  }
  if (op == ast::BinaryOp::kPow) {
    return ScalarValue(el.context().MakeIntrinsic(left->dtype(), "pow", {left, right}));
  }
  const std::optional<ir::BinaryOp> ir_op = OperatorOf(op, left->dtype());
  if (ir_op) return ScalarValue(el.context().Make(*ir_op, left, right));
  if (op == ast::BinaryOp::kDiv) {
    return std::move(el.Error(e, "integer-division")
                     << "'/' of integers does not specify the rounding")
        .Help("write a // b, T.floordiv(a, b) or T.truncdiv(a, b)");
  }
  return NotDefined(el, e, ast::Spelling(op), lhs, rhs);
}

absl::StatusOr<ScalarValue> ApplyCompare(Elaboration& el, const ast::Expr& e, ast::CompareOp op,
                                         const ScalarValue& lhs, const ScalarValue& rhs,
                                         DType int_dtype) {
  const std::optional<PythonNumber> a = AsNumber(lhs);
  const std::optional<PythonNumber> b = AsNumber(rhs);
  const bool same = op == ast::CompareOp::kEq || op == ast::CompareOp::kIs;
  const bool differ = op == ast::CompareOp::kNe || op == ast::CompareOp::kIsNot;
  if (a && b) return ScalarValue::Node(Compare(op, *a, *b));
  if (lhs.is_none() || rhs.is_none()) {
    if (same) return ScalarValue::Node(lhs.is_none() && rhs.is_none());
    if (differ) return ScalarValue::Node(!(lhs.is_none() && rhs.is_none()));
  }
  const auto* text_a = lhs.As<std::string>();
  const auto* text_b = rhs.As<std::string>();
  if (text_a != nullptr && text_b != nullptr && (same || differ)) {
    return ScalarValue::Node((*text_a == *text_b) == same);
  }
  const std::optional<ir::BinaryOp> ir_op = OperatorOf(op);
  if (!ir_op) return NotDefined(el, e, ast::Spelling(op), lhs, rhs);
  LATHE_ASSIGN_OR_RETURN(PrimRef left, ToComparand(el, e, lhs, rhs, int_dtype));
  LATHE_ASSIGN_OR_RETURN(PrimRef right, ToComparand(el, e, rhs, lhs, int_dtype));
  LATHE_ASSIGN_OR_RETURN(PrimRef made, MakeOperation(el, e, *ir_op, left, right));
  return ScalarValue(made);
}

absl::StatusOr<ScalarValue> ApplyBool(Elaboration& el, const ast::Expr& e, ast::BoolOpKind op,
                                      const ScalarValue& lhs, const ScalarValue& rhs,
                                      DType int_dtype) {
  const bool* a = lhs.As<bool>();
  const bool* b = rhs.As<bool>();
  const bool is_and = op == ast::BoolOpKind::kAnd;
  if (a != nullptr && b != nullptr) return ScalarValue::Node(is_and ? *a && *b : *a || *b);
  LATHE_ASSIGN_OR_RETURN(PrimRef left, ToScalar(el, e, lhs, int_dtype));
  LATHE_ASSIGN_OR_RETURN(PrimRef right, ToScalar(el, e, rhs, int_dtype));
  ir::BinaryOp ir_op = is_and ? ir::BinaryOp::kAnd : ir::BinaryOp::kOr;
  // Vectors have no truth value of their own: lane by lane.
  if (!left->dtype().is_scalar() || !right->dtype().is_scalar()) {
    ir_op = is_and ? ir::BinaryOp::kBitAnd : ir::BinaryOp::kBitOr;
  }
  LATHE_ASSIGN_OR_RETURN(PrimRef made, MakeOperation(el, e, ir_op, left, right));
  return ScalarValue(made);
}

}  // namespace lathe::relax_text
