#include "generator/reader/relax_text/relax/elaborate_literal_call.h"

#include "absl/strings/str_cat.h"
#include "generator/ops/ops.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/relax/elaborate_attribute.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"
#include "generator/reader/relax_text/relax/elaborate_struct_info.h"
#include "generator/reader/relax_text/relax/elaborate_tensor_info.h"
#include "generator/reader/relax_text/relax/tensor_literal.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using RhsResult = absl::StatusOr<ir::Rhs>;

RhsResult Const(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                         CallArguments::Bind(frame.el, e, "R.const", "value dtype?"));
  std::optional<ir::DType> dtype;
  if (const ast::Expr* written = args.GetUnlessNone("dtype")) {
    LATHE_ASSIGN_OR_RETURN(dtype, ElaborateDType(frame, *written));
  }
  const ast::Expr& value = frame.Written(args["value"]);
  LATHE_ASSIGN_OR_RETURN(ir::Constant constant, ReadTensorLiteral(frame.el, value, dtype));
  return ir::Rhs(ir::Operand{frame.el.module().constants.Add(std::move(constant))});
}

RhsResult TupleLiteral(Frame& frame, const ast::Expr& e) {
  const auto* call = e.As<ast::Call>();
  LATHE_ASSIGN_OR_RETURN(std::vector<ir::Operand> fields, ElaborateOperands(frame, call->args));
  return ir::Rhs(ir::Operand{ir::TupleExpr{std::move(fields)}});
}

// relax.Tuple([x, y])
RhsResult TupleOfList(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                         CallArguments::Bind(frame.el, e, "relax.Tuple", "fields"));
  return ElaborateRhs(frame, args["fields"]);
}

RhsResult ShapeLiteral(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                         CallArguments::Bind(frame.el, e, "R.shape", "values"));
  const ast::ExprList* elements = ElementsOf(args["values"]);
  if (elements == nullptr) {
    return frame.el.Error(args["values"], "wrong-kind-of-value")
           << "R.shape needs a list of dimensions, got " << ast::Describe(args["values"]);
  }
  LATHE_ASSIGN_OR_RETURN(std::vector<ir::PrimRef> dims,
                         ElaborateDims(frame, *elements, DimPlace::kUse));
  return ir::Rhs(ir::Operand{ir::ShapeExpr{std::move(dims)}});
}

RhsResult PrimValue(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                         CallArguments::Bind(frame.el, e, "R.prim_value", "value"));
  LATHE_ASSIGN_OR_RETURN(const ir::PrimRef value, ElaborateShapeScalar(frame, args["value"]));
  return ir::Rhs(ir::Operand{ir::PrimValue{value}});
}

RhsResult String(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                         CallArguments::Bind(frame.el, e, "R.str", "value"));
  const auto* text = args["value"].As<ast::Str>();
  if (text == nullptr) {
    return frame.el.Error(args["value"], "wrong-kind-of-value")
           << "R.str needs a string, got " << ast::Describe(args["value"]);
  }
  return ir::Rhs(ir::Operand{ir::StringImm{std::string(text->value)}});
}

RhsResult DTypeLiteral(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                         CallArguments::Bind(frame.el, e, "R.dtype", "value"));
  LATHE_ASSIGN_OR_RETURN(const ir::DType dtype, ElaborateDType(frame, args["value"]));
  return ir::Rhs(ir::Operand{ir::DTypeImm{dtype}});
}

RhsResult TupleGetItem(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                         CallArguments::Bind(frame.el, e, "R.TupleGetItem", "tuple_value index"));
  LATHE_ASSIGN_OR_RETURN(ir::Operand tuple, ElaborateOperand(frame, args["tuple_value"]));
  LATHE_ASSIGN_OR_RETURN(const int64_t index, ElaborateNumber(frame, args["index"]));
  if (index < 0 || index > (1 << 30)) {
    return frame.el.Error(args["index"], "number-out-of-range") << "tuple index out of range";
  }
  return ir::Rhs(ir::GetField{std::move(tuple), static_cast<int>(index)});
}

