#include "generator/reader/relax_text/relax/elaborate_argument.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/relax/elaborate_call.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"
#include "generator/reader/relax_text/relax/elaborate_tensor_info.h"
#include "generator/reader/relax_text/relax/shape_scope.h"
#include "generator/reader/relax_text/relax/tensor_literal.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using OperandResult = absl::StatusOr<ir::Operand>;

OperandResult ShapeArgument(Frame& frame, const ast::Expr& e) {
  if (const ast::ExprList* elements = ElementsOf(e)) {
    LATHE_ASSIGN_OR_RETURN(std::vector<ir::PrimRef> dims,
                           ElaborateDims(frame, *elements, DimPlace::kUse));
    return ir::Operand{ir::ShapeExpr{std::move(dims)}};
  }
  LATHE_ASSIGN_OR_RETURN(Term term, ElaborateTerm(frame, e));
  if (!term.rhs) {
    // A single dimension.
    LATHE_ASSIGN_OR_RETURN(const ir::PrimRef dim, ElaborateDim(frame, e, DimPlace::kUse));
    return ir::Operand{ir::ShapeExpr{{dim}}};
  }
  return frame.Flatten(*std::move(term.rhs), e.span());
}

OperandResult TupleArgument(Frame& frame, const ast::Expr& e, bool wrap) {
  if (const ast::ExprList* elements = ElementsOf(e)) {
    LATHE_ASSIGN_OR_RETURN(std::vector<ir::Operand> fields, ElaborateOperands(frame, *elements));
    return ir::Operand{ir::TupleExpr{std::move(fields)}};
  }
  LATHE_ASSIGN_OR_RETURN(ir::Operand value, ElaborateOperand(frame, e));
  if (value.As<ir::TupleExpr>() != nullptr) return value;
  const auto* var = value.As<ir::ValueId>();
  const ValueShape known = var == nullptr ? ValueShape::kUnknown : frame.ShapeOf(*var);
  // Values known to be of another kind are not wrapped. An object may be a tuple.
  const bool other = known == ValueShape::kTuple || known == ValueShape::kShape ||
                     known == ValueShape::kFunction || known == ValueShape::kObject;
  if (other || (var != nullptr && !wrap)) return value;
  ir::TupleExpr wrapped;
  wrapped.fields.push_back(std::move(value));
  return ir::Operand{std::move(wrapped)};
}

// Returns true if `e` is a variable or a call of R.tuple, rather than a dtype.
bool IsValue(const Frame& frame, const ast::Expr& e) {
  if (const auto* name = e.As<ast::Name>()) return frame.scopes.Find(name->id) != nullptr;
  const std::optional<std::string> surface = SurfaceName(frame, e);
  return surface && (*surface == "tuple" || *surface == "Tuple");
}

// Returns the constant tensor of a number.
OperandResult ConstNumber(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(ir::Constant constant, ReadTensorLiteral(frame.el, e, std::nullopt));
  return ir::Operand{frame.el.module().constants.Add(std::move(constant))};
}

}  // namespace

OperandResult ElaborateArgument(Frame& frame, const ast::Expr& e, const ir::OpParam& param,
                                bool wrap) {
  const auto* text = e.As<ast::Str>();
  switch (param.kind) {
    case ir::ParamKind::kShape:
      return ShapeArgument(frame, e);
    case ir::ParamKind::kTuple:
      return TupleArgument(frame, e, wrap);
    case ir::ParamKind::kConst:
      if (IsNumber(frame.Written(e))) return ConstNumber(frame, frame.Written(e));
      return ElaborateOperand(frame, e);
    case ir::ParamKind::kFunc:
      if (text != nullptr) return ir::Operand{ir::ExternFunc{std::string(text->value)}};
      return ElaborateOperand(frame, e);
    case ir::ParamKind::kDType: {
      if (IsValue(frame, e)) return ElaborateOperand(frame, e);
      LATHE_ASSIGN_OR_RETURN(const ir::DType dtype, ElaborateDType(frame, e));
      return ir::Operand{ir::DTypeImm{dtype}};
    }
    default:
      break;
  }
  LATHE_ASSIGN_OR_RETURN(ir::Operand value, ElaborateOperand(frame, e));
  if (param.kind == ir::ParamKind::kString && value.As<ir::StringImm>() == nullptr &&
      value.As<ir::ValueId>() == nullptr) {
    return frame.el.Error(e, "wrong-kind-of-value")
           << "'" << param.name << "' must be a string, got " << ast::Describe(e);
  }
  return value;
}

}  // namespace lathe::relax_text
