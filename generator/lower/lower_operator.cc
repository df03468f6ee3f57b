#include "generator/lower/lower_operator.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/lower/actual_call.h"
#include "generator/lower/lower_data_operator.h"
#include "generator/lower/make_kernel.h"
#include "generator/lower/resolve_broadcast.h"
#include "generator/ops/args/reshape_like.h"
#include "generator/transform/call_to_tir.h"
#include "generator/transform/legalize.h"

namespace lathe::lower {

using ir::PrimRef;
using ir::StructInfoRef;
using ir::TensorId;
using transform::IsComputable;

bool EmitNest(RoutineBuilder& b, ir::PrimFunc func, absl::string_view op_name,
              absl::string_view part, std::vector<TensorId> tensors, const Location& loc) {
  const auto refuse = [&](absl::string_view why) {
    b.lowering.Unsupported(loc) << "operator '" << op_name << "' cannot be lowered to C: " << why
                                << "; " << kSupported;
    return false;
  };
  func.attrs[transform::kOperatorName] = ir::AttrValue(std::string(op_name));
  for (PrimRef var : transform::FreeScalars(func)) func.params.push_back({var, nullptr, {}});
  const absl::string_view name = op_name.substr(op_name.rfind('.') + 1);
  auto kernel = MakeKernel(absl::StrCat(name, part.empty() ? "" : "_", part), func,
                           absl::StrCat(op_name, part.empty() ? "" : ": ", part));
  if (!kernel.ok()) return refuse(kernel.status().message());
  ir::KernelStep step{{}, std::move(tensors), kernel->scalars};
  for (size_t i = step.tensors.size(); i < kernel->buffers.size(); ++i) {
    const ir::Buffer& own = *kernel->buffers[i];
    step.tensors.push_back(
        b.lowering.program.tensors.Add({own.name, own.dtype, own.shape, ir::Home::kArena, {}, {}}));
  }
  step.kernel = b.lowering.program.kernels.Add(*std::move(kernel));
  b.Emit(std::move(step), loc);
  return true;
}

std::optional<Form> LowerOperator(RoutineBuilder& b, const ir::Binding& binding,
                                  const ir::Call& call) {
  const std::string& op_name = call.op()->name;
  const std::string& name = b.lowering.module.values[binding.var].name;
  const auto refuse = [&](absl::string_view why) -> std::optional<Form> {
    b.lowering.Unsupported(binding.loc)
        << "operator '" << op_name << "' cannot be lowered to C" << (why.empty() ? " yet" : ": ")
        << why << "; " << kSupported;
    return std::nullopt;
  };
  auto actual = ActualCall::Of(b, call, binding.loc);
  if (!actual) return std::nullopt;
  if (IsDataOperator(*call.op())) return LowerDataOperator(b, binding, *actual);
  if (call.op()->compute == nullptr) return refuse("");
  const auto inferred = actual->Infer();
  if (!inferred.ok() && b.EndRankChoice(op_name, binding.loc)) return std::nullopt;
  if (!inferred.ok()) return refuse(inferred.status().message());
  const StructInfoRef info = ResolveBroadcast(b, *actual, inferred->info, binding.loc);
  if (!IsComputable(info)) {
    return refuse(absl::StrCat("the type of its result is only known as ", ir::ToString(info)));
  }
  for (PrimRef need : inferred->needs) {
    b.EmitCheck({need, absl::StrCat(op_name, " needs ", ir::ToString(need))}, binding.loc);
  }
  const bool unwritten = b.IsUnwritten(ir::Operand{binding.var}) &&
                         b.IsUnwritten(ir::Operand{ir::TupleExpr{call.args}});
  if (ops::IsReshapeLike(op_name) && unwritten && actual->tensors().size() == 1) {
    return Form{b.NewView(actual->tensors()[0], *info->As<ir::TensorInfo>(), name, binding.loc)};
  }
  auto func = actual->Compute(info);
  if (!func.ok()) return refuse(func.status().message());
  const auto result = b.NewResult(info, name, ir::Home::kArena, binding.loc);
  if (!result) return std::nullopt;
  std::vector<TensorId> tensors = actual->tensors();
  for (const ir::Part& part : PartsOf(*result)) tensors.push_back(std::get<TensorId>(part));
  if (!EmitNest(b, *std::move(func), op_name, "", std::move(tensors), binding.loc)) {
    return std::nullopt;
  }
  return result;
}

}  // namespace lathe::lower