RhsResult ExternFunc(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(ir::ExternFunc external, ElaborateExternFunc(frame, e));
  return ir::Rhs(ir::Operand{std::move(external)});
}

// In the oldest dialect, calls of packed functions in dataflow blocks are pure: the call becomes
// R.call_pure_packed.
void PackedInDataflow(Frame& frame, ir::Call& call) {
  auto* external = std::get_if<ir::ExternFunc>(&call.callee);
  if (external == nullptr) return;
  call.args.insert(call.args.begin(), ir::Operand{std::move(*external)});
  if (call.sinfo_args.empty()) call.sinfo_args = {frame.el.context().Object()};
  call.callee = ops::FindOp("relax.call_pure_packed");
}

// R.call_packed("f", x, sinfo_args=...): a call of the external function itself. Other keywords
// are attributes of the call.
RhsResult CallPacked(Frame& frame, const ast::Expr& e) {
  const auto* written = e.As<ast::Call>();
  if (written->args.empty()) {
    return frame.el.Error(e, "wrong-arguments") << "R.call_packed needs the name of a function";
  }
  ir::Call call;
  if (const auto* name = written->args[0]->As<ast::Str>()) {
    call.callee = ir::ExternFunc{std::string(name->value)};
  } else {
    LATHE_ASSIGN_OR_RETURN(ir::Operand callee, ElaborateOperand(frame, *written->args[0]));
    if (const auto* external = callee.As<ir::ExternFunc>()) {
      call.callee = *external;
    } else if (const auto* value = callee.As<ir::ValueId>()) {
      call.callee = *value;
    } else if (const auto* global = callee.As<ir::GlobalId>()) {
      call.callee = *global;
    } else {
      return frame.el.Error(*written->args[0], "not-a-function")
             << "R.call_packed needs the name of a function";
    }
  }
  LATHE_ASSIGN_OR_RETURN(call.args, ElaborateOperands(frame, written->args.subspan(1)));
  for (const ast::Keyword& keyword : written->keywords) {
    if (keyword.name == "sinfo_args" || keyword.name == "ty_args") {
      LATHE_ASSIGN_OR_RETURN(call.sinfo_args, ElaborateInfoList(frame, *keyword.value));
      call.sinfo_loc = keyword.value->span();
    } else {
      LATHE_ASSIGN_OR_RETURN(ir::AttrValue value, ElaborateAttribute(frame, *keyword.value));
      call.attrs.insert_or_assign(std::string(keyword.name), std::move(value));
    }
  }
  if (frame.body != nullptr && frame.body->in_dataflow() && frame.el.oldest_dialect(e.span())) {
    PackedInDataflow(frame, call);
  }
  return ir::Rhs(std::move(call));
}

RhsResult MatchCast(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const CallArguments args, CallArguments::Bind(frame.el, e, "R.match_cast",
                                                                       "value struct_info? ty?"));
  const ast::Expr* info_at = args.Get("struct_info");
  if (info_at == nullptr) info_at = args.Get("ty");
  if (info_at == nullptr) {
    return frame.el.Error(e, "wrong-arguments") << "R.match_cast needs a StructInfo to match";
  }
  LATHE_ASSIGN_OR_RETURN(ir::Operand value, ElaborateOperand(frame, args["value"]));
  LATHE_ASSIGN_OR_RETURN(const ir::StructInfoRef info,
                         ElaborateStructInfo(frame, *info_at, DimPlace::kMatch));
  return ir::Rhs(ir::MatchCast{std::move(value), info, info_at->span()});
}

