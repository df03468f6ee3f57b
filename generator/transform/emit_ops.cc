#include "generator/transform/emit_ops.h"

#include <memory>
#include <utility>

#include "generator/interp/data/scalar.h"
#include "generator/interp/data/tensor.h"
#include "generator/ops/complete_call.h"

namespace lathe::transform {

ir::Operand EmitOps::Bind(ir::Rhs rhs, absl::string_view name) {
  ir::Value value;
  value.name = std::string(name);
  value.dataflow = dataflow_;
  value.loc = loc_;
  const ir::ValueId id = module_.values.Add(std::move(value));
  out_.push_back({id, std::move(rhs), loc_});
  return ir::Operand{id};
}

ir::Operand EmitOps::Op(absl::string_view op, std::vector<ir::Operand> args, ir::AttrMap attrs) {
  return Bind(ops::CallOf(op, std::move(args), std::move(attrs)), "lv");
}

ir::Operand EmitOps::Number(double value, ir::DType dtype) {
  auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, 1));
  interp::WriteElement(bytes->data(), dtype, 0, interp::FromDouble(dtype, value));
  return ir::Operand{module_.constants.Add({dtype, {}, std::move(bytes)})};
}

}  // namespace lathe::transform
