#include "generator/reader/relax_text/relax/elaborate_sugar.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "generator/ops/complete_call.h"
#include "generator/ops/ops.h"
#include "generator/reader/relax_text/relax/shape_scope.h"
#include "generator/reader/relax_text/relax/tensor_literal.h"
#include "generator/support/check.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

absl::string_view OperatorFor(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::kAdd:
      return "add";
    case ast::BinaryOp::kSub:
      return "subtract";
    case ast::BinaryOp::kMul:
      return "multiply";
    case ast::BinaryOp::kMatMul:
      return "matmul";
    case ast::BinaryOp::kDiv:
      return "divide";
    case ast::BinaryOp::kFloorDiv:
      return "floor_divide";
    case ast::BinaryOp::kMod:
      return "mod";
    case ast::BinaryOp::kPow:
      return "power";
    case ast::BinaryOp::kShiftLeft:
      return "left_shift";
    case ast::BinaryOp::kShiftRight:
      return "right_shift";
    case ast::BinaryOp::kBitAnd:
      return "bitwise_and";
    case ast::BinaryOp::kBitOr:
      return "bitwise_or";
    case ast::BinaryOp::kBitXor:
      return "bitwise_xor";
  }
  return "";
}

// Returns an empty string for operators that test identity or membership.
absl::string_view OperatorFor(ast::CompareOp op) {
  switch (op) {
    case ast::CompareOp::kEq:
      return "equal";
    case ast::CompareOp::kNe:
      return "not_equal";
    case ast::CompareOp::kLt:
      return "less";
    case ast::CompareOp::kLe:
      return "less_equal";
    case ast::CompareOp::kGt:
      return "greater";
    case ast::CompareOp::kGe:
      return "greater_equal";
    default:
      return "";
  }
}

ir::Rhs CallOf(Frame& frame, absl::string_view op, std::vector<ir::Operand> args) {
  const ir::Op* found = ops::FindSurfaceOp(op);
  LATHE_CHECK(found != nullptr, "operators of the syntax stand for operators of the language");
  ir::Call call;
  call.callee = found;
  std::vector<std::optional<ir::Operand>> given(args.begin(), args.end());
  const absl::Status complete =
      ops::CompleteCall(frame.el.context(), *found, std::move(given), call);
  LATHE_CHECK(complete.ok(), "operators of the syntax give all arguments");
  return call;
}

// Returns the dtype of the annotation or the constant of `side`, or void if it is unknown.
ir::DType KnownDType(const Frame& frame, const Term& side) {
  const auto* leaf = side.rhs ? std::get_if<ir::Operand>(&*side.rhs) : nullptr;
  if (leaf == nullptr) return ir::DType::Void();
  if (const auto* constant = leaf->As<ir::ConstantId>()) {
    return frame.el.module().constants[*constant].dtype;
  }
  const auto* var = leaf->As<ir::ValueId>();
  const ir::StructInfoRef info =
      var == nullptr ? nullptr : frame.el.module().values[*var].annotation;
  const auto* tensor = info == nullptr ? nullptr : info->As<ir::TensorInfo>();
  return tensor == nullptr ? ir::DType::Void() : tensor->dtype;
}

std::string TextOf(const TextSpan& span) {
  if (span.file == nullptr) return "2";
  return std::string(span.file->text().substr(span.begin, span.end - span.begin));
}

// Returns `term` as an operand of an operator. A bare number has no dtype there and is diagnosed;
// `beside`, the dtype of the other operand, is suggested.
absl::StatusOr<ir::Operand> Side(Frame& frame, const ast::Expr& side, Term term, ir::DType beside) {
  if (!term.rhs && IsNumber(frame.Written(side))) {
    const std::string dtype = beside.is_void() ? "float32" : ir::ToString(beside);
    return frame.el.Error(side, "number-without-dtype")
               .Help(absl::StrCat("write R.const(", TextOf(side.span()), ", \"", dtype, "\")",
                                  beside.is_void() ? ", with the intended dtype" : ""))
           << "a number literal as an operand needs a dtype";
  }
  LATHE_ASSIGN_OR_RETURN(ir::Rhs rhs, TermAsRhs(frame, std::move(term)));
  return frame.Flatten(std::move(rhs), side.span());
}

absl::StatusOr<Term> TwoSided(Frame& frame, const ast::Expr& e, absl::string_view op,
                              const ast::Expr& lhs, const ast::Expr& rhs) {
  absl::StatusOr<Term> left = ElaborateTerm(frame, lhs);
  // The left operand is bound before the right one is elaborated, to keep the order of evaluation.
  std::optional<absl::StatusOr<ir::Operand>> a;
  const ast::Expr* scalar = left.ok() ? left->scalar : nullptr;
  const ir::DType of_left = left.ok() ? KnownDType(frame, *left) : ir::DType::Void();
  const bool leaf = left.ok() && left->rhs && std::holds_alternative<ir::Operand>(*left->rhs);
  if (left.ok() && left->rhs && !leaf) a = Side(frame, lhs, *std::move(left), ir::DType::Void());
  absl::StatusOr<Term> right = ElaborateTerm(frame, rhs);
  if (!left.ok()) return left.status();
  if (!right.ok()) return right.status();
  if (scalar != nullptr && right->scalar != nullptr) return Term::Scalar(e);
  if (!a) a = Side(frame, lhs, *std::move(left), KnownDType(frame, *right));
  absl::StatusOr<ir::Operand> b = Side(frame, rhs, *std::move(right), of_left);
  if (!a->ok()) return a->status();
  if (!b.ok()) return b.status();
  return Term::Value(CallOf(frame, op, {**std::move(a), *std::move(b)}));
}

}  // namespace

