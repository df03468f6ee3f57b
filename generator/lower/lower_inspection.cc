#include "generator/lower/lower_inspection.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/ir/op.h"

namespace lathe::lower {
namespace {

using ir::DType;
using ir::PrimRef;

// Returns DLPack's type code. It has none here for floats of 8 bits and fewer.
std::optional<int64_t> DLPackCode(DType t) {
  if (t.is_int()) return 0;
  if (t.is_uint()) return 1;
  if (t.is_bool()) return 6;
  if (t.code == ir::TypeCode::kBFloat) return 4;
  if (t.code == ir::TypeCode::kFloat) return 2;
  return std::nullopt;
}

}  // namespace

std::optional<Form> LowerInspection(RoutineBuilder& b, const ir::Binding& binding,
                                    const ir::Call& call) {
  const auto form = b.FormOf(call.args[0], binding.loc);
  if (!form) return std::nullopt;
  absl::string_view field = call.op()->name;
  const auto refuse = [&](absl::string_view of) -> std::optional<Form> {
    b.lowering.Unsupported(binding.loc) << "operator '" << call.op()->name << "' of " << of
                                        << " cannot be lowered to C yet; " << kSupported;
    return std::nullopt;
  };
  const auto* id = form->As<ir::TensorId>();
  if (id == nullptr) return refuse("a value that is not a tensor");
  const ir::Tensor& tensor = b.lowering.program.tensors[*id];
  absl::ConsumePrefix(&field, "relax.inspect.tensor_");
  const auto number = [&](int64_t value, DType dtype) {
    return Form{b.lowering.ir.Int(value, dtype)};
  };
  const auto code = DLPackCode(tensor.dtype);
  if (field == "dtype_code" && code) return number(*code, DType::UInt(8));
  if (field == "dtype_bits") return number(tensor.dtype.bits, DType::UInt(8));
  if (field == "dtype_lanes") return number(tensor.dtype.lanes, DType::UInt(16));
  if (field == "ndim") return number(std::ssize(tensor.shape), DType::Int(32));
  // Every tensor of a routine has its own base pointer.
  if (field == "byte_offset" || field == "elem_offset") return number(0, DType::UInt(64));
  const auto* given = call.args.size() > 1 ? call.args[1].As<ir::PrimValue>() : nullptr;
  const auto* axis = given == nullptr ? nullptr : given->value->As<ir::IntImm>();
  if (axis == nullptr || axis->value < 0 || axis->value >= std::ssize(tensor.shape)) {
    return refuse(axis == nullptr ? "an axis that is not a constant"
                                  : "an axis that does not exist");
  }
  if (field == "shape_i") return Form{tensor.shape[static_cast<size_t>(axis->value)]};
  if (field != "stride_i") return refuse("a tensor of this dtype");
  PrimRef stride = b.lowering.ir.Int(1);
  for (int64_t d = axis->value + 1; d < std::ssize(tensor.shape); ++d) {
    stride = b.lowering.ir.Make(ir::BinaryOp::kMul, stride, tensor.shape[static_cast<size_t>(d)]);
  }
  return Form{b.Resolve(stride)};
}

}  // namespace lathe::lower
