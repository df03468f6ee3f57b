#include "generator/reader/relax_text/relax/elaborate_op_call.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/ops/complete_call.h"
#include "generator/ops/ops.h"
#include "generator/reader/relax_text/relax/elaborate_argument.h"
#include "generator/reader/relax_text/relax/elaborate_attribute.h"
#include "generator/reader/relax_text/relax/elaborate_expr.h"
#include "generator/reader/relax_text/relax/elaborate_struct_info.h"
#include "generator/reader/relax_text/relax/elaborate_tensor_info.h"
#include "generator/reader/relax_text/relax/op_arguments.h"
#include "generator/support/check.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::StructInfoRef;

// Returns true if `e` is a shape, as in the oldest dialect, rather than a StructInfo. An empty
// tuple means that there are no outputs.
bool IsOldShape(const Frame& frame, const ast::Expr& e) {
  if (const ast::ExprList* elements = ElementsOf(e)) {
    return !elements->empty() && !IsStructInfo(frame, *(*elements)[0]);
  }
  return !IsStructInfo(frame, e);
}

// Returns the StructInfo of the outputs in the oldest dialect. ((m,), (n,)) with dtype=("float32",
// "int32") is a tuple of two tensors.
absl::StatusOr<StructInfoRef> OldOut(Frame& frame, const ast::Expr& shape, ast::ExprRef dtype) {
  const ast::ExprList* elements = ElementsOf(shape);
  const bool several =
      elements != nullptr && !elements->empty() && ElementsOf(*(*elements)[0]) != nullptr;
  if (!several) {
    LATHE_ASSIGN_OR_RETURN(ir::TensorInfo info, ElaborateTensorShape(frame, shape, DimPlace::kUse));
    // A variable that holds a shape is replaced by its dimensions if they are known.
    if (const auto* var = std::get_if<ir::ValueId>(&info.shape)) {
      if (const std::vector<ir::PrimRef>* dims = frame.DimsOf(*var)) {
        info.ndim = static_cast<int>(dims->size());
        info.shape = *dims;
      }
    }
    if (dtype != nullptr) {
      LATHE_ASSIGN_OR_RETURN(info.dtype, ElaborateDType(frame, *dtype));
    }
    return frame.el.context().Make(ir::StructInfo::Node(std::move(info)));
  }
  const ast::ExprList* dtypes = dtype == nullptr ? nullptr : ElementsOf(*dtype);
  if (dtypes != nullptr && dtypes->size() != elements->size()) {
    return frame.el.Error(*dtype, "wrong-arguments")
           << CountOf(elements->size(), "shape") << " need the same number of dtypes, got "
           << dtypes->size();
  }
  std::vector<StructInfoRef> fields;
  for (size_t i = 0; i < elements->size(); ++i) {
    if (ElementsOf(*(*elements)[i]) == nullptr) {
      return frame.el.Error(*(*elements)[i], "wrong-kind-of-value")
             << "expected a shape like the other elements, got " << ast::Describe(*(*elements)[i]);
    }
    LATHE_ASSIGN_OR_RETURN(
        const StructInfoRef field,
        OldOut(frame, *(*elements)[i], dtypes != nullptr ? (*dtypes)[i] : dtype));
    fields.push_back(field);
  }
  return frame.el.context().Tuple(std::move(fields));
}

absl::Status ReadOut(Frame& frame, const ast::Expr& e, const ir::Op& op, const OpArguments& args,
                     ir::Call& call) {
  if (op.sinfo_args != ir::SInfoArgs::kOut) {
    if (args.out == nullptr) return absl::OkStatus();
    LATHE_ASSIGN_OR_RETURN(call.sinfo_args, ElaborateInfoList(frame, *args.out));
    call.sinfo_loc = args.out->span();
    return absl::OkStatus();
  }
  ast::ExprRef out = args.out_shape != nullptr ? args.out_shape : args.out;
  if (out == nullptr) {
    return frame.el.Error(e, "wrong-arguments").Help("out_sinfo=R.Tensor((4,), \"float32\")")
           << SurfaceOf(op) << " needs the StructInfo of its result";
  }
  call.sinfo_loc = out->span();
  if (args.out_shape != nullptr || args.out_dtype != nullptr || IsOldShape(frame, *out)) {
    LATHE_ASSIGN_OR_RETURN(const StructInfoRef info, OldOut(frame, *out, args.out_dtype));
    call.sinfo_args = {info};
    return absl::OkStatus();
  }
  LATHE_ASSIGN_OR_RETURN(std::vector<StructInfoRef> infos, ElaborateInfoList(frame, *out));
  call.sinfo_args = {infos.size() == 1 ? infos[0] : frame.el.context().Tuple(std::move(infos))};
  return absl::OkStatus();
}

