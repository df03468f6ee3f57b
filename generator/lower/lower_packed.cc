#include "generator/lower/lower_packed.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "generator/lower/boxed_values.h"
#include "generator/lower/copy_constants.h"
#include "generator/lower/keeps_result.h"
#include "generator/lower/lower_call.h"
#include "generator/lower/prim_funcs_by_symbol.h"
#include "generator/ops/call_tir.h"
#include "generator/ops/external_call.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

class PackedCall {
 public:
  PackedCall(RoutineBuilder& b, const ir::Binding& binding, std::string function)
      : b_(b), binding_(binding) {
    step_.function = std::move(function);
  }

  std::optional<Form> Refuse(absl::string_view why) {
    b_.lowering.Unsupported(binding_.loc)
        << "the call of the external function '" << step_.function
        << "' cannot be lowered to C: " << why << "; " << kSupported;
    return std::nullopt;
  }

  // Passes the arguments. Returns false after a report.
  bool Give(absl::Span<const ir::Operand> operands) {
    for (const ir::Operand& operand : operands) {
      const auto form = b_.FormOf(operand, binding_.loc);
      if (!form) return false;
      step_.args.push_back(*form);
    }
    return true;
  }

  void GiveForms(std::vector<Form> args) { step_.args = std::move(args); }

  // Declares that the function writes into its last `outputs` arguments.
  void WritesLast(size_t outputs) {
    for (size_t i = step_.args.size() - outputs; i < step_.args.size(); ++i) {
      for (const ir::Part& part : PartsOf(step_.args[i])) {
        if (const auto* id = std::get_if<TensorId>(&part)) step_.writes.push_back(*id);
      }
    }
  }

  // Emits a call that returns nothing.
  Form Effect() {
    Emit(Form{Nothing{}});
    return Form{Nothing{}};
  }

  // Emits a call that returns its result. With `inplace`, the result is some of the arguments.
  std::optional<Form> Result(ir::StructInfoRef info, const std::vector<int64_t>& inplace) {
    std::vector<ir::StructInfoRef> infos = {info};
    const auto* tuple = info->As<ir::TupleInfo>();
    const bool split = inplace.size() > 1 && tuple != nullptr;
    if (split) infos = tuple->fields;
    TupleForm fields;
    for (size_t i = 0; i < infos.size(); ++i) {
      const int64_t index = i < inplace.size() ? inplace[i] : -1;
      if (index >= 0 && index < std::ssize(step_.args)) {
        fields.fields.push_back(step_.args[static_cast<size_t>(index)]);
        continue;
      }
      std::optional<Form> form = Form{Nothing{}};
      if (infos[i]->As<ir::ObjectInfo>() == nullptr || IsRead()) {
        form = b_.NewResult(infos[i], Name(), ir::Home::kArena, binding_.loc);
      }
      if (!form) return std::nullopt;
      fields.fields.push_back(*std::move(form));
    }
    Form result = split ? Form{std::move(fields)} : std::move(fields.fields[0]);
    Emit(result);
    return Opened(result, info);
  }

  void MayWriteArguments() {
    step_.writes_args = true;
    for (Form& arg : step_.args) CopyConstants(b_, arg, binding_.loc);
  }

 private:
  const std::string& Name() const { return b_.lowering.module.values[binding_.var].name; }
  bool IsRead() const { return binding_.var.valid() && b_.lowering.uses[binding_.var] > 0; }

  // Returns the parts of a result whose structure is annotated, though not its sizes.
  std::optional<Form> Opened(const Form& form, ir::StructInfoRef info) {
    if (const auto value = AsBoxed(b_.lowering.program, form)) {
      return Unbox(b_, *value, info, Name(), binding_.loc);
    }
    const auto* tuple = form.As<TupleForm>();
    const auto* infos = info->As<ir::TupleInfo>();
    if (tuple == nullptr || infos == nullptr) return form;
    TupleForm fields;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      auto field = Opened(tuple->fields[i], infos->fields[i]);
      if (!field) return std::nullopt;
      fields.fields.push_back(*std::move(field));
    }
    return Form{std::move(fields)};
  }

  void Emit(Form result) {
    step_.result = std::move(result);
    ir::Tensor memory{"made", ir::DType::UInt(8), {Room()}, ir::Home::kArena, {}, {}};
    step_.memory = b_.lowering.program.tensors.Add(std::move(memory));
    b_.Emit(std::move(step_), binding_.loc);
  }

  // The scratch size: elements, sizes and padding of each tensor and shape of the result. Kept
  // results are allocated with boxed values instead.
  PrimRef Room() {
    ir::Context& ir = b_.lowering.ir;
    if (KeepsResult(b_.lowering.program, step_)) return ir.Int(0);
    PrimRef room = ir.Int(kPackedScratch);
    for (const ir::Part& part : PartsOf(step_.result)) {
      const auto* id = std::get_if<TensorId>(&part);
      if (id == nullptr) {
        room = ir.Make(ir::BinaryOp::kAdd, room, ir.Int(16));
        continue;
      }
      const ir::Tensor& tensor = b_.lowering.program.tensors[*id];
      PrimRef bytes = ir.Int(static_cast<int64_t>(ir::StorageBytes(tensor.dtype, 1)));
      for (PrimRef dim : tensor.shape) bytes = ir.Make(ir::BinaryOp::kMul, bytes, dim);
      const int64_t more = 32 + 8 * static_cast<int64_t>(tensor.shape.size());
      room = ir.Make(ir::BinaryOp::kAdd, room, ir.Make(ir::BinaryOp::kAdd, bytes, ir.Int(more)));
    }
    return b_.Resolve(room);
  }

  RoutineBuilder& b_;
  const ir::Binding& binding_;
  ir::PackedStep step_;
};