absl::StatusOr<Term> ElaborateUnary(Frame& frame, const ast::Expr& e, const ast::Unary& unary) {
  LATHE_ASSIGN_OR_RETURN(Term operand, ElaborateTerm(frame, *unary.operand));
  if (operand.scalar != nullptr) return Term::Scalar(e);
  absl::string_view op;
  switch (unary.op) {
    case ast::UnaryOp::kPlus:
      return operand;
    case ast::UnaryOp::kMinus:
      op = "negative";
      break;
    case ast::UnaryOp::kInvert:
      op = "bitwise_not";
      break;
    case ast::UnaryOp::kNot:
      return frame.el.Unsupported(e, "host-python").Help("R.logical_not(x)")
             << "'not' needs a Python bool, but the value is known only at run time";
  }
  LATHE_ASSIGN_OR_RETURN(ir::Operand value,
                         Side(frame, *unary.operand, std::move(operand), ir::DType::Void()));
  return Term::Value(CallOf(frame, op, {std::move(value)}));
}

absl::StatusOr<Term> ElaborateBinary(Frame& frame, const ast::Expr& e, ast::BinaryOp op,
                                     const ast::Expr& lhs, const ast::Expr& rhs) {
  return TwoSided(frame, e, OperatorFor(op), lhs, rhs);
}

absl::StatusOr<Term> ElaborateBinary(Frame& frame, const ast::Expr& e, const ast::Binary& binary) {
  return ElaborateBinary(frame, e, binary.op, *binary.lhs, *binary.rhs);
}

absl::StatusOr<Term> ElaborateCompare(Frame& frame, const ast::Expr& e,
                                      const ast::Compare& compare) {
  const absl::string_view op = OperatorFor(compare.rest[0].op);
  if (op.empty()) {
    return frame.el.Unsupported(e, "host-python") << "'" << ast::Spelling(compare.rest[0].op)
                                                  << "' is a Python operator and not supported";
  }
  if (compare.rest.size() == 1) {
    return TwoSided(frame, e, op, *compare.first, *compare.rest[0].operand);
  }
  // a < b < c is supported only for scalars, since Python converts the first result to bool.
  LATHE_ASSIGN_OR_RETURN(Term first, ElaborateTerm(frame, *compare.first));
  bool all_scalar = first.scalar != nullptr;
  for (const ast::Comparison& comparison : compare.rest) {
    LATHE_ASSIGN_OR_RETURN(Term operand, ElaborateTerm(frame, *comparison.operand));
    all_scalar = all_scalar && operand.scalar != nullptr;
  }
  if (all_scalar) return Term::Scalar(e);
  return frame.el.Unsupported(e, "host-python").Help("R.logical_and(a < b, b < c)")
         << "chained comparisons need a Python bool, but the values are known only at run time";
}

absl::StatusOr<Term> ElaborateMember(Frame& frame, const ast::Attribute& attribute,
                                     const ast::Expr* index) {
  struct Named {
    absl::string_view member;
    bool indexed;
    absl::string_view op;
  };
  constexpr Named kMembers[] = {
      {"shape", false, "shape_of"},
      {"shape", true, "inspect.tensor_shape_i"},
      {"strides", true, "inspect.tensor_stride_i"},
      {"ndim", false, "inspect.tensor_ndim"},
      {"byte_offset", false, "inspect.tensor_byte_offset"},
      {"elem_offset", false, "inspect.tensor_elem_offset"},
  };
  constexpr Named kOfDType[] = {
      {"type_code", false, "inspect.tensor_dtype_code"},
      {"bits", false, "inspect.tensor_dtype_bits"},
      {"lanes", false, "inspect.tensor_dtype_lanes"},
  };
  const ast::Expr* object = attribute.object;
  absl::string_view op;
  const auto* dtype = object->As<ast::Attribute>();
  if (dtype != nullptr && dtype->name == "dtype" && index == nullptr) {
    for (const Named& named : kOfDType) {
      if (named.member == attribute.name) op = named.op;
    }
    if (!op.empty()) object = dtype->object;
  }
  for (const Named& named : kMembers) {
    if (named.member == attribute.name && named.indexed == (index != nullptr)) op = named.op;
  }
  LATHE_ASSIGN_OR_RETURN(ir::Operand value, ElaborateOperand(frame, *object));
  if (op.empty()) {
    const bool is_op = ops::FindSurfaceOp(attribute.name) != nullptr;
    return frame.el.diags()
               .Error(attribute.name_span, "unknown-member")
               .Help(is_op ? absl::StrCat("the operator is R.", attribute.name, "(value, ...)")
                           : "")
           << "a value has no member '" << attribute.name
           << "'; supported: shape, ndim, strides[i], byte_offset, elem_offset and astype(dtype)";
  }
  std::vector<ir::Operand> args = {std::move(value)};
  if (index != nullptr) {
    LATHE_ASSIGN_OR_RETURN(const ir::PrimRef position, ElaborateShapeScalar(frame, *index));
    args.push_back(ir::Operand{ir::PrimValue{position}});
  }
  return Term::Value(CallOf(frame, op, std::move(args)));
}

}  // namespace lathe::relax_text
