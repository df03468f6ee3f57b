#include "generator/transform/emit_ops.h"

#include <memory>
#include <utility>

#include "generator/interp/scalar.h"
#include "generator/interp/tensor.h"
#include "generator/ops/complete_call.h"
#include "generator/ops/ops.h"
#include "generator/support/check.h"

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
  const ir::Op* found = ops::FindOp(op);
  LATHE_CHECK(found != nullptr, "the operator is in the list");
  ir::Call call;
  call.callee = found;
  call.args = std::move(args);
  call.attrs = std::move(attrs);
  LATHE_CHECK(ops::CompleteAttrs(*found, call.attrs).ok(), "its attributes are given");
  return Bind(std::move(call), "lv");
}

ir::Operand EmitOps::Number(double value, ir::DType dtype) {
  auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, 1));
  interp::WriteElement(bytes->data(), dtype, 0, interp::FromDouble(dtype, value));
  return ir::Operand{module_.constants.Add({dtype, {}, std::move(bytes)})};
}

}  // namespace lathe::transform
