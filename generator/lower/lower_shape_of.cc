#include "generator/lower/lower_shape_of.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

std::optional<ir::TensorId> TensorArgument(RoutineBuilder& b, const ir::Binding& binding,
                                           const ir::Call& call) {
  const auto form = b.FormOf(call.args[0], binding.loc);
  if (!form) return std::nullopt;
  if (const auto* id = form->As<ir::TensorId>()) return *id;
  b.lowering.Unsupported(binding.loc)
      << "an argument that is not a tensor cannot be lowered to C yet; " << kSupported;
  return std::nullopt;
}

}  // namespace

std::optional<Form> LowerShapeOf(RoutineBuilder& b, const ir::Binding& binding,
                                 const ir::Call& call) {
  const auto id = TensorArgument(b, binding, call);
  if (!id) return std::nullopt;
  return Form{ShapeForm{b.lowering.program.tensors[*id].shape}};
}

std::optional<Form> LowerTensorToShape(RoutineBuilder& b, const ir::Binding& binding,
                                       const ir::Call& call) {
  const auto id = TensorArgument(b, binding, call);
  if (!id) return std::nullopt;
  ir::Context& ir = b.lowering.ir;
  const ir::Tensor tensor = b.lowering.program.tensors[*id];
  const ir::Value& value = b.lowering.module.values[binding.var];
  auto count = tensor.elements();
  const auto* said = value.info->As<ir::ShapeInfo>();
  if (tensor.shape.size() == 1 && !count && said != nullptr && said->ndim >= 0) {
    count = said->ndim;
    b.EmitCheck({ir.Make(ir::BinaryOp::kEq, tensor.shape[0], ir.Int(*count)),
                 absl::StrCat("length of ", tensor.name)},
                binding.loc);
  }
  if (tensor.shape.size() != 1 || !count || *count > 64) {
    b.lowering.Unsupported(binding.loc)
        << "R.tensor_to_shape of a tensor whose length is not known "
           "cannot be lowered to C yet; "
        << kSupported;
    return std::nullopt;
  }
  ShapeForm shape;
  for (int64_t i = 0; i < *count; ++i) {
    const PrimRef var = ir.NewVar(absl::StrCat(value.name, "_", i));
    b.Define(var, var);
    b.Emit(ir::ReadStep{var, *id, i}, binding.loc);
    b.EmitCheck(
        {ir.Make(ir::BinaryOp::kLe, ir.Int(0), var), absl::StrCat("size ", i, " of ", value.name)},
        binding.loc);
    b.AddUnlimitedSize(var);
    shape.dims.push_back(var);
  }
  return Form{std::move(shape)};
}

}  // namespace lathe::lower