// Returns `call` in the current form. Reorders the arguments of the oldest dialect, call_tir((10,),
// "f", (x,)). Sets `op` to call_dps_packed if the function is given by a string, which denotes an
// external function.
ast::Call Modernised(Frame& frame, const ast::Call& call, const ir::Op*& op) {
  ast::Call modern = call;
  if (op->name != "relax.call_tir" && op->name != "relax.call_dps_packed") return modern;
  std::vector<ast::ExprRef> args(call.args.begin(), call.args.end());
  if (args.size() == 3 && ElementsOf(*args[0]) != nullptr) {
    std::rotate(args.begin(), args.begin() + 1, args.end());
    modern.args = frame.el.tree().CopyList(args);
  }
  if (!args.empty() && args[0]->As<ast::Str>() != nullptr) {
    op = ops::FindOp("relax.call_dps_packed");
    LATHE_CHECK(op != nullptr, "the table has the operator");
  }
  return modern;
}

absl::StatusOr<ir::Call> BindCall(Frame& frame, const ast::Expr& e, const ast::Call& written,
                                  const ir::Op* op) {
  const ast::Call modern = Modernised(frame, written, op);
  LATHE_ASSIGN_OR_RETURN(const OpArguments args, BindOpArguments(frame.el, modern, *op));
  ir::Call call;
  call.callee = op;
  std::vector<std::optional<ir::Operand>> operands;
  absl::Status failed;
  const bool wrap = op->sinfo_args == ir::SInfoArgs::kOut;
  for (size_t i = 0; i < op->params.size(); ++i) {
    const ir::OpParam& param = op->params[i];
    if (param.variadic || args.given[i] == nullptr) continue;
    if (param.attr) {
      absl::StatusOr<ir::AttrValue> value = ElaborateOpAttribute(frame, *args.given[i], param);
      if (!value.ok()) {
        failed = value.status();
      } else {
        call.attrs.insert_or_assign(param.name, *std::move(value));
      }
      continue;
    }
    absl::StatusOr<ir::Operand> operand = ElaborateArgument(frame, *args.given[i], param, wrap);
    if (!operand.ok()) {
      failed = operand.status();
      continue;
    }
    const auto position = static_cast<size_t>(param.position);
    if (operands.size() <= position) operands.resize(position + 1);
    operands[position] = *std::move(operand);
  }
  for (const ir::OpParam& param : op->params) {
    if (!param.variadic) continue;
    // The variadic arguments follow at the position of their parameter, which is the last one.
    if (operands.size() < static_cast<size_t>(param.position)) operands.resize(param.position);
    for (ast::ExprRef rest : args.rest) {
      absl::StatusOr<ir::Operand> operand = ElaborateArgument(frame, *rest, param, false);
      if (operand.ok()) {
        operands.push_back(*std::move(operand));
      } else {
        failed = operand.status();
      }
    }
  }
  const absl::Status out = ReadOut(frame, e, *op, args, call);
  if (!failed.ok()) return failed;
  LATHE_RETURN_IF_ERROR(out);
  const absl::Status complete =
      ops::CompleteCall(frame.el.context(), *op, std::move(operands), call);
  if (!complete.ok()) {
    return frame.el.Error(e, "wrong-arguments") << SurfaceOf(*op) << ": " << complete.message();
  }
  return call;
}

class SugarEmitter : public ops::SugarContext {
 public:
  SugarEmitter(Frame& frame, TextSpan span) : frame_(frame), span_(span) {}

  ir::Context& ir() override { return frame_.el.context(); }
  ir::ValueId Emit(ir::Call call, absl::string_view) override {
    const ir::Operand operand = frame_.Flatten(std::move(call), span_);
    return *operand.As<ir::ValueId>();
  }

 private:
  Frame& frame_;
  TextSpan span_;
};

}  // namespace

absl::StatusOr<ir::Rhs> ElaborateOpCall(Frame& frame, const ast::Expr& e, const ast::Call& call,
                                        const ir::Op& op) {
  LATHE_ASSIGN_OR_RETURN(ir::Call bound, BindCall(frame, e, call, &op));
  return ir::Rhs(std::move(bound));
}

absl::StatusOr<ir::Rhs> ElaborateSugarCall(Frame& frame, const ast::Expr& e, const ast::Call& call,
                                           const ops::Sugar& sugar) {
  LATHE_ASSIGN_OR_RETURN(const ir::Call bound, BindCall(frame, e, call, &sugar.signature));
  if (!bound.sinfo_args.empty()) {
    return frame.el.diags().Error(bound.sinfo_loc, "wrong-arguments")
           << "R." << sugar.spelling << " expands to several calls and does not accept sinfo_args";
  }
  SugarEmitter emitter(frame, e.span());
  return ir::Rhs(sugar.expand(emitter, bound));
}

}  // namespace lathe::relax_text