ir::StructInfoRef SaidResult(ir::Context& context, const std::vector<ir::StructInfoRef>& said) {
  if (said.empty()) return context.Object();
  return said.size() == 1 ? said[0] : context.Tuple(said);
}

}  // namespace

bool IsExternal(const RoutineBuilder& b, const Form& callee) {
  const auto* f = callee.As<ir::ExternFunc>();
  return f != nullptr && !PrimFuncOf(b.lowering.module, f->name);
}

void LowerPackedEffect(RoutineBuilder& b, const ir::Binding& binding, const std::string& function,
                       std::vector<Form> args, size_t outputs) {
  PackedCall packed(b, binding, function);
  packed.GiveForms(std::move(args));
  packed.WritesLast(outputs);
  (void)packed.Effect();
}

bool CallsPackedValue(const ir::Op& op) {
  return op.name == "relax.call_pure_packed" || op.name == "relax.call_inplace_packed" ||
         op.name == "relax.call_builtin_with_ctx";
}

bool CallsPacked(const ir::Op& op) {
  return CallsPackedValue(op) || op.name == "relax.call_dps_packed" || op.name == "relax.print" ||
         !ops::ExternalFunction(op).empty();
}

std::optional<Form> LowerPackedOp(RoutineBuilder& b, const ir::Binding& binding,
                                  const ir::Call& call) {
  const ir::Op& op = *call.op();
  if (const std::string name = ops::ExternalFunction(op); !name.empty()) {
    const auto external =
        ops::ExternalCall(b.lowering.ir, call, b.lowering.module.values[binding.var].info);
    if (external) return LowerPackedOp(b, binding, *external);
    return PackedCall(b, binding, name).Refuse("its attributes must be numbers or strings");
  }
  if (op.name == "relax.print") {
    PackedCall print(b, binding, kPrint);
    if (!print.Give(call.args)) return std::nullopt;
    return print.Effect();
  }
  const auto callee = b.FormOf(call.args[0], binding.loc);
  if (!callee) return std::nullopt;
  const auto* f = callee->As<ir::ExternFunc>();
  PackedCall packed(b, binding, f != nullptr ? f->name : std::string(op.name));
  if (f == nullptr) return packed.Refuse("its callee is not an external function");
  if (op.name == "relax.call_builtin_with_ctx") {
    const auto* args = call.args[1].As<ir::TupleExpr>();
    if (args == nullptr) return packed.Refuse("its arguments are not a tuple literal");
    if (!packed.Give(args->fields)) return std::nullopt;
    packed.MayWriteArguments();
    return packed.Result(SaidResult(b.lowering.ir, call.sinfo_args), {});
  }
  if (!packed.Give(absl::MakeSpan(call.args).subspan(1))) return std::nullopt;
  std::vector<int64_t> inplace;
  if (op.name == "relax.call_inplace_packed") {
    packed.MayWriteArguments();
    inplace = ops::InplaceIndices(call, 1);
  }
  return packed.Result(SaidResult(b.lowering.ir, call.sinfo_args), inplace);
}

std::optional<Form> LowerPackedCall(RoutineBuilder& b, const ir::Binding& binding,
                                    std::vector<Form> args,
                                    const std::vector<ir::StructInfoRef>& said,
                                    const std::string& function) {
  if (const auto id = PrimFuncOf(b.lowering.module, function)) {
    return LowerDirectCall(b, binding, args, *id);
  }
  PackedCall packed(b, binding, function);
  packed.GiveForms(std::move(args));
  packed.MayWriteArguments();
  return packed.Result(SaidResult(b.lowering.ir, said), {});
}

}  // namespace lathe::lower