// The oldest R.match_cast: R.match_shape(value, (k, m)), on a tensor or on a shape. A tensor keeps
// its dtype, where its annotation says it.
RhsResult MatchShape(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const CallArguments args,
                         CallArguments::Bind(frame.el, e, "R.match_shape", "value pattern"));
  LATHE_ASSIGN_OR_RETURN(ir::Operand value, ElaborateOperand(frame, args["value"]));
  const ast::ExprList* elements = ElementsOf(args["pattern"]);
  if (elements == nullptr) {
    return frame.el.Error(args["pattern"], "wrong-kind-of-value")
           << "R.match_shape needs a list of dimensions, got " << ast::Describe(args["pattern"]);
  }
  LATHE_ASSIGN_OR_RETURN(std::vector<ir::PrimRef> dims,
                         ElaborateDims(frame, *elements, DimPlace::kMatch));
  const auto* var = value.As<ir::ValueId>();
  const bool shape = value.As<ir::ShapeExpr>() != nullptr ||
                     (var != nullptr && frame.ShapeOf(*var) == ValueShape::kShape);
  ir::Context& context = frame.el.context();
  ir::DType dtype = ir::DType::Void();
  if (const ir::StructInfoRef known =
          var == nullptr ? nullptr : frame.el.module().values[*var].annotation) {
    if (const auto* tensor = known->As<ir::TensorInfo>()) dtype = tensor->dtype;
  }
  const ir::StructInfoRef info =
      shape ? context.Shape(std::move(dims)) : context.Tensor(std::move(dims), dtype);
  return ir::Rhs(ir::MatchCast{std::move(value), info, args["pattern"].span()});
}

struct LiteralCall {
  absl::string_view name;
  RhsResult (*elaborate)(Frame&, const ast::Expr&);
};
constexpr LiteralCall kLiteralCalls[] = {
    {"const", Const},
    {"tuple", TupleLiteral},
    {"Tuple", TupleOfList},
    {"shape", ShapeLiteral},
    {"ShapeExpr", ShapeLiteral},
    {"prim_value", PrimValue},
    {"PrimValue", PrimValue},
    {"str", String},
    {"StringImm", String},
    {"dtype", DTypeLiteral},
    {"DataTypeImm", DTypeLiteral},
    {"TupleGetItem", TupleGetItem},
    {"ExternFunc", ExternFunc},
    {"extern", ExternFunc},
    {"call_packed", CallPacked},
    {"match_cast", MatchCast},
    {"match_shape", MatchShape},
};

}  // namespace

bool IsLiteralCall(absl::string_view name) {
  for (const LiteralCall& call : kLiteralCalls) {
    if (call.name == name) return true;
  }
  return false;
}

absl::StatusOr<ir::Rhs> ElaborateLiteralCall(Frame& frame, const ast::Expr& e,
                                             absl::string_view name) {
  for (const LiteralCall& call : kLiteralCalls) {
    if (call.name == name) return call.elaborate(frame, e);
  }
  return AlreadyDiagnosed();
}

absl::StatusOr<ir::ExternFunc> ElaborateExternFunc(Frame& frame, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(
      const CallArguments args,
      CallArguments::Bind(frame.el, e, "R.ExternFunc", "global_symbol struct_info? ty?"));
  const auto* name = args["global_symbol"].As<ast::Str>();
  if (name == nullptr || name->value.empty()) {
    return frame.el.Error(args["global_symbol"], "wrong-kind-of-value")
           << "R.ExternFunc needs the name of a function as a string";
  }
  ir::ExternFunc external{std::string(name->value)};
  const ast::Expr* info = args.GetUnlessNone("struct_info");
  if (info == nullptr) info = args.GetUnlessNone("ty");
  if (info != nullptr) {
    LATHE_ASSIGN_OR_RETURN(external.info, ElaborateStructInfo(frame, *info, DimPlace::kDefine));
    if (external.info->As<ir::FuncInfo>() == nullptr) {
      return frame.el.Error(*info, "not-a-struct-info")
             << "the StructInfo of an external function must be R.Callable(...)";
    }
  }
  return external;
}

}  // namespace lathe::relax_text
